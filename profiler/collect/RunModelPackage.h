// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"
#include "profiler/data/ModelMeasurement.h"
#include "profiler/package/ModelPackage.h"

namespace tilescope::profiler {

struct ModelRunOptions {
  /// Device, `measure` and how long times are taken; the rest is not used.
  RunOptions run;
  /// Keep what each step writes, too: later steps take its place.
  bool results = false;
  /// Called with what begins now, and the step that it is about; may be empty.
  std::function<void(const RunState &state, const std::string &step)> progress;
};

struct NamedTensor {
  /// `outputFileName` or `resultFileName`.
  std::string name;
  Tensor tensor;
};

struct ModelOutcome {
  ModelMeasurement measurement;
  /// The outputs, then what steps wrote where that is kept.
  std::vector<NamedTensor> tensors;
};

/// Runs a model on a device: all its tensors in one piece of memory, the steps one after another for the
/// outputs, then for the time of each, then all as one CUDA graph, whose outputs must be the same.
/// `cupti` as for `runPackage`. The error names the node.
///
/// A failed launch poisons the device context of this process: run nothing after an error.
Result<ModelOutcome> runModelPackage(CudaDriver &driver, Cupti *cupti,
                                     const std::string &cuptiReason, const ModelPackage &package,
                                     const ModelRunOptions &options);

} // namespace tilescope::profiler
