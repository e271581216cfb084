// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The kernels of a model are compiled side by side, each worker process a part of them. Launches of one function
// whose arguments have the same types and the same roles in its code (a multiple of 16, a 1) have equal code. They
// are one group, which one worker takes: it compiles the first and finds the others in its cache.
#pragma once

#include "app/commands/MakePackage.h"
#include "app/commands/ModelPlan.h"

#include <functional>

namespace tilescope::app {

struct StepsToCompile {
  const ModelPlan &plan;
  /// `cuda:90`.
  std::string target;
  /// How many workers; 0: as many as the machine has processors.
  unsigned jobs = 0;
  std::stop_token stop = {};
};

/// The groups of steps that have equal code: positions in the plan, in its order.
std::vector<std::vector<size_t>> equalSteps(const ModelPlan &plan);

/// Compiles the kernel of each step. `done` is told of each as soon as it is there, in any order, from the calling
/// thread; an error that it returns ends the rest. The given worker is one of those that work, the others have its
/// options.
Status compileSteps(compiler::WorkerClient &worker, const StepsToCompile &steps,
                    const std::function<Status(size_t step, CompiledPackage)> &done);

} // namespace tilescope::app
