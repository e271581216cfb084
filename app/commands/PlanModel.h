// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"
#include "compiler/service/WorkerClient.h"

namespace tilescope::app {

struct PlannedModel {
  /// Without its text. A kernel for each step of the plan, in its order.
  compiler::ModelResult model;
  /// Empty where the model is not `ok`: its diagnostics say why.
  ModelPlan plan;
};

/// Reads a model and plans its run. Extents that `request` does not name come from the files in the folder
/// `inputs`, if there is one.
Result<PlannedModel> planModel(compiler::WorkerClient &worker, compiler::ModelRequest request,
                               const std::string &inputs = {}, const std::stop_token &stop = {});

} // namespace tilescope::app
