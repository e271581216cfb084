// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pointers computed with divisions and remainders, as kernels have them that take a place of an output apart into
// rows and columns, are neighbors nearly everywhere, but at compile time nothing is known of them. So it is looked at
// run time whether the lanes of a tile are a run of neighbors, which takes less time than a gather:
//
//     if all(index == index[0] + [0, 1, 2, …]  or masked off):   one vector load
//     else:                                                      a gather
#pragma once

#include "mlir/IR/Builders.h"

namespace tilescope::cpu {

/// Whether it is worth a look, for a block of pointers of which it is not known.
bool mayBeRun(mlir::Value pointers);

/// Whether each lane is `step` more than the one before it; lanes that are masked off do not count. `mask` may be null.
mlir::Value emitIsRun(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, int64_t step,
                      mlir::Value mask);

} // namespace tilescope::cpu
