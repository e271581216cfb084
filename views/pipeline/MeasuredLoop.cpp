// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/pipeline/MeasuredLoop.h"

#include "profiler/analysis/TraceFigures.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>

namespace tilescope::views {

using compiler::LoopOperation;
using profiler::TraceData;
using profiler::TraceScope;
using profiler::TraceSpan;

static QString tr(const char *source) {
  return QCoreApplication::translate("PipelineView", source);
}

using TimesByScope = std::map<uint32_t, std::vector<uint64_t>>;

static TimesByScope timesOf(const TraceData &trace,
                            std::vector<TraceSpan> profiler::TraceWarp::*which) {
  TimesByScope times;
  for (const profiler::TraceWarp &warp : trace.warps)
    for (const TraceSpan &span : warp.*which)
      times[span.scope].push_back(span.end - span.begin);
  return times;
}

static bool isOf(const TraceScope &scope, const LoopOperation &operation) {
  return scope.operation == operation.operation && scope.line && scope.column &&
         *scope.line == operation.range.begin.line && *scope.column == operation.range.begin.column;
}

/// Of all scopes of an operation; nothing without any.
static std::optional<std::pair<uint64_t, uint64_t>>
medianOf(const TraceData &trace, const LoopOperation &operation, const TimesByScope &times) {
  std::vector<uint64_t> all;
  for (const TraceScope &scope : trace.table.scopes)
    if (const auto found = times.find(scope.id); isOf(scope, operation) && found != times.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  if (all.empty())
    return std::nullopt;
  const auto middle = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return std::pair(*middle, static_cast<uint64_t>(all.size()));
}

std::vector<std::optional<MeasuredOperation>> measuredLoop(const compiler::LoopFacts &loop,
                                                           const TraceData &trace) {
  const TimesByScope executed = timesOf(trace, &profiler::TraceWarp::spans);
  const TimesByScope underWay = timesOf(trace, &profiler::TraceWarp::underWay);
  std::vector<std::optional<MeasuredOperation>> measured;
  for (const LoopOperation &operation : loop.operations) {
    measured.emplace_back();
    const auto cycles = medianOf(trace, operation, executed);
    if (!cycles)
      continue;
    measured.back() = MeasuredOperation{cycles->second, cycles->first};
    if (const auto behind = medianOf(trace, operation, underWay))
      measured.back()->underWay = behind->first;
  }
  return measured;
}

QString measuredWords(const MeasuredOperation &operation, const TraceData &trace) {
  const auto time = [&](uint64_t cycles) {
    return QString::fromStdString(profiler::traceDurationText(trace, cycles));
  };
  const QString count =
      QLocale(QLocale::English).toString(static_cast<qulonglong>(operation.executions));
  if (!operation.underWay)
    return tr("Measured: %1, the median of %2.").arg(time(operation.cycles), count);
  return tr("Measured: %1 until it is on its way, %2 from there until it has been waited for; "
            "medians of %3.")
      .arg(time(operation.cycles), time(*operation.underWay), count);
}

} // namespace tilescope::views
