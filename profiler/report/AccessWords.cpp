// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/AccessWords.h"

#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

std::string movedText(const ReportAccess &access) {
  return access.isShared ? fmt::format("{} wavefronts, at least {}", access.wavefronts,
                                       access.minimumWavefronts)
                         : fmt::format("{} sectors", access.sectors);
}

std::string usedText(const ReportAccess &access) {
  return access.efficiency ? fmt::format("{} %", std::lround(*access.efficiency * 100)) : "—";
}

} // namespace tilescope::profiler
