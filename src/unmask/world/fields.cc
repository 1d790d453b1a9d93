#include "unmask/world/fields.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

const List kNoElements;
const Object kNoMembers;

}  // namespace

Fields::Fields(const Value& value, std::string place)
    : members_(value.object()), place_(std::move(place)) {
  if (members_ == nullptr) fault_at(place_, "an object is due here");
}

Fields::Fields(const Object& members, std::string place)
    : members_(&members), place_(std::move(place)) {}

bool Fields::has(std::string_view key) const {
  return members_ != nullptr && members_->find(key) != nullptr;
}

const Value* Fields::find(std::string_view key) const {
  const Value* value = members_ == nullptr ? nullptr : members_->find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string Fields::text(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && value->string() != nullptr) return *value->string();
  fault(key, "a text is due here");
  return {};
}

std::optional<std::string> Fields::optional_text(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return text(key);
}

double Fields::number(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && value->boolean() == nullptr) {
    if (const std::optional<double> number = to_double(*value)) return *number;
  }
  fault(key, "a number is due here");
  return 0;
}

bool Fields::boolean(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && value->boolean() != nullptr) return *value->boolean();
  fault(key, "true or false is due here");
  return false;
}

bool Fields::boolean_or(std::string_view key, bool absent) {
  return find(key) == nullptr ? absent : boolean(key);
}

Object Fields::object_or_empty(std::string_view key) {
  return find(key) == nullptr ? Object{} : object(key);
}

const List& Fields::list(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && value->list() != nullptr) return *value->list();
  fault(key, "a list is due here");
  return kNoElements;
}

const List* Fields::optional_list(std::string_view key) {
  return find(key) == nullptr ? nullptr : &list(key);
}

const Object& Fields::object(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && value->object() != nullptr) return *value->object();
  fault(key, "an object is due here");
  return kNoMembers;
}

std::vector<std::string> Fields::texts(std::string_view key) {
  std::vector<std::string> texts;
  const List& elements = list(key);
  texts.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (const std::string* text = elements[i].string()) {
      texts.push_back(*text);
    } else {
      fault_at(place_of(key, i), "a text is due here");
    }
  }
  return texts;
}

std::optional<std::vector<std::string>> Fields::optional_texts(std::string_view key) {
  if (find(key) == nullptr) return std::nullopt;
  return texts(key);
}

std::string Fields::place_of(std::string_view key) const {
  std::string place = place_;
  // A file's name is set off from the place within it.
  place += place.find(": ") == std::string::npos ? ": " : ".";
  place += key;
  return place;
}

std::string Fields::place_of(std::string_view key, std::size_t index) const {
  return place_of(key) + "[" + std::to_string(index) + "]";
}

void Fields::fault(std::string_view key, std::string_view what) {
  if (members_ == nullptr) return;  // That it is no object has been said.
  fault_at(place_of(key), what);
}

void Fields::fault_at(std::string place, std::string_view what) {
  if (error_) return;
  place += ": ";
  place += what;
  error_ = Error{ErrorCode::bad_input, std::move(place)};
}

void Fields::adopt(const std::optional<Error>& error) {
  if (!error_ && error) error_ = error;
}

}  // namespace unmask::world
