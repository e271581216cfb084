// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/ModelPlan.h"
#include "app/commands/RunPlace.h"
#include "compiler/artifacts/ModelResult.h"
#include "compiler/service/WorkerClient.h"
#include "profiler/data/ModelMeasurement.h"

#include <functional>
#include <stop_token>

namespace tilescope::app {

struct ModelRun {
  /// Of the plan, in its order.
  std::vector<profiler::Tensor> outputs;
  /// What each step took, in microseconds, without what lies between them; 0: not known.
  std::vector<double> stepUs;
  /// The same of each launch of a step on the processor.
  std::vector<std::vector<double>> stepSamplesUs;
  /// Of a run on a GPU.
  std::optional<profiler::ModelMeasurement> measurement;
  /// What the runs of steps found: its diagnostics name node and kernel.
  compiler::ModelResult findings;
};

/// How a model runs, and what is told of each step, with its position in the plan: the tensors that it reads,
/// then those that it wrote.
struct ModelRunHooks {
  std::function<void(size_t step, const ModelPlan::Tensor &, const profiler::Tensor &)> read, wrote;
  /// Ends the run, which is then an error.
  std::stop_token stop = {};
  /// `cpu:native`: machine code in place of the interpreter. Empty: the interpreter. Of no meaning on a GPU.
  std::string target = {};
  /// With machine code: find accesses outside of the tensors, races and undefined values.
  bool checksBounds = false;
  /// Where it runs.
  RunPlace place = {};
  /// Of machine code of the processor: launch each step so often again, for its time.
  uint32_t repeats = 0;
  /// Of what follows, only on a GPU. Take times.
  bool measure = true;
  /// Seconds that a launch may take.
  double timeLimit = 10;
  /// How many kernels are compiled; may be empty.
  std::function<void(size_t done, size_t total)> compiled = {};
  /// How many steps the processor has run, each compiled just before; may be empty.
  std::function<void(size_t done, size_t total)> ran = {};
};

/// What is compiled for a step: its function, and its launch.
InputFile stepSource(const ModelPlan &plan, const ModelPlan::Step &step);
/// The error, with the step's node and function.
Error stepError(const ModelPlan::Step &step, Error error);
/// The error; where its message is empty, the first one of the diagnostics.
Error firstError(Error error, const std::vector<compiler::Diagnostic> &diagnostics,
                 const std::vector<compiler::SourceFile> &files);

/// Runs the steps one after another, on the processor or a GPU. `inputs` are those of the plan, `model` the path of
/// its file. The error names the node.
Result<ModelRun> runModel(compiler::WorkerClient &worker, const ModelPlan &plan,
                          const std::string &model, const std::vector<profiler::Tensor> &inputs,
                          const ModelRunHooks &hooks = {});

} // namespace tilescope::app
