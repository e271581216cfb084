// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"
#include "compiler/service/WorkerClient.h"

namespace tilescope::app {

struct PlannedModel {
  /// Without its text. A kernel for each step of the plan, in its order.
  compiler::ModelResult model;
  ModelPlan plan;
};

/// Reads a model and plans its run. Extents that `request` does not name come from the files in the folder
/// `inputs`, if there is one. Diagnostics are printed; an error with an empty message: they say it all.
Result<PlannedModel> planModel(compiler::WorkerClient &worker, compiler::ModelRequest request,
                               const std::string &inputs);

} // namespace tilescope::app
