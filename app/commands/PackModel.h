// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"
#include "compiler/artifacts/ModelResult.h"
#include "compiler/service/WorkerClient.h"
#include "profiler/package/ModelPackage.h"

#include <functional>
#include <stop_token>

namespace tilescope::app {

struct ModelToPack {
  const ModelPlan &plan;
  /// The path of its file, which has the weights.
  std::string file;
  /// Of the plan.
  const std::vector<profiler::Tensor> &inputs;
  /// `cuda:90`.
  std::string target;
  /// Keep code for later GPUs beside the machine code.
  bool keepsPtx = false;
  std::stop_token stop = {};
  /// How many kernels are compiled; may be empty.
  std::function<void(size_t done, size_t total)> progress = {};
};

struct PackedModel {
  profiler::ModelPackage package;
  /// What the compiler says of kernels.
  std::vector<compiler::ModelDiagnostic> findings;
};

/// Compiles the kernel of each step, side by side, and lays out the memory: the plan's arena, the inputs, the constants.
/// The error names the node.
Result<PackedModel> packModel(compiler::WorkerClient &worker, const ModelToPack &model);

} // namespace tilescope::app
