// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/TimeText.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string timeText(double us) {
  if (us < 1e3)
    return fmt::format("{:.1f} us", us);
  return us < 1e6 ? fmt::format("{:.2f} ms", us / 1e3) : fmt::format("{:.2f} s", us / 1e6);
}

} // namespace tilescope::profiler
