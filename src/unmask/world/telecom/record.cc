#include "unmask/world/telecom/record.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/world/telecom/calendar.h"
#include "unmask/world/telecom/phone.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

// pydantic also takes numbers for dates and says which character it did not expect; neither occurs
// in data files, and no tool takes a date.

void Reader::read(const Value& value, Date& into, const Place& place) {
  const std::string* text = value.string();
  if (const auto date = text == nullptr ? std::nullopt : parse_date(*text)) {
    into = *date;
  } else {
    validation_.add(place, "Input should be a valid date", "date_type", value);
  }
}

void Reader::read(const Value& value, DateTime& into, const Place& place) {
  const std::string* text = value.string();
  if (const auto time = text == nullptr ? std::nullopt : parse_date_time(*text)) {
    into = *time;
  } else {
    validation_.add(place, "Input should be a valid datetime", "datetime_type", value);
  }
}

void Reader::read(const Value& value, SignalStrengths& into, const Place& place) {
  const Object* object = value.object();
  if (object == nullptr) {
    validation_.add(place, "Input should be a valid dictionary", "dict_type", value);
    return;
  }
  into = SignalStrengths{};
  for (const Member& member : *object) {
    const Place entry{.parent = &place, .key = member.key};
    NetworkTechnology technology{};
    SignalStrength strength{};
    read(Value(member.key), technology, Place{.parent = &entry, .key = "[key]"});
    read(member.value, strength, entry);
    into[static_cast<std::size_t>(technology)] = strength;
  }
}

void Reader::read(const Value& value, std::vector<InstalledApp>& into, const Place& place) {
  const Object* object = value.object();
  if (object == nullptr) {
    validation_.add(place, "Input should be a valid dictionary", "dict_type", value);
    return;
  }
  into.clear();
  for (const Member& member : *object) {
    InstalledApp app{.key = member.key};
    read(member.value, app.status, Place{.parent = &place, .key = member.key});
    into.push_back(std::move(app));
  }
}

void Reader::read_held(const Value& value, Value& into, Holds holds, const Place& place) {
  const bool may_be_null = holds == Holds::optional_text || holds == Holds::optional_integer;
  if (may_be_null && value.is_null()) {
    into = Value();
    return;
  }
  switch (holds) {
    case Holds::real:
      if (const auto number = real_from(value, place, validation_)) {
        into = Value(*number);
      }
      return;
    case Holds::boolean:
      if (const auto truth = boolean_from(value, place, validation_)) {
        into = Value(*truth);
      }
      return;
    case Holds::optional_text:
      if (auto text = text_from(value, place, validation_)) {
        into = Value(*std::move(text));
      }
      return;
    case Holds::integer:
    case Holds::optional_integer:
      if (auto number = integer_from(value, place, validation_)) {
        into = *std::move(number);
      }
      return;
  }
}

}  // namespace unmask::world::telecom
