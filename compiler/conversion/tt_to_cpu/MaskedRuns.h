// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masked accesses to neighbors in memory, a register at a time.
//
// LLVM 22 splits a masked access that is wider than a register of AVX2, and loads the upper part without a mask where it
// finds that part of the mask to be false. So no access here is wider.
#pragma once

#include "mlir/IR/Builders.h"

namespace tilescope::cpu {

/// `type` from `pointer`, of lanes in which `mask` holds, and `other` in the others. `registerBytes` is the width of the
/// target's vector registers.
mlir::Value loadMaskedRun(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                          mlir::Value pointer, mlir::Value mask, mlir::Value other,
                          unsigned alignment, unsigned registerBytes);

void storeMaskedRun(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Value pointer,
                    mlir::Value mask, unsigned alignment, unsigned registerBytes);

} // namespace tilescope::cpu
