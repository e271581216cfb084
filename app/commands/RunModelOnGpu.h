// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunModel.h"

namespace tilescope::app {

/// The target of the GPU at a place. The error says why nothing runs there.
Result<std::string> modelTargetAt(const RunPlace &place);

/// The same for any place; empty: the processor.
Result<std::string> gpuTargetAt(const RunPlace &place);

/// Where a model runs: `where` as for `parseRunPlace`, the processor where it is empty. An error also where there
/// is no GPU that could run it, or where `target`, as in `ModelRunHooks`, is not for it.
Result<RunPlace> modelPlace(const std::string &where, const std::string &target);

/// Compiles a model for the GPU at `hooks.place`, and has its runner run it. Where the hooks want to know of
/// steps, they are told of them afterwards, in the plan's order. As `runModel` otherwise.
Result<ModelRun> runModelOnGpu(compiler::WorkerClient &worker, const ModelPlan &plan,
                               const std::string &model,
                               const std::vector<profiler::Tensor> &inputs,
                               const ModelRunHooks &hooks);

} // namespace tilescope::app
