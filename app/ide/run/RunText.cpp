// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunText.h"

#include "app/commands/InterpreterRun.h"
#include "app/ide/run/RunHistory.h"
#include "profiler/analysis/Comparison.h"
#include "views/common/CountedText.h"

#include <algorithm>
#include <map>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::Severity;

static QString text(const std::string &value) { return QString::fromStdString(value); }

QString runSummary(const profiler::Measurement &measurement) {
  QStringList parts;
  const auto number = [](double value, int digits) { return QString::number(value, 'f', digits); };
  const std::optional<profiler::TimeStats> &time = measurement.timeUs;
  if (time && measurement.timeSource == profiler::TimeSource::Interpreter) {
    const QString summary =
        (isNativeRun(measurement) ? RunHistory::tr("%1 in %2 ms as native code")
                                  : RunHistory::tr("%1 in %2 ms on the interpreter"))
            .arg(views::countedText(measurement.grid[0] * measurement.grid[1] * measurement.grid[2],
                                    "program"))
            .arg(number(time->median / 1000, 1));
    if (!measurement.execution || !measurement.execution->isNative)
      return summary;
    return RunHistory::tr("%1 (%2)").arg(summary,
                                         text(profiler::timesText(*measurement.execution)));
  }
  if (time)
    parts << RunHistory::tr("%1 µs (median of %2, %3 to %4)")
                 .arg(number(time->median, 2))
                 .arg(time->n)
                 .arg(number(time->min, 2), number(time->max, 2));
  if (measurement.gbPerS && measurement.peakFraction)
    // A share of the bandwidth, so it stands beside it.
    parts << RunHistory::tr("%1 GB/s, %2 % of the peak")
                 .arg(number(*measurement.gbPerS, 0), number(100 * *measurement.peakFraction, 0));
  else if (measurement.gbPerS)
    parts << RunHistory::tr("%1 GB/s").arg(number(*measurement.gbPerS, 0));
  if (measurement.tflopPerS)
    parts << RunHistory::tr("%1 TFLOP/s").arg(number(*measurement.tflopPerS, 2));
  if (!measurement.device.name.empty())
    parts << text(measurement.device.name);
  return parts.join(QStringLiteral(" · "));
}

QString faultSummary(const std::vector<Diagnostic> &findings, bool hasRun) {
  const auto numErrors = std::ranges::count(findings, Severity::Error, &Diagnostic::severity);
  const QString errors = views::countedText(static_cast<int64_t>(numErrors), "error");
  return hasRun ? RunHistory::tr("The run failed with %1.").arg(errors)
                : RunHistory::tr("Not run: %1.").arg(errors);
}

QString differenceSummary(const profiler::Measurement &measurement) {
  QStringList wrong, unchecked, open;
  // Of those that are right, by what leaves them in doubt.
  std::map<QString, QStringList> right;
  for (const profiler::OutputResult &output : measurement.outputs) {
    if (output.isWrong())
      wrong << QStringLiteral("`%1`").arg(text(output.name));
    else if (output.comparison && output.comparison->isWithExpected && output.comparison->ok())
      right[text(profiler::doubtText(output))] << QStringLiteral("`%1`").arg(text(output.name));
    else if (output.isUnchecked())
      unchecked << QStringLiteral("`%1`").arg(text(output.name));
    else if (output.changed && !output.comparison)
      open << QStringLiteral("`%1`").arg(text(output.name));
  }
  QString summary;
  if (!wrong.isEmpty())
    summary += (wrong.size() == 1 ? RunHistory::tr(", but %1 is not as it should be")
                                  : RunHistory::tr(", but %1 are not as they should be"))
                   .arg(wrong.join(QStringLiteral(", ")));
  for (const auto &[doubt, outputs] : right)
    summary += RunHistory::tr("; as expected%1: %2").arg(doubt, outputs.join(QStringLiteral(", ")));
  if (!unchecked.isEmpty())
    summary +=
        RunHistory::tr("; %1 could not be checked").arg(unchecked.join(QStringLiteral(", ")));
  // Where nothing is expected, nothing is missing.
  if (!open.isEmpty() && !(wrong.isEmpty() && right.empty() && unchecked.isEmpty()))
    summary += RunHistory::tr("; nothing is expected of %1").arg(open.join(QStringLiteral(", ")));
  return summary;
}

QString checkedSummary(const profiler::Measurement &measurement) {
  QStringList wrong;
  // By what leaves them in doubt; none comes first.
  std::map<QString, QStringList> right;
  for (const profiler::OutputResult &output : measurement.outputs) {
    const QString name = QStringLiteral("`%1`").arg(text(output.name));
    if (output.isWrong())
      wrong << name;
    else if (output.comparison && output.comparison->isWithExpected && output.comparison->ok())
      right[text(profiler::doubtText(output))] << name;
  }
  QString summary;
  for (const auto &[doubt, outputs] : right)
    summary += RunHistory::tr(" As expected%1: %2.")
                   .arg(doubt.isEmpty() ? RunHistory::tr(" nevertheless") : doubt,
                        outputs.join(QLatin1String(", ")));
  if (!wrong.isEmpty())
    summary += RunHistory::tr(" Not as expected: %1.").arg(wrong.join(QLatin1String(", ")));
  return summary;
}

} // namespace tilescope::app
