// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/LineDiff.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

struct ReportKernel;

/// How one form of a kernel on its way to the machine differs from that of another kernel.
struct StageDifference {
  /// `ttir`, `ptx`, …, and the title for readers.
  std::string id;
  std::string title;
  UnifiedDiff diff;

  bool isSame() const { return diff.numAdded == 0 && diff.numRemoved == 0; }
};

/// Other numbers of values, places in the source and addresses of instructions are not differences.
StageDifference stageDifference(std::string id, std::string title, std::string_view before,
                                std::string_view after);

/// Of the source and of each stage of IR and PTX that both kernels have and that differs; in the
/// order of the second one's.
std::vector<StageDifference> stageDifferences(const ReportKernel &before,
                                              const ReportKernel &after);

/// The listing with `+`, `-` or a blank in front of each line, as patches have it; at most `mostLines`
/// of them and then a line that says how many are left out.
std::string patchText(const UnifiedDiff &diff, size_t mostLines);

/// `5 lines added, 3 removed`; `the same`.
std::string differenceCount(const UnifiedDiff &diff);

} // namespace tilescope::profiler
