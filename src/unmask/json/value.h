#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace unmask::json {

enum class Kind : std::uint8_t {
  missing,  ///< no such member
  null,
  boolean,
  number,
  string,
  array,
  object,
};

/// `a number`, `null` ... for messages.
[[nodiscard]] std::string_view name_of(Kind kind);

class Elements;
class Members;

/// A value of a parsed document: a small handle, valid until its Parser parses again. Readers of
/// another kind's content return nothing, so that an importer asks for what it needs and reports
/// what is absent.
class Value {
 public:
  /// A missing value.
  Value() = default;

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Present, null included.
  [[nodiscard]] bool exists() const { return kind_ != Kind::missing; }
  /// Missing or null: formats treat both alike.
  [[nodiscard]] bool is_null() const { return kind_ == Kind::missing || kind_ == Kind::null; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::object; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::array; }

  [[nodiscard]] std::optional<bool> boolean() const;
  /// UTF-8; lives as long as the document.
  [[nodiscard]] std::optional<std::string_view> string() const;
  /// NaN or infinite where the text says so.
  [[nodiscard]] std::optional<double> number() const;
  /// A number without a fraction (3.0 too) within 64 bits.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// As `integer`, for 0 .. 2^64-1.
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const;
  /// A number written without fraction and exponent.
  [[nodiscard]] bool is_integer_literal() const;
  /// The string, or empty.
  [[nodiscard]] std::string_view text() const { return string().value_or(std::string_view{}); }

  /// The member `key` of an object; missing if there is none or this is no object. If the key
  /// occurs twice the last one counts, and the Parser remembers the key.
  [[nodiscard]] Value operator[](std::string_view key) const;
  /// The members `keys`, each as operator[] gives it, found in one pass: for objects of which much
  /// is read.
  template <std::size_t N>
  [[nodiscard]] std::array<Value, N> pick(const std::array<std::string_view, N>& keys) const {
    std::array<Value, N> found;
    find(keys, found);
    return found;
  }
  /// Members or elements; 0 for other kinds.
  [[nodiscard]] std::size_t size() const;
  /// Empty for other kinds than arrays.
  [[nodiscard]] Elements elements() const;
  /// In the text's order, duplicates included; empty for other kinds than objects.
  [[nodiscard]] Members members() const;

 private:
  friend class Parser;
  friend class Elements;
  friend class Members;
  struct Access;
  friend struct Access;

  void find(std::span<const std::string_view> keys, std::span<Value> found) const;

  std::array<std::uint64_t, 2> handle_{};  ///< the parser library's own handle
  void* notes_ = nullptr;                  ///< the Parser's notes on this document
  Kind kind_ = Kind::missing;
};

struct Member {
  std::string_view key;
  Value value;
};

/// An array's elements, for a range-based loop.
class Elements {
 public:
  class Iterator {
   public:
    [[nodiscard]] Value operator*() const;
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return handle_ == other.handle_; }

   private:
    friend class Elements;
    std::array<std::uint64_t, 2> handle_{};
    void* notes_ = nullptr;
  };

  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }

 private:
  friend class Value;
  explicit Elements(const Value& array);
  Iterator begin_;
  Iterator end_;
};

/// An object's members, for a range-based loop.
class Members {
 public:
  class Iterator {
   public:
    [[nodiscard]] Member operator*() const;
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return handle_ == other.handle_; }

   private:
    friend class Members;
    std::array<std::uint64_t, 2> handle_{};
    void* notes_ = nullptr;
  };

  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }

 private:
  friend class Value;
  explicit Members(const Value& object);
  Iterator begin_;
  Iterator end_;
};

}  // namespace unmask::json
