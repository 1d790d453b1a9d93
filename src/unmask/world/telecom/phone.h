#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/value.h"

// The user's phone and what surrounds it: the database that the user's tools read and write.
// Members stand in the order in which they are dumped.

namespace unmask::world {
class TextBuffer;
}  // namespace unmask::world

namespace unmask::world::telecom {

enum class SimStatus : std::uint8_t { active, missing, locked_pin, locked_puk };
template <>
inline constexpr std::array<std::string_view, 4> kEnumTexts<SimStatus>{"active", "missing",
                                                                       "locked_pin", "locked_puk"};

enum class NetworkTechnology : std::uint8_t { none, g2, g3, g4, g5 };
template <>
inline constexpr std::array<std::string_view, 5> kEnumTexts<NetworkTechnology>{"none", "2G", "3G",
                                                                               "4G", "5G"};

enum class NetworkModePreference : std::uint8_t { g4_g5_preferred, g4_only, g3_only, g2_only };
template <>
inline constexpr std::array<std::string_view, 4> kEnumTexts<NetworkModePreference>{
    "4g_5g_preferred", "4g_only", "3g_only", "2g_only"};

enum class SignalStrength : std::uint8_t { none, poor, fair, good, excellent };
template <>
inline constexpr std::array<std::string_view, 5> kEnumTexts<SignalStrength>{"none", "poor", "fair",
                                                                            "good", "excellent"};

enum class PerformanceLevel : std::uint8_t { unknown, poor, fair, good, excellent };
template <>
inline constexpr std::array<std::string_view, 5> kEnumTexts<PerformanceLevel>{
    "unknown", "poor", "fair", "good", "excellent"};

enum class NetworkStatus : std::uint8_t { connected, searching, no_service, emergency_only };
template <>
inline constexpr std::array<std::string_view, 4> kEnumTexts<NetworkStatus>{
    "connected", "searching", "no_service", "emergency_only"};

enum class ApnName : std::uint8_t { internet, broken };
template <>
inline constexpr std::array<std::string_view, 2> kEnumTexts<ApnName>{"internet", "broken"};

struct ApnSettings {
  ApnName apn_name = ApnName::internet;
  bool reset_at_reboot = false;
  std::optional<std::string> mms_apn = "mms";
  std::optional<std::string> mmsc_url = "http://mms.carrier.com/mms/wapenc";
  std::optional<std::string> mms_proxy;
  Value mms_port;  ///< null or an integer of any size
};

struct VpnDetails {
  std::optional<std::string> server_address;
  std::optional<std::string> protocol;
  PerformanceLevel server_performance = PerformanceLevel::unknown;

  bool operator==(const VpnDetails&) const = default;
};

struct AppPermissions {
  bool sms = false;
  bool storage = false;
  bool phone = false;
  bool network = false;

  bool operator==(const AppPermissions&) const = default;
};

struct AppStatus {
  std::string app_name;
  AppPermissions permissions;

  bool operator==(const AppStatus&) const = default;
};

/// An app under the name by which tools find it, which need not be its own.
struct InstalledApp {
  std::string key;
  AppStatus status;

  bool operator==(const InstalledApp&) const = default;
};

struct Phone {
  SimStatus sim_card_status = SimStatus::active;
  bool sim_card_missing = false;
  bool airplane_mode = false;
  SignalStrength network_signal_strength = SignalStrength::good;
  NetworkTechnology network_technology_connected = NetworkTechnology::g5;
  NetworkStatus network_connection_status = NetworkStatus::connected;
  Value battery_level = Value(80);  ///< percent; an integer of any size
  bool data_enabled = true;
  bool roaming_enabled = false;
  /// The Value is what a badly typed tool call left there, kept as it came.
  std::variant<NetworkModePreference, Value> network_mode_preference;
  std::variant<ApnSettings, Value> active_apn_settings;
  bool wifi_enabled = false;
  bool wifi_connected = false;
  std::optional<std::string> wifi_ssid;
  SignalStrength wifi_signal_strength = SignalStrength::none;
  bool wifi_calling_enabled = false;
  Value wifi_calling_mms_over_wifi =
      Value(false);  ///< boolean, unless an environment function said otherwise
  bool data_saver_mode = false;
  bool vpn_enabled_setting = false;
  bool vpn_connected = false;
  std::optional<VpnDetails> vpn_details;
  std::vector<InstalledApp> app_statuses;
};

struct PaymentRequest {
  std::string bill_id;
  double amount_due = 0.0;  ///< US dollars
  bool paid = false;

  bool operator==(const PaymentRequest&) const = default;
};

/// Strength by technology, at the technology's place; absent where the map has no such key.
using SignalStrengths = std::array<std::optional<SignalStrength>, 5>;

struct Surroundings {
  Value name;          ///< null or a string, unless an environment function said otherwise
  Value phone_number;  ///< as `name`
  Value is_abroad = Value(false);
  bool roaming_allowed = false;
  SignalStrengths signal_strength{std::nullopt, SignalStrength::poor, SignalStrength::fair,
                                  SignalStrength::good, SignalStrength::excellent};
  bool mobile_data_usage_exceeded = false;
  bool line_active = true;
  std::optional<PaymentRequest> payment_request;
};

struct UserDatabase {
  Phone device;
  Surroundings surroundings;
};

/// The VPN that `connect_vpn` connects to. The original keeps one object and lets the phone's
/// details alias it, so what breaks the one breaks the other.
struct VpnServer {
  VpnDetails details{.server_address = "192.168.1.1",
                     .protocol = "OpenVPN",
                     .server_performance = PerformanceLevel::excellent};
  bool aliased_by_phone = false;

  bool operator==(const VpnServer&) const = default;
};

/// What a speed test measures.
struct Speed {
  double mbps = 0.0;
  std::string_view description;
};

/// The SIM card's state, missing if there is none in the phone.
[[nodiscard]] SimStatus effective_sim_status(const Phone& phone);

/// Lets the phone look for a network: writes connection status, technology and signal. Raises,
/// after part of that, if a badly typed call left something else in the APN settings' place.
[[nodiscard]] Outcome<void> search_network(UserDatabase& user);

/// Whether mobile data works here and now.
[[nodiscard]] bool mobile_data_works(const UserDatabase& user);

/// Download speed over mobile data, rounded to hundredths; nullopt without a connection.
[[nodiscard]] std::optional<Speed> measured_speed(const UserDatabase& user);

/// Whether the messaging app can send pictures. Raises as search_network, where the answer depends
/// on the APN settings.
[[nodiscard]] Outcome<bool> can_send_mms(const UserDatabase& user);

/// The status bar's text.
[[nodiscard]] std::string status_bar(const Phone& phone);
void append_status_bar(TextBuffer& bar, const Phone& phone);

/// The app that tools find under this name; null if there is none.
[[nodiscard]] const InstalledApp* find_app(const Phone& phone, std::string_view key);

/// The active APN settings. Raises Python's AttributeError for `attribute` if something else stands
/// in their place.
[[nodiscard]] Outcome<const ApnSettings*> apn_settings(const Phone& phone,
                                                       std::string_view attribute);
[[nodiscard]] Outcome<ApnSettings*> apn_settings(Phone& phone, std::string_view attribute);

}  // namespace unmask::world::telecom
