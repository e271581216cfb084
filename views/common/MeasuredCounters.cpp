// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/MeasuredCounters.h"

#include "profiler/data/Metric.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace tilescope::views {

using compiler::AccessCounts;
using compiler::MemoryAction;

static QString tr(const char *text) {
  return QCoreApplication::translate("MeasuredCounters", text);
}

namespace {
/// A counter, and the same in a count.
struct Counter {
  /// In the table of metrics.
  const char *metric;
  const char *unit;
  uint64_t AccessCounts::*counted;
};

/// Accesses that the hardware counts together.
struct CountedKind {
  std::vector<MemoryAction> actions;
  const char *name;
  std::vector<Counter> counters;
  /// Passes of them that were lost to conflicts; null: not measured.
  const char *conflicts = nullptr;
};
} // namespace

static const std::vector<CountedKind> &countedKinds() {
  static const std::vector<CountedKind> kKinds{
      {{MemoryAction::GlobalLoad, MemoryAction::AsyncCopy},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all loads"),
       {{"global_load_sectors", "sectors", &AccessCounts::sectors},
        {"global_load_requests", "requests", &AccessCounts::requests}}},
      {{MemoryAction::GlobalStore},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all stores"),
       {{"global_store_sectors", "sectors", &AccessCounts::sectors},
        {"global_store_requests", "requests", &AccessCounts::requests}}},
      {{MemoryAction::GlobalAtomic},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all atomics"),
       {{"global_atomic_sectors", "sectors", &AccessCounts::sectors}}},
      {{MemoryAction::GlobalReduction},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all reductions in memory"),
       {{"global_reduction_sectors", "sectors", &AccessCounts::sectors}}},
      {{MemoryAction::SharedLoad, MemoryAction::MatrixLoad},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all loads of shared memory"),
       {{"shared_load_wavefronts", "wavefronts", &AccessCounts::wavefronts}},
       "shared_load_conflicts"},
      {{MemoryAction::SharedStore},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all stores to shared memory"),
       {{"shared_store_wavefronts", "wavefronts", &AccessCounts::wavefronts}},
       "shared_store_conflicts"},
      {{MemoryAction::ProductRead},
       QT_TRANSLATE_NOOP("MeasuredCounters", "all reads of products"),
       {{"shared_product_wavefronts", "wavefronts", &AccessCounts::wavefronts}}}};
  return kKinds;
}

static QString number(double value) {
  return QLocale(QLocale::English).toString(qlonglong{std::llround(value)});
}

QString measuredText(const profiler::Measurement &measurement, MemoryAction action,
                     const compiler::MemoryFacts *counted) {
  if (!measurement.counters)
    return {};
  const auto kind = std::ranges::find_if(countedKinds(), [&](const CountedKind &each) {
    return std::ranges::find(each.actions, action) != each.actions.end();
  });
  if (kind == countedKinds().end())
    return {};
  const bool isCounted = counted && !counted->program && counted->programs > 0;
  AccessCounts sums;
  for (const MemoryAction each : isCounted ? kind->actions : std::vector<MemoryAction>())
    sums += counted->total({each});
  QStringList measured;
  bool isAsCounted = isCounted;
  for (const Counter &counter : kind->counters) {
    const auto value = profiler::metricValue(*measurement.counters, counter.metric);
    if (!value)
      continue;
    measured << QStringLiteral("%1 %2").arg(number(*value), tr(counter.unit));
    const auto ours = static_cast<double>(sums.*counter.counted);
    if (!isCounted || ours == *value)
      continue;
    isAsCounted = false;
    measured.back() += tr(" (counted %1)").arg(number(ours));
  }
  if (measured.isEmpty())
    return {};
  QStringList parts{tr("Measured %1").arg(measured.join(QStringLiteral(", ")))};
  if (isAsCounted)
    parts.back() += tr(", as counted");
  const auto conflicts = kind->conflicts
                             ? profiler::metricValue(*measurement.counters, kind->conflicts)
                             : std::nullopt;
  if (conflicts && *conflicts > 0)
    parts << tr("%1 of them by conflicts").arg(number(*conflicts));
  if (isCounted && !isAsCounted && !counted->uncounted.empty())
    parts << tr("some accesses are not counted");
  parts << tr(kind->name) << QString::fromStdString(measurement.device.name);
  return parts.join(QStringLiteral(" · "));
}

} // namespace tilescope::views
