#include "unmask/screen/simple_form.h"

#include "unmask/base/check.h"
#include "unmask/stats/special.h"

namespace unmask::screen {

double simple_success(const EpisodeErrors& episode, double factor, int budget) {
  UNMASK_CHECK(factor >= 1.0);
  if (!episode.success) return 0.0;
  return stats::poisson_cdf(budget - episode.errors - 1, (factor - 1.0) * episode.errors);
}

double simple_success_in_runs(const EpisodeErrors& episode, double factor, int budget,
                              double continuation) {
  UNMASK_CHECK(factor >= 1.0);
  if (!episode.success) return 0.0;
  const double runs = (factor - 1.0) * episode.errors * (1.0 - continuation);
  return stats::polya_aeppli_cdf(budget - episode.errors - 1, runs, continuation);
}

}  // namespace unmask::screen
