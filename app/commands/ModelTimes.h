// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// What the kernels of a model will take at least, each with its launch.
struct ModelTimes {
  /// In microseconds, one for each kernel; empty where nothing is known of the target.
  std::vector<double> us;
  /// `H100 SXM`.
  std::string device;
};

/// Where nobody has said on which GPU a model is to run.
inline constexpr const char *kUsualTarget = "cuda:90";

/// A launch and the longer one of two times: that of the bytes at the memory's rate, and that of the operations
/// at the rate of fp32, in which generated kernels compute.
ModelTimes modelTimes(const compiler::ModelResult &model, const std::string &target);

/// What each kernel will take at least on a device, as the driver calls it, without its launch; in microseconds.
/// Empty where nothing is known of it.
std::vector<double> leastTimes(const compiler::ModelResult &model, const std::string &target,
                               const std::string &device);

} // namespace tilescope::app
