// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"
#include "compiler/artifacts/ModelResult.h"
#include "compiler/service/WorkerClient.h"

#include <functional>
#include <stop_token>

namespace tilescope::app {

struct ModelRun {
  /// Of the plan, in its order.
  std::vector<profiler::Tensor> outputs;
  /// What each step took, in microseconds, without what lies between them.
  std::vector<double> stepUs;
  /// What the runs of steps found: its diagnostics name node and kernel.
  compiler::ModelResult findings;
};

/// How a model runs, and what is told of each step, with its position in the plan: the tensors that it reads,
/// then those that it wrote.
struct ModelRunHooks {
  std::function<void(size_t step, const ModelPlan::Tensor &, const profiler::Tensor &)> read, wrote;
  /// Ends the run, which is then an error.
  std::stop_token stop = {};
  /// `cpu:native`: machine code in place of the interpreter. Empty: the interpreter.
  std::string target = {};
};

/// Runs the steps one after another on the processor. `inputs` are those of the plan, `model` the path of
/// its file. The error names the node.
Result<ModelRun> runModel(compiler::WorkerClient &worker, const ModelPlan &plan,
                          const std::string &model, const std::vector<profiler::Tensor> &inputs,
                          const ModelRunHooks &hooks = {});

} // namespace tilescope::app
