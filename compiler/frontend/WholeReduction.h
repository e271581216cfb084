// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A reduction over all axes of a matrix, where one number for each row was meant:
//
//     tl.store(out + rows, tl.sum(v))          tl.sum(v, axis=1)
//
// or a comparison of each element:
//
//     tl.store(out + i, tl.max(x, 0))          tl.maximum(x, 0)
#pragma once

#include "compiler/frontend/Builtins.h"

namespace tilescope::compiler::frontend {

/// Warns where `tl.store` of such a number, the call, gives it to each element of a block that is as long as one of the
/// sides of the matrix, or as the block itself.
void warnWholeReduction(BuiltinCall &store, const Tensor &pointer, const Tensor &value);

} // namespace tilescope::compiler::frontend
