// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Ways on which one value leads to another through sums, products and masks:
//
//     b = a + a      2 from a
//     c = b + b      4
//     d = c * c      8
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::compiler {

/// Whether there are more ways than kernels have whose indices somebody wrote. What follows each of them would take time
/// without end.
bool hasCountlessPaths(mlir::FunctionOpInterface kernel);

} // namespace tilescope::compiler
