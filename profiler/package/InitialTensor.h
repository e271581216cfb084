// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::profiler {

/// What a pointer argument holds before the launch: the contents of `folder/<name>.npy` when there
/// is such a file, else what the launch block says. An empty `folder` means none. The error: a file
/// of another type or shape.
Result<Tensor> initialTensor(const PlanArgument &argument, const std::string &folder);

} // namespace tilescope::profiler
