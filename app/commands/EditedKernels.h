// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelPlan.h"

namespace tilescope::app {

/// Takes the kernels of a Python text, as `tilescope model compile` writes it and a user edits it, in place of the
/// plan's own. The launches stay the plan's. The error names `file` and a kernel that the text lacks.
Status useKernels(const std::string &text, const std::string &file, ModelPlan &plan);

} // namespace tilescope::app
