// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Differences.h"

#include "profiler/analysis/Comparison.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace tilescope::profiler {

double withoutNanSign(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

static std::string worstElement(const OutputComparison &comparison) {
  return fmt::format("[{}]: {:.7g} instead of {:.7g}", fmt::join(comparison.worst, ", "),
                     withoutNanSign(comparison.worstActual),
                     withoutNanSign(comparison.worstExpected));
}

std::string describeDifference(const OutputComparison &comparison) {
  if (!comparison.fault.empty())
    return comparison.fault;
  return fmt::format(
      "{} {}, first [{}]: {:.7g} instead of {:.7g}, worst {}; {}", comparison.mismatches,
      comparison.mismatches == 1 ? "element differs" : "elements differ",
      fmt::join(comparison.firstMismatch, ", "), withoutNanSign(comparison.firstActual),
      withoutNanSign(comparison.firstExpected), worstElement(comparison),
      toleranceText(comparison));
}

std::string expectedVerdict(const ReportOutput &output) {
  if (!output.comparison)
    return "";
  if (output.comparison->ok())
    return fmt::format("agrees{} (largest error {:.3g}; {})", doubtText(*output.comparison),
                       output.comparison->maxAbsError, toleranceText(*output.comparison));
  return describeDifference(*output.comparison);
}

template <typename Outputs>
static std::optional<DoubtedOutput> firstDoubted(const Outputs &outputs) {
  const auto isCompared = [](const auto &output) { return output.comparison.has_value(); };
  const auto found = std::ranges::find_if(outputs, [&](const auto &output) {
    return isCompared(output) && output.comparison->doubt != MatchDoubt::None;
  });
  if (found == outputs.end())
    return std::nullopt;
  const bool isOnly = std::ranges::count_if(outputs, isCompared) == 1;
  return DoubtedOutput{found->comparison->doubt, (isOnly ? "" : "; `" + found->name + "` matches") +
                                                     doubtText(*found->comparison)};
}

std::optional<DoubtedOutput> doubtedOutput(const ReportCpuRun &run) {
  return firstDoubted(run.outputs);
}

std::optional<DoubtedOutput> doubtedOutput(const Measurement &measurement) {
  return firstDoubted(measurement.outputs);
}

namespace {
class Totals {
public:
  void add(const std::string &name, const std::optional<OutputComparison> &comparison) {
    if (!comparison || !comparison->fault.empty())
      return;
    m_totals.mismatches = m_totals.mismatches.value_or(0) + comparison->mismatches;
    if (comparison->mismatches == 0)
      return;
    if (m_totals.outputs.empty() || comparison->maxAbsError > m_largest) {
      m_largest = comparison->maxAbsError;
      m_totals.worst = name + worstElement(*comparison);
    }
    m_totals.outputs += (m_totals.outputs.empty() ? "" : " ") + name;
  }
  DifferenceTotals take() { return std::move(m_totals); }

private:
  DifferenceTotals m_totals;
  double m_largest = 0;
};
} // namespace

DifferenceTotals expectedDifferences(const ReportCpuRun &run) {
  Totals totals;
  for (const ReportOutput &output : run.outputs)
    totals.add(output.name, output.comparison);
  return totals.take();
}

DifferenceTotals totalDifferences(const ReportKernel &kernel) {
  Totals totals;
  if (kernel.cpuRun)
    for (const ReportOutput &output : kernel.cpuRun->outputs)
      totals.add(output.name, output.comparison);
  if (kernel.measurement)
    for (const OutputResult &output : kernel.measurement->outputs)
      totals.add(output.name, output.comparison);
  return totals.take();
}

} // namespace tilescope::profiler
