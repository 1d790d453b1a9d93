#include "unmask/world/telecom/phone.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "unmask/base/check.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/same_text.h"
#include "unmask/world/telecom/python_errors.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

struct MbpsRange {
  double low = 0.0;
  double high = 0.0;
};

// Both tables follow the order of their enumerators.
constexpr std::array<MbpsRange, 5> kMbpsOfTechnology{
    MbpsRange{0.0, 0.0}, {0.1, 0.4}, {1.0, 5.0}, {10.0, 100.0}, {50.0, 500.0}};
constexpr std::array<double, 5> kShareOfSignal{0.0, 0.2, 0.5, 0.8, 1.0};
constexpr std::array<std::string_view, 5> kSignalIcons{"📵 No Signal", "📶¹ Poor", "📶² Fair",
                                                       "📶³ Good", "📶⁴ Excellent"};

std::size_t place_of(NetworkTechnology technology) { return static_cast<std::size_t>(technology); }

void lose_network(Phone& phone) {
  phone.network_connection_status = NetworkStatus::no_service;
  phone.network_technology_connected = NetworkTechnology::none;
  phone.network_signal_strength = SignalStrength::none;
}

NetworkTechnology preferred_technology(const UserDatabase& user) {
  const auto* preference = std::get_if<NetworkModePreference>(&user.device.network_mode_preference);
  if (preference == nullptr) {
    return NetworkTechnology::g4;
  }
  switch (*preference) {
    case NetworkModePreference::g4_g5_preferred: {
      const auto strength = user.surroundings.signal_strength[place_of(NetworkTechnology::g5)];
      return strength.value_or(SignalStrength::none) == SignalStrength::none
                 ? NetworkTechnology::g4
                 : NetworkTechnology::g5;
    }
    case NetworkModePreference::g4_only:
      return NetworkTechnology::g4;
    case NetworkModePreference::g3_only:
      return NetworkTechnology::g3;
    case NetworkModePreference::g2_only:
      return NetworkTechnology::g2;
  }
  UNMASK_CHECK(false);
  return NetworkTechnology::none;
}

std::string_view description_of(double mbps) {
  if (mbps < 1) {
    return "Very Poor";
  }
  if (mbps < 5) {
    return "Poor";
  }
  if (mbps < 25) {
    return "Fair";
  }
  return mbps < 100 ? "Good" : "Excellent";
}

}  // namespace

SimStatus effective_sim_status(const Phone& phone) {
  return phone.sim_card_missing ? SimStatus::missing : phone.sim_card_status;
}

Outcome<void> search_network(UserDatabase& user) {
  Phone& phone = user.device;
  if (effective_sim_status(phone) == SimStatus::active) {
    const NetworkTechnology technology = preferred_technology(user);
    phone.network_connection_status = NetworkStatus::connected;
    phone.network_technology_connected = technology;
    phone.network_signal_strength =
        user.surroundings.signal_strength[place_of(technology)].value_or(SignalStrength::none);
  } else {
    lose_network(phone);
  }
  if (phone.airplane_mode) {
    lose_network(phone);
  }
  const Outcome<const ApnSettings*> apn = apn_settings(std::as_const(phone), "apn_name");
  if (!apn) {
    return raised_by(apn);
  }
  if ((*apn)->apn_name == ApnName::broken || !user.surroundings.line_active) {
    lose_network(phone);
  }
  return {};
}

bool mobile_data_works(const UserDatabase& user) {
  const Phone& phone = user.device;
  const Surroundings& around = user.surroundings;
  if (phone.airplane_mode || phone.network_signal_strength == SignalStrength::none ||
      phone.network_connection_status == NetworkStatus::no_service) {
    return false;
  }
  if (python_truth(around.is_abroad) && !(phone.roaming_enabled && around.roaming_allowed)) {
    return false;
  }
  return phone.data_enabled && !around.mobile_data_usage_exceeded;
}

std::optional<Speed> measured_speed(const UserDatabase& user) {
  if (!mobile_data_works(user)) {
    return std::nullopt;
  }
  const Phone& phone = user.device;
  const bool slow_vpn = phone.vpn_connected && phone.vpn_details &&
                        phone.vpn_details->server_performance == PerformanceLevel::poor;
  double factor = slow_vpn ? 0.1 : 1.0;
  if (phone.data_saver_mode) {
    factor *= 0.2;
  }
  const MbpsRange range = kMbpsOfTechnology[place_of(phone.network_technology_connected)];
  const double share = kShareOfSignal[static_cast<std::size_t>(phone.network_signal_strength)];
  const double mbps = round2((range.low + range.high) / 2.0 * share * factor);
  return Speed{.mbps = mbps, .description = description_of(mbps)};
}

Outcome<bool> can_send_mms(const UserDatabase& user) {
  const Phone& phone = user.device;
  if (!mobile_data_works(user) || phone.network_technology_connected == NetworkTechnology::g2) {
    return false;
  }
  if (phone.wifi_calling_enabled && python_truth(phone.wifi_calling_mms_over_wifi)) {
    return false;
  }
  const Outcome<const ApnSettings*> apn = apn_settings(phone, "mmsc_url");
  if (!apn) {
    return raised_by(apn);
  }
  if (!(*apn)->mmsc_url) {
    return false;
  }
  const InstalledApp* messaging = find_app(phone, "messaging");
  return messaging != nullptr && messaging->status.permissions.storage &&
         messaging->status.permissions.sms;
}

void append_status_bar(TextBuffer& bar, const Phone& phone) {
  bool first = true;
  const auto add = [&](std::string_view part) {
    if (!first) {
      bar += " | ";
    }
    first = false;
    bar += part;
  };
  if (phone.airplane_mode) {
    add("✈️ Airplane Mode");
  } else {
    add(kSignalIcons[static_cast<std::size_t>(phone.network_signal_strength)]);
    const bool on_network = phone.network_technology_connected != NetworkTechnology::none;
    if (on_network) {
      add(text_of(phone.network_technology_connected));
    }
    if (phone.data_enabled && on_network) {
      add("📱 Data Enabled");
      if (phone.data_saver_mode) {
        add("🔽 Data Saver");
      }
    } else {
      add("📵 Data Disabled");
    }
  }
  if (phone.wifi_enabled && phone.wifi_connected) {
    if (phone.wifi_ssid.value_or("").empty()) {
      add("📡 Enabled");
    } else {
      add("📡 Connected to ");
      bar += std::string_view(*phone.wifi_ssid);
    }
  }
  if (phone.vpn_connected) {
    add("🔒 VPN Connected");
  }
  add("🔋 ");
  if (const std::int64_t* percent = phone.battery_level.integer()) {
    bar += std::string_view(std::to_string(*percent));
  } else {
    bar += std::string_view(python_str(phone.battery_level));
  }
  bar += '%';
}

std::string status_bar(const Phone& phone) {
  return built_text([&phone](TextBuffer& out) { append_status_bar(out, phone); });
}

const InstalledApp* find_app(const Phone& phone, std::string_view key) {
  for (const InstalledApp& app : phone.app_statuses) {
    if (same_text(app.key, key)) {
      return &app;
    }
  }
  return nullptr;
}

Outcome<const ApnSettings*> apn_settings(const Phone& phone, std::string_view attribute) {
  if (const auto* settings = std::get_if<ApnSettings>(&phone.active_apn_settings)) {
    return settings;
  }
  return raise_no_attribute(std::get<Value>(phone.active_apn_settings), attribute);
}

Outcome<ApnSettings*> apn_settings(Phone& phone, std::string_view attribute) {
  if (auto* settings = std::get_if<ApnSettings>(&phone.active_apn_settings)) {
    return settings;
  }
  return raise_no_attribute(std::get<Value>(phone.active_apn_settings), attribute);
}

}  // namespace unmask::world::telecom
