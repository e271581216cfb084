// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/SweepLog.h"

#include <string>

namespace tilescope::tests {

/// Two sizes, three blocks and two numbers of warps of `kernel`, measured; with the largest block a
/// launch of 8 warps fails.
inline profiler::Sweep sampleSweep(const std::string &file, const std::string &kernel) {
  using profiler::SweepStatus;
  profiler::Sweep sweep;
  sweep.file = file;
  sweep.kernel = kernel;
  sweep.target = "cuda:90";
  sweep.device = "NVIDIA H100";
  sweep.sizes = {"n"};
  sweep.axes = {{{"n"}, {{"4096"}, {"65536"}}},
                {{"BLOCK"}, {{"128"}, {"256"}, {"512"}}},
                {{"num_warps"}, {{"4"}, {"8"}}}};
  sweep.points = profiler::sweepPoints(sweep.axes);
  for (profiler::SweepPoint &point : sweep.points) {
    const double n = std::stod(point.values.at("n")), block = std::stod(point.values.at("BLOCK"));
    const bool isWide = point.values.at("num_warps") == "8";
    point.work = "n = " + point.values.at("n");
    point.registers = static_cast<int64_t>(16 + block / 16) - (isWide ? 4 : 0);
    if (isWide && block > 256) {
      point.status = SweepStatus::Failed;
      point.reason = "out of shared memory";
      continue;
    }
    point.status = SweepStatus::Measured;
    // The middle block is the best.
    point.medianUs = 2 + n / 65536 * (block == 256 ? 8 : 10) + (isWide ? 0.5 : 0);
    point.minUs = *point.medianUs - 0.25;
    point.maxUs = *point.medianUs + 1;
    point.gbPerS = n * 12 / *point.medianUs / 1000;
    point.sharedBytes = 0;
    point.occupancy = 0.5;
  }
  return sweep;
}

/// Its log, as `tilescope sweep` leaves it.
inline std::string sampleSweepLog(const profiler::Sweep &sweep) {
  std::string log = profiler::sweepHeaderLine(sweep, "sample") + profiler::sweepDeviceLine(sweep);
  for (size_t i = 0; i < sweep.points.size(); ++i)
    log += profiler::sweepPointLine(i, sweep.points[i]);
  return log;
}

} // namespace tilescope::tests
