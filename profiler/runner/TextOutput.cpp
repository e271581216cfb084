// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/TextOutput.h"

#include "compiler/support/Counted.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/Tensor.h"
#include "profiler/runner/ProfileText.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

static std::string timeLine(const Measurement &measurement) {
  const TimeStats &time = *measurement.timeUs;
  if (measurement.timeSource == TimeSource::Interpreter)
    return fmt::format("time      {:.3f} ms on the {}, not a GPU's time\n", time.median / 1000,
                       measurement.device.name);
  return fmt::format("time      {:.2f} us, median of {} ({:.2f} to {:.2f}), {} L2, {}\n",
                     time.median, time.n, time.min, time.max, measurement.coldL2 ? "cold" : "warm",
                     measurement.timeSource == TimeSource::Cupti ? "CUPTI" : "CUDA events");
}

static std::string overheadLine(const LaunchOverhead &overhead) {
  return fmt::format(
      "launch    {:.2f} us of the call; a lone launch takes {:.2f} us beyond the kernel\n",
      overhead.callUs, overhead.aloneUs);
}

static std::string throughputLines(const Measurement &measurement) {
  std::string text;
  if (measurement.gbPerS) {
    text += fmt::format("memory    {:.1f} GB/s", *measurement.gbPerS);
    if (measurement.peakFraction)
      text += fmt::format(", {:.1f} % of the peak", *measurement.peakFraction * 100);
    if (measurement.copyGbPerS)
      text +=
          fmt::format(", {:.1f} % of a measured copy ({:.0f} GB/s)",
                      *measurement.gbPerS / *measurement.copyGbPerS * 100, *measurement.copyGbPerS);
    text += "\n";
  }
  if (measurement.tflopPerS)
    text += fmt::format("compute   {:.3f} TFLOP/s\n", *measurement.tflopPerS);
  return text;
}

static std::string resourceLine(const Measurement &measurement) {
  // The interpreter runs no machine code.
  if (!measurement.threads)
    return {};
  std::string text = "resources " + counted(*measurement.threads, "thread");
  if (measurement.registers)
    text += ", " + counted(*measurement.registers, "register");
  if (measurement.sharedBytes)
    text += ", " + counted(*measurement.sharedBytes, "byte") + " shared";
  if (measurement.spillBytes)
    text += ", " + counted(*measurement.spillBytes, "byte") + " spilled";
  if (measurement.occupancy)
    text +=
        fmt::format("; {} of {} warps resident, limited by {}", measurement.occupancy->warpsPerSm,
                    measurement.occupancy->maxWarpsPerSm, measurement.occupancy->limiter);
  return text + "\n";
}

/// The sign of a NaN says nothing.
static double withoutSign(double number) { return std::isnan(number) ? std::fabs(number) : number; }

/// "; 3 of 1000 elements are NaN, 1 is infinite"
static std::string nonFiniteText(const OutputResult &output) {
  const auto are = [](int64_t count) { return count == 1 ? "is" : "are"; };
  const int64_t numNan = output.numNan.value_or(0), numInfinite = output.numInfinite.value_or(0);
  if (numNan + numInfinite == 0)
    return {};
  std::string text = fmt::format("; {} of {} ", numNan > 0 ? numNan : numInfinite,
                                 counted(numElements(output.shape), "element"));
  if (numNan > 0)
    text += fmt::format("{} NaN", are(numNan));
  if (numNan > 0 && numInfinite > 0)
    text += fmt::format(", {} ", numInfinite);
  if (numInfinite > 0)
    text += fmt::format("{} infinite", are(numInfinite));
  return text;
}

static std::string outputLine(const OutputResult &output) {
  std::string text = fmt::format("  {}: {}[{}]{}", output.name, output.dtype,
                                 fmt::join(output.shape, ", "), output.changed ? ", changed" : "");
  if (output.neverWritten.value_or(0) > 0)
    text +=
        fmt::format("; {} of {} elements never written, the first at [{}]", *output.neverWritten,
                    numElements(output.shape), fmt::join(output.firstNeverWritten, ", "));
  if (const std::string guess = guessText(output);
      output.neverWritten.value_or(0) > 0 && !guess.empty())
    text += " (" + guess + ")";
  text += nonFiniteText(output);
  if (const auto &comparison = output.comparison) {
    // A fault of an expectation is already a diagnostic at its line.
    if (!comparison->fault.empty())
      text +=
          comparison->isWithExpected ? "; not checked" : "; not comparable: " + comparison->fault;
    else if (comparison->ok())
      text += fmt::format("; matches{} (largest error {:.3g}, {})", doubtText(output),
                          comparison->maxAbsError, toleranceText(*comparison));
    else if (comparison->mismatches == 1)
      text += fmt::format("; 1 MISMATCH, at [{}]: {} instead of {} ({})",
                          fmt::join(comparison->firstMismatch, ", "),
                          withoutSign(comparison->firstActual),
                          withoutSign(comparison->firstExpected), toleranceText(*comparison));
    else
      text +=
          fmt::format("; {} MISMATCHES, the first at [{}]: {} instead of {}, the worst at "
                      "[{}]: {} instead of {} ({})",
                      comparison->mismatches, fmt::join(comparison->firstMismatch, ", "),
                      withoutSign(comparison->firstActual), withoutSign(comparison->firstExpected),
                      fmt::join(comparison->worst, ", "), withoutSign(comparison->worstActual),
                      withoutSign(comparison->worstExpected), toleranceText(*comparison));
  }
  return text + (output.path.empty() ? "" : " -> " + output.path) + "\n";
}

std::string describeMeasurement(const Measurement &measurement) {
  std::string text = fmt::format("{} on {}, grid {}\n", measurement.kernel, measurement.device.name,
                                 fmt::join(measurement.grid, " x "));
  if (measurement.timeUs)
    text += timeLine(measurement) + throughputLines(measurement);
  if (const auto &execution = measurement.execution; execution && execution->isNative)
    text += "before    " + timesText(*execution) + "\n";
  if (measurement.launchOverhead)
    text += overheadLine(*measurement.launchOverhead);
  text += resourceLine(measurement);
  for (const OutputResult &output : measurement.outputs)
    text += outputLine(output);
  text += describeProfile(measurement);
  for (const std::string &note : measurement.notes)
    text += "note: " + note + "\n";
  return text;
}

} // namespace tilescope::profiler
