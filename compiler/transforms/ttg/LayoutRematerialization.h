// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::ttg {

/// Removes conversions whose source is cheaper to compute once more, in the wanted layout:
///
///     %r = make_range : #a                      %r = make_range : #b
///     %p = addptr %b, %r : #a                   %p = addptr %b, %r : #b
///     %q = convert %p : #a -> #b                … = load %p
///     … = load %q
///
/// Values carried by loops get a second loop argument. Where a value cannot be computed again, it
/// is converted instead, if it is smaller than what was converted before. Leaves dead code behind.
void rematerializeLayouts(mlir::FunctionOpInterface function);

} // namespace tilescope::ttg
