// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements that a load without `other` leaves out are whatever a device leaves there. A kernel may compute
// with them, but neither store them nor let them decide anything. Mostly the masks say that it does not:
//
//     %x = tt.load %p, %m          undefined where %m is false
//     %y = arith.addf %x, %x       the same
//     tt.store %q, %y, %m          what is undefined is not stored
//
// Where they do not, it takes a run to know: whether any element is left out at all, and what becomes of it.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope::cpu {

/// The loads whose left-out elements may reach a store, an address, a mask or a condition.
llvm::DenseSet<mlir::Operation *> leakingLoads(tt::FuncOp kernel);

} // namespace tilescope::cpu
