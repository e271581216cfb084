// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope::ttg {

/// Where a pointer, or a block of them, comes from, through arithmetic, loops and branches: an
/// argument of the function, or a pointer that was itself loaded or computed.
llvm::DenseSet<mlir::Value> originsOf(mlir::Value pointer);

/// Whether other control flow than loops and branches that are followed brought the pointer here.
bool isUnknownOrigin(mlir::Value origin);

} // namespace tilescope::ttg
