// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// A GPU that takes part in a sweep.
struct SweepGpu {
  RunPlace place;
  /// Empty: not asked for, since there is one GPU.
  std::string model = {};
  std::string uuid = {};
  /// What compiles for it; empty as well.
  std::string target = {};
};

/// The GPUs that the values of `--on` stand for, in their order, each once: a place of `parseRunPlace`,
/// or several of a machine: `cuda:all`, `cuda:0,2`, `ssh://host/all`, `ssh://host/0,1`. A single place
/// is returned without a look at it.
Result<std::vector<SweepGpu>> sweepGpus(const std::vector<std::string> &where,
                                        std::optional<double> timeLimit);

/// The models of several GPUs, each once; none when there is but one model.
std::vector<std::string> modelsOf(const std::vector<SweepGpu> &gpus);

/// Places as messages and logs name them: `cuda:0, cuda:1`.
std::string placesText(const std::vector<SweepGpu> &gpus);

} // namespace tilescope::app
