// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/PlanModel.h"
#include "app/commands/RunPlace.h"
#include "app/commands/TensorDifference.h"

namespace tilescope::app {

/// A tensor beside the one that it should equal.
struct ComparedTensor {
  /// The nodes of its kernel, or the name of an output.
  std::string name;
  /// Its kernel; empty: an output of the model.
  std::string function;
  profiler::Dtype dtype = profiler::Dtype::Fp32;
  std::vector<int64_t> shape;
  /// The node that computes the other one, or its file's output; empty: nothing has as many elements of its type.
  std::string reference;
  TensorDifference difference;
  /// At `difference.at`.
  double found = 0, wanted = 0;
  /// Above it is not what rounding does: the error in norm.
  double most = 0;

  bool isCompared() const { return !reference.empty(); }
  bool diverges() const { return isCompared() && !difference.isWithin(most); }
};

/// The first kernel that diverges, to be run by itself.
struct DivergingKernel {
  /// Its position in the plan.
  size_t step = 0;
  /// What it read and what it should have written, named after its parameters.
  std::vector<std::pair<std::string, profiler::Tensor>> inputs, wanted;
};

struct ModelComparison {
  /// What kernels wrote, in the order of the plan.
  std::vector<ComparedTensor> results;
  std::vector<ComparedTensor> outputs;
  std::optional<DivergingKernel> first;
  /// What the runs of the form that was tried found.
  std::vector<compiler::ModelDiagnostic> findings;

  bool agrees() const;
};

struct ModelToCompare {
  /// Its path.
  std::string file;
  /// A kernel for each operation as the file has it, and the form that is compared with it.
  const PlannedModel &reference, &tried;
  const std::vector<profiler::Tensor> &inputs;
  /// What outputs should be, from files; where there is nothing, the reference's count.
  std::vector<std::optional<profiler::Tensor>> expected;
  /// The error in norm up to which single-precision numbers agree; narrower types have a larger one of their own.
  double tolerance = 1e-4;
  /// As in `ModelRunHooks`, for the form that is tried: the reference is always interpreted.
  std::string target = {};
  RunPlace place = {};
  double timeLimit = 10;
  std::stop_token stop = {};
  /// How many kernels of both forms have run.
  std::function<void(size_t done, size_t total)> progress = {};
};

/// Runs both in the interpreter with the same inputs, and compares each tensor that a kernel of the second writes
/// with the result of the node that it stands for: one of the kernel's own, or one that the canonical form took
/// into it.
Result<ModelComparison> compareModel(compiler::WorkerClient &worker, const ModelToCompare &models);

} // namespace tilescope::app
