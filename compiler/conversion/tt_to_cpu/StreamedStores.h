// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stores that go past the caches. An ordinary store of a line of memory reads the line first, and what a launch that
// writes more than the caches hold leaves there is gone before anybody reads it. A store of whole lines needs
// neither:
//
//     if address % 64 == 0 and all(mask):   store past the caches
//     else:                                 store with the mask, as ever
//
// Such stores become visible in any order: whoever has executed programs orders them (`orderStreamedStores` of
// native/RunGrid.cpp).
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope::cpu {

/// The bytes that are stored past the caches together; each begins at a multiple of them.
inline constexpr int64_t kStreamedBytes = 64;

/// The stores of a kernel that nothing of it reads or overwrites, as far as is known: none where programs may wait for
/// each other, because they would see what is stored in another order.
llvm::DenseSet<mlir::Operation *> streamedStores(tt::FuncOp kernel);

/// Whether neighbors at this address may be stored past the caches, at run time. `mask` may be null.
mlir::Value emitFillsLines(mlir::OpBuilder &b, mlir::Location loc, mlir::Value pointer,
                           mlir::Value mask);

} // namespace tilescope::cpu
