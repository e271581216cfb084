// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Extents.h"

namespace tilescope::model {

/// The extent of SymPy's text for it: `s0`, `2*s0 + 1`, `Mul(Integer(2), Symbol('s77', integer=True))`,
/// `FloorDiv(s0, 2)`. `symbolOf` says what a name stands for. Null where it cannot be read.
tm::Extent readExtentExpression(mlir::MLIRContext *context, llvm::StringRef text,
                                llvm::function_ref<tm::Extent(llvm::StringRef)> symbolOf);

} // namespace tilescope::model
