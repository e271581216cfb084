// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::ttg {

/// Erases what has no effect, including arguments that a loop carries only for themselves.
void eraseDeadCode(mlir::FunctionOpInterface function);

} // namespace tilescope::ttg
