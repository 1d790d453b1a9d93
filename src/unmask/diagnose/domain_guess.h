#pragma once

#include <set>
#include <string>

#include "unmask/diagnose/known_domains.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// Finds the known world of a log that names none, by the names of its tools: those that it offers
/// or, where it does not say, those whose calls succeeded or were refused as only a tool that
/// exists refuses them.
class DomainGuess {
 public:
  void see(const ToolInventory& offered);
  void see(const Episode& episode);

  /// The world whose tools clearly are the log's: at least 3 of the names seen and at least 80 % of
  /// them are its own, and 2 are no other world's. Null: none.
  [[nodiscard]] const KnownDomain* domain() const;
  /// Whether more episodes would hardly change it: a world fits, or 8 names were seen of which
  /// fewer than half are any one world's.
  [[nodiscard]] bool settled() const;
  /// How many names `domain()` rests on and how many were seen, for a person: `9 of 10`.
  [[nodiscard]] std::string evidence() const;

 private:
  struct Fit {
    const KnownDomain* domain = nullptr;
    std::size_t own = 0;   ///< names seen that it has
    std::size_t sole = 0;  ///< of these, names that no other world has
  };
  [[nodiscard]] Fit best() const;
  [[nodiscard]] bool clear(const Fit& fit) const;

  std::set<std::string, std::less<>> names_;  ///< of tools that exist
};

}  // namespace unmask
