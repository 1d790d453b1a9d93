#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace unmask::margins {

/// Numbers tasks in the order of their first mention.
class TaskNumbers {
 public:
  [[nodiscard]] std::size_t of(std::string_view task_id) {
    const auto found = numbers_.find(task_id);
    if (found != numbers_.end()) return found->second;
    const std::size_t number = numbers_.size();
    numbers_.emplace(task_id, number);
    return number;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

}  // namespace unmask::margins
