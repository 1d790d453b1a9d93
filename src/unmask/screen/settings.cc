#include "unmask/screen/settings.h"

#include <algorithm>
#include <vector>

namespace unmask::screen {

std::vector<int> headline_budgets(const ScreenSettings& settings, int k_obs) {
  std::vector<int> budgets = settings.budgets;
  std::erase_if(budgets, [k_obs](int k) { return k >= k_obs; });
  std::ranges::sort(budgets);
  const auto repeated = std::ranges::unique(budgets);
  budgets.erase(repeated.begin(), repeated.end());
  budgets.push_back(k_obs);
  return budgets;
}

}  // namespace unmask::screen
