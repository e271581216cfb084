// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::ttg {

/// Removes conversions that move nothing: of another conversion, of what can be made in any layout,
/// of operations that can produce their result in any layout.
void simplifyConversions(mlir::FunctionOpInterface function);

} // namespace tilescope::ttg
