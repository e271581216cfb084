// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/TraceText.h"

#include "compiler/support/Counted.h"
#include "profiler/analysis/TraceFigures.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kLinesShown = 10;

static std::string row(std::string_view name, double share, uint64_t cycles) {
  return fmt::format("  {:<34} {:>6.1f} % {:>12} cycles\n", name, share * 100, cycles);
}

static std::string kindNames(const std::vector<TraceKind> &kinds) {
  std::string text;
  for (const TraceKind kind : kinds)
    text += (text.empty() ? "" : ", ") + std::string(traceKindName(kind));
  return text;
}

std::string describeTrace(const TraceData &trace) {
  std::string text = "Trace\n  " + counted(static_cast<int64_t>(trace.warps.size()), "warp") +
                     " of " +
                     counted(static_cast<int64_t>(trace.table.programs.size()), "program") + "; " +
                     traceCostText(trace) + "\n";
  if (const uint64_t lost = lostRecords(trace))
    text += "  " + counted(static_cast<int64_t>(lost), "record") +
            " of the beginning were replaced by newer ones\n";
  for (const TraceKindTime &time : traceKindTimes(trace))
    text += row(traceKindTitle(time.kind), time.share, time.cycles);
  if (const auto rest = unscopedShare(trace))
    text += fmt::format("  {:<34} {:>6.1f} %\n", "Between them", *rest * 100);
  const std::vector<TraceLine> lines = traceLines(trace);
  for (size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i)
    text += row(fmt::format("line {} ({})", lines[i].line + 1, kindNames(lines[i].kinds)),
                lines[i].share, lines[i].cycles);
  return text;
}

} // namespace tilescope::profiler
