// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What files ask their surroundings for when they are imported: versions, the device, environment
// variables, limits of PyTorch's types. The answers are those of a machine with the target's GPU,
// with every package that a kernel could ask for, and no environment variable set.
//
//   IS_HIP: tl.constexpr = torch.version.hip is not None
//   HAS_TMA: tl.constexpr = torch.cuda.get_device_capability()[0] >= 9
#pragma once

#include "compiler/frontend/TensorOps.h"
#include "compiler/frontend/Value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Whether the path leads into a package that is asked such questions.
bool isHostPath(std::string_view path);

/// The value of a path that `isHostPath`, e.g. `triton.__version__`; a module for what may lead on.
Value hostMember(std::string_view path, const TargetRules &rules);

/// What a function of the surroundings returns, e.g. `torch.cuda.is_available`; nothing when it is
/// none that is known.
std::optional<Value> callHost(std::string_view path, const std::vector<Value> &arguments,
                              const TargetRules &rules);

/// Whether a function of this name, in whatever library, asks which device there is: `is_hip`.
bool asksForDevice(std::string_view path);

} // namespace tilescope::compiler::frontend
