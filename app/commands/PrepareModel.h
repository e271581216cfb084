// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/FusionOptions.h"
#include "app/commands/PlanModel.h"

#include <functional>

namespace tilescope::app {

/// What a command that runs a model is told of it.
struct ModelSource {
  std::string file;
  /// `NAME=VALUE`, for symbolic extents.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// As in `ModelCheckOptions`.
  std::string form;
  /// Folder with a file for each input; empty: random numbers.
  std::string inputs;
  /// The GPU that its kernels are for, as `cuda:90`; empty: any device.
  std::string target = {};
};

struct PreparedModel {
  PlannedModel planned;
  /// Of the plan, in its order.
  std::vector<profiler::Tensor> inputs;
};

/// Reads a model, plans its run and makes its inputs; what there is to say of the model goes to standard error.
/// Where the model is at fault, nothing; the error is about all else.
Result<std::optional<PreparedModel>> prepareModel(compiler::WorkerClient &worker,
                                                  const ModelSource &source);

/// Writes to standard error what was found in a model's kernels.
void printFindings(const std::string &file, std::vector<compiler::ModelDiagnostic> findings);

/// On a terminal, says how many kernels are compiled, on a line that is written over again; else empty.
std::function<void(size_t done, size_t total)> tellCompiled();

} // namespace tilescope::app
