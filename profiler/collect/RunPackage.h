// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"
#include "profiler/data/Trace.h"
#include "profiler/data/Unwritten.h"
#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Cupti.h"
#include "profiler/package/KernelPackage.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// What a run does now.
struct RunState {
  /// `prepare`, `launch`, `outputs` (they are fetched, and then used), `measure`: the time limit of a
  /// kernel is that of `launch`.
  std::string state;
  /// Of a part of a profile, which launch of how many; 0: that is not known.
  int step = 0;
  int numSteps = 0;
};

struct RunOptions {
  int device = 0;
  /// Tensors that have a file `<name>.npy` there begin with its contents; may be empty.
  std::string inputFolder;
  /// Off: one launch for the outputs, no times.
  bool measure = true;
  /// Flush the L2 cache before every timed launch.
  bool coldL2 = true;
  /// Stop once the median's confidence interval is this narrow (`TimeStats::spread`).
  double targetSpread = 0.005;
  int minLaunches = 30;
  int maxLaunches = 2000;
  /// Of the timed launches together.
  std::chrono::milliseconds maxMeasureTime{2000};
  /// Before them, so that clocks and caches settle.
  std::chrono::milliseconds warmUpTime{25};
  /// Of the kernel with clock reads, as a fraction of the plain one's time: what costs more is no trace.
  double mostTraceSlowdown = kMostTraceSlowdown;
  /// Called with what begins now; may be empty.
  std::function<void(const RunState &)> progress;
  /// Called between batches of timed launches; may be empty.
  std::function<void()> betweenBatches;
};

/// A tensor argument before and after the first launch.
struct RunTensor {
  std::string name;
  Tensor before;
  Tensor after;
  /// Of one that began empty, what the launch has not written.
  Unwritten unwritten = {};
};

struct RunOutcome {
  Measurement measurement;
  /// In the plan's order.
  std::vector<RunTensor> tensors;
};

/// Runs a package on a device: fresh deterministic data, one launch whose outputs are kept, then
/// launches for time. `cupti` may be null: `cuptiReason` then says why, and times come from events.
///
/// A failed launch poisons the device context of this process: run nothing after an error.
Result<RunOutcome> runPackage(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                              const KernelPackage &package, const RunOptions &options);

} // namespace tilescope::profiler
