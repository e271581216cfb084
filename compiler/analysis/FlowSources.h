// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where values that structured control flow hands on come from.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::compiler {

/// What a result of `scf.if`, `scf.for` or `scf.while` may be: the values that its regions yield, and the first
/// of a loop. Empty for results of other operations.
llvm::SmallVector<mlir::Value> sourcesOf(mlir::OpResult result);

/// What an argument of one of a loop's two regions may be.
llvm::SmallVector<mlir::Value> sourcesOf(mlir::scf::WhileOp loop, mlir::BlockArgument argument);

} // namespace tilescope::compiler
