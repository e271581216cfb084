// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/formats/ncu_report.pb.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The container of Nsight Compute's reports: `NVR`, a zero byte, then messages, each behind its size
/// in four bytes, the lowest first:
///
///     FileHeader, then for each block: BlockHeader, Source…, Launch…, and what is not read here
namespace tilescope::profiler {

struct NcuReportFile {
  /// By their references.
  std::map<uint64_t, ncu::Source> sources;
  /// Those of all blocks so far, one behind the other.
  std::vector<std::string> strings;
  /// Results of ranges, graphs and command lists, which are skipped.
  size_t numOthers = 0;
};

/// Calls `take` for each launch, in the file's order, with what the file holds before it. The error
/// says at which byte.
Status readNcuReportFile(std::string_view bytes, NcuReportFile &file,
                         const std::function<Status(const ncu::Launch &)> &take);

} // namespace tilescope::profiler
