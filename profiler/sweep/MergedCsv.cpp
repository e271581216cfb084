// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/SweepReport.h"
#include "profiler/sweep/MergedSweep.h"

namespace tilescope::profiler {

/// Bytes that are written at once.
static constexpr size_t kPiece = size_t(1) << 20;

Status writeMergedCsv(const MergedSweep &merged,
                      const std::function<Status(std::string_view)> &write) {
  std::string piece = sweepCsvHead(merged.sweep());
  Status status;
  merged.forEach([&](size_t index, const MergedPoint &point) {
    piece += sweepCsvLine(merged.sweep(), merged.point(index, point));
    if (piece.size() < kPiece)
      return;
    if (status)
      status = write(piece);
    piece.clear();
  });
  return status ? write(piece) : status;
}

} // namespace tilescope::profiler
