// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/AccessWords.h"

#include "compiler/support/BytesText.h"

#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

/// What memory moves at least.
static constexpr uint64_t kSectorBytes = 32;

std::string movedText(const ReportAccess &access) {
  return access.isShared ? fmt::format("{} wavefronts, at least {}", access.wavefronts,
                                       access.minimumWavefronts)
                         : fmt::format("{} sectors, {}", access.sectors,
                                       bytesText(access.sectors * kSectorBytes));
}

std::string usedText(const ReportAccess &access) {
  return access.efficiency ? fmt::format("{} %", std::lround(*access.efficiency * 100)) : "—";
}

} // namespace tilescope::profiler
