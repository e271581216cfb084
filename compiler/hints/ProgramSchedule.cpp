// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/ProgramSchedule.h"

#include <queue>

#include <algorithm>
#include <functional>

namespace tilescope::compiler {

double endOf(const std::vector<double> &work, size_t places) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  double last = 0;
  for (const double each : work) {
    double begin = 0;
    if (free.size() == places) {
      begin = free.top();
      free.pop();
    }
    free.push(begin + each);
    last = std::max(last, begin + each);
  }
  return last;
}

} // namespace tilescope::compiler
