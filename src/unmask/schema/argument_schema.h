#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"

namespace unmask {

/// In what way arguments break a schema; DESIGN, channel `arguments`.
enum class ViolationKind {
  missing,     ///< a required property is absent
  unexpected,  ///< a property (or array element) that the schema does not know
  wrong_type,  ///< JSON type differs
  bad_enum,    ///< not one of the listed values
  bad_value,   ///< range, length, pattern or another condition on the value
};

/// `missing`, `unexpected`, `wrong_type`, `bad_enum`, `bad_value`.
[[nodiscard]] std::string_view name_of(ViolationKind kind);

struct Violation {
  ViolationKind kind = ViolationKind::bad_value;
  std::string pointer;  ///< JSON Pointer (RFC 6901) into the arguments; empty = the whole value
  std::string message;  ///< a sentence for a person

  bool operator==(const Violation&) const = default;
};

/// The JSON Schema of a tool's arguments, read once and checked against many calls. The subset that
/// tool definitions use: type (also a list), properties, required, additionalProperties, enum,
/// const, items, prefixItems, anyOf, oneOf, allOf, not, $ref within the schema (also recursive),
/// numeric bounds, multipleOf, lengths, item and property counts, uniqueItems, pattern. Other
/// keywords are ignored. Schemas and arguments may be hostile: past fixed bounds of depth and work
/// a value counts as valid. Immutable: any number of threads may check at once.
class ArgumentSchema {
 public:
  /// At most this many violations are returned for one value.
  static constexpr std::size_t kMaxViolations = 32;

  /// Accepts everything.
  ArgumentSchema();
  ~ArgumentSchema();
  ArgumentSchema(const ArgumentSchema&);
  ArgumentSchema& operator=(const ArgumentSchema&);
  ArgumentSchema(ArgumentSchema&&) noexcept;
  ArgumentSchema& operator=(ArgumentSchema&&) noexcept;

  /// Reads a schema. Errors: bad_input if `json` is no JSON or its root is neither object nor
  /// boolean.
  [[nodiscard]] static Result<ArgumentSchema> parse(std::string_view json);

  /// Violations, outer before inner: missing properties in the order of `required`, then the
  /// properties by name. Empty = valid. `arguments` that are no JSON give one `wrong_type` at the
  /// root.
  [[nodiscard]] std::vector<Violation> check(std::string_view arguments) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace unmask
