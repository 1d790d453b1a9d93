#include "unmask/world/value.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "unmask/base/check.h"

namespace unmask::world {
namespace {

using boost::multiprecision::cpp_int;

bool is_integral(const Value& value) {
  return value.type() == Type::integer || value.type() == Type::boolean;
}

/// Of a value that is_integral.
cpp_int wide(const Value& value) {
  if (const bool* truth = value.boolean()) return *truth ? 1 : 0;
  if (const std::int64_t* small = value.integer()) return *small;
  return cpp_int(value.large_integer()->digits);
}

/// -1, 0 or 1 as `left` is below, at or above `right`, by exact value; nullopt if `right` is NaN.
std::optional<int> compare_exactly(const cpp_int& left, double right) {
  if (std::isnan(right)) return std::nullopt;
  if (std::isinf(right)) return right > 0 ? -1 : 1;
  const double whole = std::trunc(right);
  const cpp_int floor_or_ceiling(whole);
  if (const int order = left.compare(floor_or_ceiling); order != 0) return order < 0 ? -1 : 1;
  if (right == whole) return 0;
  return right > whole ? -1 : 1;
}

/// As compare_exactly, where one is a double and no NaN, the other an integer that is exact as one.
std::optional<int> compare_small(const Value& left, const Value& right) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const auto exact = [](const Value& value) -> std::optional<double> {
    if (const double* real = value.real()) return *real;
    const std::int64_t* small = value.integer();
    if (small == nullptr || *small > kExact || *small < -kExact) return std::nullopt;
    return static_cast<double>(*small);
  };
  const auto a = exact(left);
  const auto b = exact(right);
  if (!a || !b || std::isnan(*a) || std::isnan(*b)) return std::nullopt;
  return *a < *b ? -1 : static_cast<int>(*a > *b);
}

/// As compare_exactly, for any two values; nullopt also where one is no number.
std::optional<int> compare_numbers(const Value& left, const Value& right) {
  if (!left.is_number() || !right.is_number()) return std::nullopt;
  const double* left_real = left.real();
  const double* right_real = right.real();
  if (left_real != nullptr && right_real != nullptr) {
    if (std::isnan(*left_real) || std::isnan(*right_real)) return std::nullopt;
    return *left_real < *right_real ? -1 : static_cast<int>(*left_real > *right_real);
  }
  if (const auto small = compare_small(left, right)) return small;
  if (right_real != nullptr) return compare_exactly(wide(left), *right_real);
  if (left_real != nullptr) {
    const auto order = compare_exactly(wide(right), *left_real);
    if (!order) return std::nullopt;
    return -*order;
  }
  const std::int64_t* left_small = left.integer();
  const std::int64_t* right_small = right.integer();
  if (left_small != nullptr && right_small != nullptr) {
    return *left_small < *right_small ? -1 : static_cast<int>(*left_small > *right_small);
  }
  const int order = wide(left).compare(wide(right));
  return order < 0 ? -1 : static_cast<int>(order > 0);
}

/// As a container compares its elements: NaN is itself.
bool equal_inside(const Value& left, const Value& right) {
  const double* left_real = left.real();
  const double* right_real = right.real();
  if (left_real != nullptr && right_real != nullptr && std::isnan(*left_real)) {
    return std::isnan(*right_real);
  }
  return python_equal(left, right);
}

}  // namespace

Object::Object() = default;
Object::Object(std::initializer_list<Member> members) {
  members_.reserve(members.size());
  for (const Member& member : members) set(member.key, member.value);
}
Object::~Object() = default;
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;

const Value* Object::find(std::string_view key) const {
  for (const Member& member : members_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Value* Object::find(std::string_view key) {
  for (Member& member : members_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

void Object::set(std::string key, Value value) {
  if (Value* present = find(key)) {
    *present = std::move(value);
  } else {
    append(std::move(key), std::move(value));
  }
}

void Object::append(std::string key, Value value) {
  members_.push_back(Member{std::move(key), std::move(value)});
}

void Object::reserve(std::size_t members) { members_.reserve(members); }

Value Value::integer_of(std::string digits) {
  const cpp_int exact(digits);
  if (exact >= std::numeric_limits<std::int64_t>::min() &&
      exact <= std::numeric_limits<std::int64_t>::max()) {
    return {static_cast<std::int64_t>(exact)};
  }
  Value value;
  value.content_ = LargeInteger{std::move(digits)};
  return value;
}

Type Value::type() const {
  switch (content_.index()) {
    case 0:
      return Type::null;
    case 1:
      return Type::boolean;
    case 2:
    case 3:
      return Type::integer;
    case 4:
      return Type::real;
    case 5:
      return Type::string;
    case 6:
      return Type::list;
    default:
      return Type::object;
  }
}

bool Value::is_number() const { return is_integral(*this) || type() == Type::real; }

const Value* Value::find(std::string_view key) const {
  const Object* members = object();
  return members == nullptr ? nullptr : members->find(key);
}

std::string_view type_name(const Value& value) {
  switch (value.type()) {
    case Type::null:
      return "NoneType";
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int";
    case Type::real:
      return "float";
    case Type::string:
      return "str";
    case Type::list:
      return "list";
    case Type::object:
      return "dict";
  }
  UNMASK_CHECK(false);
}

bool python_equal(const Value& left, const Value& right) {
  if (left.is_number() || right.is_number()) return compare_numbers(left, right) == 0;
  if (left.type() != right.type()) return false;
  if (const std::string* text = left.string()) return *text == *right.string();
  if (const List* list = left.list()) {
    const List& other = *right.list();
    if (list->size() != other.size()) return false;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (!equal_inside((*list)[i], other[i])) return false;
    }
    return true;
  }
  if (const Object* object = left.object()) {
    const Object& other = *right.object();
    if (object->size() != other.size()) return false;
    for (const Member& member : *object) {
      const Value* same = other.find(member.key);
      if (same == nullptr || !equal_inside(member.value, *same)) return false;
    }
  }
  return true;
}

bool python_less(const Value& left, const Value& right) {
  const auto order = compare_numbers(left, right);
  return order && *order < 0;
}

bool python_less_equal(const Value& left, const Value& right) {
  const double* left_real = left.real();
  const double* right_real = right.real();
  if (left_real != nullptr && right_real != nullptr) return *left_real <= *right_real;
  const auto order = compare_numbers(left, right);
  return order && *order <= 0;
}

std::optional<double> to_double(const Value& value) {
  if (const double* real = value.real()) return *real;
  if (!is_integral(value)) return std::nullopt;
  if (const std::int64_t* small = value.integer()) return static_cast<double>(*small);
  if (const bool* truth = value.boolean()) return *truth ? 1.0 : 0.0;
  // cpp_int's own conversion to double truncates: keep the 64 leading bits with a sticky one, which
  // the hardware then rounds once. A LargeInteger has 64 bits at least.
  cpp_int exact = wide(value);
  const bool negative = exact < 0;
  if (negative) exact = -exact;
  const std::size_t bits = boost::multiprecision::msb(exact) + 1;
  if (bits > std::numeric_limits<double>::max_exponent) return std::nullopt;
  const std::size_t dropped = bits - 64;
  std::uint64_t leading = static_cast<std::uint64_t>(exact >> dropped);
  if (((exact >> dropped) << dropped) != exact) leading |= 1U;
  const double magnitude = std::ldexp(static_cast<double>(leading), static_cast<int>(dropped));
  if (std::isinf(magnitude)) return std::nullopt;
  return negative ? -magnitude : magnitude;
}

}  // namespace unmask::world
