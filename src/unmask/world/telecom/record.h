#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "unmask/world/json_dump.h"
#include "unmask/world/telecom/calendar.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

// Dumps and validation made from lists of members. A struct that is dumped specialises Record with
// a tuple kFields of `required` and `optional` members in dump order and its Python class's name.

namespace unmask::world::telecom {

/// What a member of type Value is declared to hold when it is loaded.
enum class Holds : std::uint8_t { real, integer, boolean, optional_text, optional_integer };

template <typename Owner, typename Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  bool required = false;
  Holds holds = Holds::real;  ///< only for members of type Value
};

template <typename Owner, typename Member>
[[nodiscard]] constexpr Field<Owner, Member> required(std::string_view name,
                                                      Member Owner::* member) {
  return {.name = name, .member = member, .required = true};
}

/// A member that keeps its default if it is absent.
template <typename Owner, typename Member>
[[nodiscard]] constexpr Field<Owner, Member> optional(std::string_view name, Member Owner::* member,
                                                      Holds holds = Holds::real) {
  return {.name = name, .member = member, .holds = holds};
}

template <typename T>
struct Record;

template <typename T>
concept Recorded = requires { Record<T>::kFields; };

template <typename T>
inline constexpr std::size_t kFieldCount = std::tuple_size_v<decltype(Record<T>::kFields)>;

enum class KeyOrder : std::uint8_t { declared, sorted };

/// Places of the fields in the order in which they are written.
template <Recorded T, KeyOrder order>
[[nodiscard]] consteval std::array<std::size_t, kFieldCount<T>> field_order() {
  std::array<std::size_t, kFieldCount<T>> places{};
  for (std::size_t at = 0; at < places.size(); ++at) {
    places[at] = at;
  }
  if constexpr (order == KeyOrder::sorted) {
    const auto names =
        std::apply([](const auto&... field) { return std::array{std::string_view(field.name)...}; },
                   Record<T>::kFields);
    std::ranges::sort(places, {}, [&names](std::size_t at) { return names[at]; });
  }
  return places;
}

// Appending a value as json.dumps would write the dumped model: one line, `, ` and `: `.

template <KeyOrder order>
class Dump {
 public:
  explicit Dump(TextBuffer& out) : out_(out) {}

  void write(const std::string& text) { append_json_string(out_, text); }
  void write(double value) { append_json_float(out_, value); }
  void write(bool value) { out_ += std::string_view(value ? "true" : "false"); }
  void write(Date date) {
    quoted([&] { append_text(out_, date); });
  }
  void write(DateTime time) {
    quoted([&] { append_text(out_, time); });
  }
  void write(const Value& value) {
    if constexpr (order == KeyOrder::sorted) {
      append_sorted_json(out_, value);
    } else {
      append_json(out_, value);
    }
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void write(Enum value) {
    quoted([&] { out_ += text_of(value); });
  }
  template <typename T>
  void write(const std::optional<T>& value) {
    if (value) {
      write(*value);
    } else {
      out_ += "null";
    }
  }
  template <typename T>
  void write(const std::variant<T, Value>& value) {
    std::visit([this](const auto& content) { this->write(content); }, value);
  }
  template <typename T>
  void write(const std::vector<T>& values) {
    out_ += '[';
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (at > 0) {
        out_ += ", ";
      }
      write(values[at]);
    }
    out_ += ']';
  }
  void write(const SignalStrengths& strengths) {
    // `none` comes last in a sorted dump, and last in the original's default too.
    constexpr std::array<std::size_t, 5> kOrder{1, 2, 3, 4, 0};
    bool first = true;
    out_ += '{';
    for (const std::size_t at : kOrder) {
      if (strengths[at]) {
        key(text_of(static_cast<NetworkTechnology>(at)), first);
        write(*strengths[at]);
      }
    }
    out_ += '}';
  }
  void write(const std::vector<InstalledApp>& apps) {
    std::vector<const InstalledApp*> ordered;
    ordered.reserve(apps.size());
    for (const InstalledApp& app : apps) {
      ordered.push_back(&app);
    }
    if constexpr (order == KeyOrder::sorted) {
      std::ranges::sort(ordered, {}, [](const InstalledApp* app) { return app->key; });
    }
    bool first = true;
    out_ += '{';
    for (const InstalledApp* app : ordered) {
      key(app->key, first);
      write(app->status);
    }
    out_ += '}';
  }
  template <Recorded T>
  void write(const T& record) {
    out_ += '{';
    constexpr auto kOrder = field_order<T, order>();
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (write_field < kOrder[At], At == 0 > (record), ...);
    }(std::make_index_sequence<kFieldCount<T>>{});
    out_ += '}';
  }

 private:
  /// `"name": `, after a comma unless it comes first; names need no escapes.
  template <std::size_t at, bool first, typename T>
  [[nodiscard]] static consteval auto key_of() {
    constexpr std::string_view kName = std::get<at>(Record<T>::kFields).name;
    constexpr std::string_view kBefore = first ? "\"" : ", \"";
    constexpr std::string_view kAfter = "\": ";
    std::array<char, kBefore.size() + kName.size() + kAfter.size()> key{};
    auto* end = std::ranges::copy(kBefore, key.begin()).out;
    end = std::ranges::copy(kName, end).out;
    std::ranges::copy(kAfter, end);
    return key;
  }
  template <std::size_t at, bool first, typename T>
  void write_field(const T& record) {
    static constexpr auto kKey = key_of<at, first, T>();
    std::memcpy(out_.extend(kKey.size()), kKey.data(), kKey.size());
    write(record.*std::get<at>(Record<T>::kFields).member);
  }
  void key(std::string_view name, bool& first) {
    if (!first) {
      out_ += ", ";
    }
    first = false;
    append_json_string(out_, name);
    out_ += ": ";
  }
  template <typename Write>
  void quoted(Write write_inside) {
    out_ += '"';
    write_inside();
    out_ += '"';
  }

  TextBuffer& out_;
};

/// Appends the dump of a record.
template <KeyOrder order, Recorded T>
void append_dump(TextBuffer& out, const T& record) {
  Dump<order>(out).write(record);
}

/// The dump of a record.
template <KeyOrder order, Recorded T>
[[nodiscard]] std::string dump_of(const T& record) {
  return built_text([&record](TextBuffer& out) { append_dump<order>(out, record); });
}

/// A record as a JSON value, members in dump order.
template <Recorded T>
[[nodiscard]] Value value_of(const T& record) {
  return *parse_json(dump_of<KeyOrder::declared>(record));
}

// Reading: each overload fills `into`, or adds problems and leaves it as it is.

class Reader {
 public:
  explicit Reader(Validation& validation) : validation_(validation) {}

  void read(const Value& value, std::string& into, const Place& place) {
    assign(into, text_from(value, place, validation_));
  }
  void read(const Value& value, double& into, const Place& place) {
    assign(into, real_from(value, place, validation_));
  }
  void read(const Value& value, bool& into, const Place& place) {
    assign(into, boolean_from(value, place, validation_));
  }
  void read(const Value& value, Date& into, const Place& place);
  void read(const Value& value, DateTime& into, const Place& place);
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void read(const Value& value, Enum& into, const Place& place) {
    const auto& texts = kEnumTexts<Enum>;
    if (const auto at = choice_from(value, texts.data(), texts.size(), place, validation_)) {
      into = static_cast<Enum>(*at);
    }
  }
  template <typename T>
  void read(const Value& value, std::optional<T>& into, const Place& place) {
    if (value.is_null()) {
      into.reset();
    } else {
      T content{};
      read(value, content, place);
      into = std::move(content);
    }
  }
  template <typename T>
  void read(const Value& value, std::variant<T, Value>& into, const Place& place) {
    T content{};
    read(value, content, place);
    into = std::move(content);
  }
  template <typename T>
  void read(const Value& value, std::vector<T>& into, const Place& place) {
    const List* list = value.list();
    if (list == nullptr) {
      validation_.add(place, "Input should be a valid list", "list_type", value);
      return;
    }
    into.assign(list->size(), T{});
    for (std::size_t at = 0; at < list->size(); ++at) {
      read((*list)[at], into[at], Place{.parent = &place, .index = at});
    }
  }
  void read(const Value& value, SignalStrengths& into, const Place& place);
  void read(const Value& value, std::vector<InstalledApp>& into, const Place& place);
  void read_held(const Value& value, Value& into, Holds holds, const Place& place);

  template <Recorded T>
  void read(const Value& value, T& into, const Place& place) {
    const Object* object = value.object();
    if (object == nullptr) {
      validation_.add(
          place,
          "Input should be a valid dictionary or instance of " + std::string(Record<T>::kClass),
          "model_type", value);
      return;
    }
    std::apply([&](const auto&... field) { (read_field(value, into, field, place), ...); },
               Record<T>::kFields);
    for (const Member& member : *object) {
      const bool known = std::apply(
          [&member](const auto&... field) { return ((field.name == member.key) || ...); },
          Record<T>::kFields);
      if (!known) {
        validation_.add(Place{.parent = &place, .key = member.key},
                        "Extra inputs are not permitted", "extra_forbidden", member.value);
      }
    }
  }

 private:
  template <typename T>
  static void assign(T& into, std::optional<T> content) {
    if (content) {
      into = *std::move(content);
    }
  }
  template <typename T, typename Member>
  void read_field(const Value& object, T& into, const Field<T, Member>& field,
                  const Place& parent) {
    const Place place{.parent = &parent, .key = field.name};
    const Value* value = object.find(field.name);
    if (value == nullptr) {
      if (field.required) {
        validation_.add(place, "Field required", "missing", object);
      }
    } else if constexpr (std::same_as<Member, Value>) {
      read_held(*value, into.*field.member, field.holds, place);
    } else {
      read(*value, into.*field.member, place);
    }
  }

  Validation& validation_;
};

/// The record that `value` describes; what is wrong with it goes to `validation`.
template <Recorded T>
[[nodiscard]] T record_of(const Value& value, Validation& validation) {
  T record{};
  Reader(validation).read(value, record, Place{});
  return record;
}

}  // namespace unmask::world::telecom
