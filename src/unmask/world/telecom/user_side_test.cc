#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/telecom_fixture.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

constexpr Party kAgent = Party::agent;
constexpr Party kUser = Party::user;

UserDatabase user_database() { return {}; }

TEST(TelecomPhone, NetworkSearch) {
  struct Case {
    void (*change)(UserDatabase&);
    NetworkStatus status;
    NetworkTechnology technology;
    SignalStrength signal;
  };
  using enum NetworkTechnology;
  constexpr auto kConnected = NetworkStatus::connected;
  constexpr auto kNoService = NetworkStatus::no_service;
  const std::vector<Case> cases{
      {[](UserDatabase&) {}, kConnected, g5, SignalStrength::excellent},
      {[](UserDatabase& user) { user.surroundings.signal_strength[4] = SignalStrength::none; },
       kConnected, g4, SignalStrength::good},
      {[](UserDatabase& user) { user.surroundings.signal_strength = {}; }, kConnected, g4,
       SignalStrength::none},
      {[](UserDatabase& user) {
         user.device.network_mode_preference = NetworkModePreference::g2_only;
       },
       kConnected, g2, SignalStrength::poor},
      {[](UserDatabase& user) { user.device.network_mode_preference = Value(5); }, kConnected, g4,
       SignalStrength::good},
      {[](UserDatabase& user) { user.device.sim_card_missing = true; }, kNoService, none,
       SignalStrength::none},
      {[](UserDatabase& user) { user.device.sim_card_status = SimStatus::locked_pin; }, kNoService,
       none, SignalStrength::none},
      {[](UserDatabase& user) { user.device.airplane_mode = true; }, kNoService, none,
       SignalStrength::none},
      {[](UserDatabase& user) {
         user.device.active_apn_settings = ApnSettings{.apn_name = ApnName::broken, .mms_port = {}};
       },
       kNoService, none, SignalStrength::none},
      {[](UserDatabase& user) { user.surroundings.line_active = false; }, kNoService, none,
       SignalStrength::none},
  };
  for (std::size_t at = 0; at < cases.size(); ++at) {
    UserDatabase user = user_database();
    cases[at].change(user);
    EXPECT_TRUE(search_network(user).has_value()) << at;
    EXPECT_EQ(user.device.network_connection_status, cases[at].status) << at;
    EXPECT_EQ(user.device.network_technology_connected, cases[at].technology) << at;
    EXPECT_EQ(user.device.network_signal_strength, cases[at].signal) << at;
  }
}

TEST(TelecomPhone, Speed) {
  struct Case {
    NetworkTechnology technology;
    SignalStrength signal;
    bool slow_vpn;
    bool saver;
    double mbps;
    std::string_view description;
  };
  using enum NetworkTechnology;
  const std::vector<Case> cases{
      {g5, SignalStrength::excellent, false, false, 275.0, "Excellent"},
      {g5, SignalStrength::excellent, false, true, 55.0, "Good"},
      {g5, SignalStrength::excellent, true, false, 27.5, "Good"},
      {g4, SignalStrength::poor, false, false, 11.0, "Fair"},
      {g3, SignalStrength::fair, false, false, 1.5, "Poor"},
      {g2, SignalStrength::fair, false, false, 0.12, "Very Poor"},  // 0.125 goes to even
      {g2, SignalStrength::poor, true, true, 0.0, "Very Poor"},
      {none, SignalStrength::good, false, false, 0.0, "Very Poor"},
  };
  for (const Case& expected : cases) {
    UserDatabase user = user_database();
    user.device.network_technology_connected = expected.technology;
    user.device.network_signal_strength = expected.signal;
    user.device.data_saver_mode = expected.saver;
    if (expected.slow_vpn) {
      user.device.vpn_connected = true;
      user.device.vpn_details = VpnDetails{
          .server_address = {}, .protocol = {}, .server_performance = PerformanceLevel::poor};
    }
    const auto speed = measured_speed(user);
    ASSERT_TRUE(speed.has_value());
    EXPECT_EQ(speed->mbps, expected.mbps);
    EXPECT_EQ(speed->description, expected.description);
  }
}

TEST(TelecomPhone, MobileDataNeedsAllOf) {
  const std::vector<void (*)(UserDatabase&)> obstacles{
      [](UserDatabase& user) { user.device.airplane_mode = true; },
      [](UserDatabase& user) { user.device.network_signal_strength = SignalStrength::none; },
      [](UserDatabase& user) { user.device.network_connection_status = NetworkStatus::no_service; },
      [](UserDatabase& user) { user.surroundings.is_abroad = Value(1); },
      [](UserDatabase& user) {
        user.surroundings.is_abroad = Value(true);
        user.device.roaming_enabled = true;
      },
      [](UserDatabase& user) { user.device.data_enabled = false; },
      [](UserDatabase& user) { user.surroundings.mobile_data_usage_exceeded = true; },
  };
  EXPECT_TRUE(mobile_data_works(user_database()));
  for (const auto obstacle : obstacles) {
    UserDatabase user = user_database();
    obstacle(user);
    EXPECT_FALSE(mobile_data_works(user));
    EXPECT_FALSE(measured_speed(user).has_value());
  }
}

TEST(TelecomPhone, StatusBar) {
  Phone phone;
  EXPECT_EQ(status_bar(phone), "📶³ Good | 5G | 📱 Data Enabled | 🔋 80%");
  phone.data_saver_mode = true;
  phone.vpn_connected = true;
  phone.wifi_enabled = true;
  phone.wifi_connected = true;
  EXPECT_EQ(status_bar(phone),
            "📶³ Good | 5G | 📱 Data Enabled | 🔽 Data Saver | 📡 Enabled | 🔒 VPN Connected | "
            "🔋 80%");
  phone.airplane_mode = true;
  phone.wifi_ssid = "attic";
  EXPECT_EQ(status_bar(phone),
            "✈️ Airplane Mode | 📡 Connected to attic | 🔒 VPN Connected | 🔋 80%");
}

TEST(TelecomUser, BadlyTypedSettingsStayAndBreakWhatNeedsThem) {
  const auto environment = fixture_environment();
  const std::string before = *environment->user_hash();
  EXPECT_EQ(content(*environment, kUser, "set_apn_settings", {{"apn_settings", "fast"}}),
            "Error: 'str' object has no attribute 'apn_name'");
  EXPECT_NE(environment->user_hash(), before);
  for (const char* tool : {"toggle_data", "toggle_airplane_mode", "reseat_sim_card"}) {
    EXPECT_EQ(content(*environment, kUser, tool),
              "Error: 'str' object has no attribute 'apn_name'");
  }
  EXPECT_EQ(content(*environment, kUser, "reboot_device"),
            "Error: 'str' object has no attribute 'reset_at_reboot'");
  EXPECT_EQ(content(*environment, kUser, "check_apn_settings"),
            "Error: 'str' object has no attribute 'model_copy'");
  EXPECT_EQ(content(*environment, kUser, "set_network_mode_preference", {{"mode", List{}}}),
            "Error: 'str' object has no attribute 'apn_name'");
  EXPECT_EQ(content(*environment, kUser, "check_network_mode_preference"),
            "Error: 'list' object has no attribute 'value'");
  EXPECT_FALSE(call(*environment, kUser, "set_apn_settings", {{"apn_settings", Object{}}}).error);
  EXPECT_FALSE(call(*environment, kUser, "reboot_device").error);
}

TEST(TelecomUser, SettingsAreValidatedWithPythonsTexts) {
  const auto environment = fixture_environment();
  const std::string before = *environment->user_hash();
  EXPECT_EQ(content(*environment, kUser, "set_apn_settings",
                    {{"apn_settings", Object{{"speed", 1}, {"apn_name", "x"}}}}),
            "Error: 2 validation errors for APNSettings\napn_name\n  Input should be 'internet' or "
            "'broken' [type=enum, input_value='x', input_type=str]\n    For further information "
            "visit https://errors.pydantic.dev/2.12/v/enum\nspeed\n  Extra inputs are not "
            "permitted [type=extra_forbidden, input_value=1, input_type=int]\n    For further "
            "information visit https://errors.pydantic.dev/2.12/v/extra_forbidden");
  EXPECT_EQ(environment->user_hash(), before);
}

TEST(TelecomUser, ABrokenVpnStaysBroken) {
  const auto environment = fixture_environment();
  EXPECT_EQ(run(*environment, kUser, "break_vpn"), R"("VPN connection broken.")");
  const auto snapshot = environment->clone();
  EXPECT_FALSE(call(*environment, kUser, "disconnect_vpn").error);
  EXPECT_FALSE(call(*environment, kUser, "connect_vpn").error);
  EXPECT_EQ(content(*environment, kUser, "check_vpn_status"),
            "VPN is ON and connected. Details: {'server_address': '192.168.1.1', 'protocol': "
            "'OpenVPN', 'server_performance': <PerformanceLevel.POOR: 'poor'>}");
  EXPECT_EQ(content(*environment, kUser, "connect_vpn"), "VPN already connected.");
  EXPECT_NE(fixture_environment()->user_hash(), snapshot->user_hash());
}

TEST(TelecomUser, AppsAndPermissions) {
  const auto environment = fixture_environment();
  EXPECT_EQ(content(*environment, kUser, "check_installed_apps"),
            "The following apps are installed on the phone: messaging, atlas");
  EXPECT_EQ(content(*environment, kUser, "check_app_permissions", {{"app_name", "messaging"}}),
            "App 'messaging' has permission for: sms, storage.");
  EXPECT_EQ(content(*environment, kUser, "check_app_status", {{"app_name", "atlas"}}),
            "Status for App: atlas\n - Permissions: None granted.");
  EXPECT_EQ(content(*environment, kUser, "check_app_status", {{"app_name", Object{}}}),
            "Error: unhashable type: 'dict'");
  EXPECT_EQ(run(*environment, kUser, "remove_app_permission",
                {{"app_name", "messaging"}, {"permission", "SMS"}}),
            R"([true, "Permission 'sms' removed from app 'messaging'."])");
  EXPECT_EQ(content(*environment, kUser, "can_send_mms"),
            "Your messaging app cannot send MMS messages.");
  EXPECT_TRUE(content(*environment, kUser, "grant_app_permission",
                      {{"app_name", "messaging"}, {"permission", "Sms"}})
                  .starts_with("Success. Permission 'sms' granted to app 'messaging'."));
  EXPECT_EQ(content(*environment, kUser, "can_send_mms"),
            "Your messaging app can send MMS messages.");
}

TEST(TelecomSync, APaymentGoesToTheBillAndTheNextRequestComes) {
  const auto environment = environment_of_l1();
  EXPECT_EQ(content(*environment, kUser, "check_payment_request"),
            "No payment request has been made.");
  EXPECT_EQ(content(*environment, kAgent, "send_payment_request",
                    {{"customer_id", "C1"}, {"bill_id", "B1"}}),
            "Payment request sent to the customer for bill B1");
  EXPECT_EQ(content(*environment, kUser, "check_payment_request"),
            "You have a payment request for bill B1 of 20.0 USD.");
  const auto snapshot = environment->clone();
  EXPECT_EQ(content(*environment, kUser, "make_payment"),
            "Payment of 20.0 USD has been made for bill B1.");
  EXPECT_EQ(environment->agent_database().bills[0].status, BillStatus::paid);
  EXPECT_EQ(content(*environment, kUser, "make_payment"), "You do not have a payment request.");
  EXPECT_EQ(content(*snapshot, kUser, "check_payment_request"),
            "You have a payment request for bill B1 of 20.0 USD.");
}

TEST(TelecomSync, SurroundingsFollowTheLine) {
  const auto environment = environment_of_l1();
  EXPECT_TRUE(environment->user_database().surroundings.line_active);
  EXPECT_EQ(run(*environment, kAgent, "set_data_usage",
                {{"customer_id", "C1"}, {"line_id", "L1"}, {"data_used_gb", 4}}),
            R"("Data usage set to 4 GB for line L1")");
  EXPECT_TRUE(environment->user_database().surroundings.mobile_data_usage_exceeded);
  EXPECT_EQ(
      content(*environment, kAgent, "enable_roaming", {{"customer_id", "C1"}, {"line_id", "L1"}}),
      "Roaming enabled successfully");
  EXPECT_TRUE(environment->user_database().surroundings.roaming_allowed);
  EXPECT_EQ(run(*environment, kAgent, "set_data_usage",
                {{"customer_id", "C1"}, {"line_id", "L1"}, {"data_used_gb", "much"}}),
            "TypeError: '>=' not supported between instances of 'str' and 'float'");
}

TEST(TelecomSync, AnUnknownNumberBreaksCallsButNotTheirEffects) {
  const auto environment = fixture_environment();
  EXPECT_EQ(run(*environment, kUser, "set_user_info", {{"name", "X"}, {"phone_number", 5}}),
            "ValueError: Line with phone number 5 not found");
  EXPECT_EQ(content(*environment, kUser, "toggle_data_saver_mode"),
            "Error: Line with phone number 5 not found");
  EXPECT_TRUE(environment->user_database().device.data_saver_mode);
  EXPECT_EQ(run(*environment, kUser, "set_user_info", {{"name", "X"}, {"phone_number", "102"}}),
            "ValueError: Plan with ID P9 not found");
  EXPECT_FALSE(environment->user_database().surroundings.line_active);
}

TEST(TelecomSolo, TheAgentHoldsThePhone) {
  const auto environment = environment_of_l1(true);
  EXPECT_TRUE(content(*environment, kAgent, "toggle_data").starts_with("Mobile Data is now OFF."));
  EXPECT_EQ(content(*environment, kUser, "toggle_data"),
            "Error: User tool calls are not allowed in solo mode");
}

TEST(TelecomInitialData, UpdatesEachDatabase) {
  const auto environment = fixture_environment();
  EXPECT_TRUE(environment
                  ->merge({.agent_data = Object{{"plans", List{}}},
                           .user_data = Object{{"device", Object{{"battery_level", "7"}}}}})
                  .has_value());
  EXPECT_EQ(environment->agent_database().plans.size(), 0U);
  EXPECT_TRUE(content(*environment, kUser, "check_status_bar").ends_with("🔋 7%"));
  EXPECT_EQ(environment->merge({.agent_data = Object{{"x", 1}}, .user_data = {}}).error().type,
            "ValidationError");
}

}  // namespace
}  // namespace unmask::world::telecom
