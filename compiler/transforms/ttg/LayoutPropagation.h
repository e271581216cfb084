// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::ttg {

/// Spreads the encodings of anchors (loads, dots, …) forward to everything computed from them.
///
///     %x = tt.load … : #coalesced              %x = tt.load … : #coalesced
///     %y = convert %x : #coalesced -> #default %z = exp %x : #coalesced
///     %z = exp %y : #default                   %w = convert %z : #coalesced -> #default
void propagateLayouts(mlir::FunctionOpInterface function);

} // namespace tilescope::ttg
