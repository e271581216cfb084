// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/registers/OccupancyText.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>
#include <cstdlib>

namespace tilescope::views {

using profiler::OccupancyCliffs;

static QString tr(const char *text) { return QCoreApplication::translate("OccupancyText", text); }

static QString programs(int32_t count) {
  return count == 1 ? tr("1 program") : tr("%1 programs").arg(count);
}

/// In tenths, rounded to the side on which what is said of it holds.
static QString kib(int64_t bytes, bool isUp) {
  const double tenths = static_cast<double>(bytes) / 102.4;
  return QString::number((isUp ? std::ceil(tenths) : std::floor(tenths)) / 10, 'g', 6);
}

/// What would change with less and with more of one thing.
static QStringList cliffWords(const OccupancyCliffs &cliffs, bool isShared) {
  const auto amount = [&](int64_t value, bool isUp) {
    return isShared     ? tr("%1 KiB of shared memory").arg(kib(value, isUp))
           : value == 1 ? tr("1 register")
                        : tr("%1 registers").arg(value);
  };
  QStringList words;
  if (cliffs.better)
    words << tr("%1 fit at %2")
                 .arg(programs(cliffs.better->blocks), amount(cliffs.better->value, false));
  if (cliffs.worse)
    words << (cliffs.worse->blocks == 0
                  ? tr("none fits from %1 on").arg(amount(cliffs.worse->value, true))
                  : tr("only %1 from %2 on")
                        .arg(programs(cliffs.worse->blocks), amount(cliffs.worse->value, true)));
  return words;
}

QString occupancySentence(const profiler::SmLimits &limits,
                          const profiler::KernelResources &kernel) {
  const profiler::Occupancy now = profiler::occupancy(limits, kernel);
  const QString limiter = QString::fromStdString(now.limiter);
  QString text = now.blocksPerSm == 0
                     ? tr("No program fits on a multiprocessor; the limit: %1.").arg(limiter)
                     : (now.blocksPerSm == 1
                            ? tr("%1 of %2 warps fits on a multiprocessor: %3 of its %4 warps "
                                 "(%5 %); the limit: %6.")
                            : tr("%1 of %2 warps fit on a multiprocessor: %3 of its %4 warps "
                                 "(%5 %); the limit: %6."))
                           .arg(programs(now.blocksPerSm))
                           .arg(kernel.threads / 32)
                           .arg(now.warpsPerSm)
                           .arg(now.maxWarpsPerSm)
                           .arg(qRound(now.fraction * 100))
                           .arg(limiter);
  const QStringList words = cliffWords(profiler::registerCliffs(limits, kernel), false) +
                            cliffWords(profiler::sharedCliffs(limits, kernel), true);
  if (!words.isEmpty())
    text += tr(" Next steps: %1.").arg(words.join(QStringLiteral("; ")));
  return text;
}

int capabilityOf(const std::string &target) {
  return target.starts_with("cuda:") ? std::atoi(target.c_str() + 5) : 0;
}

} // namespace tilescope::views
