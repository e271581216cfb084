// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::ttg {

/// Removes conversions that move nothing: of another conversion, of what can be made in any layout,
/// of operations that can produce their result in any layout.
void simplifyConversions(mlir::FunctionOpInterface function);

/// Widens behind conversions through shared memory what is widened in front of them. Once the
/// conversions that remain are known: an operation between two of them keeps them apart.
void widenBehindConversions(mlir::FunctionOpInterface function);

} // namespace tilescope::ttg
