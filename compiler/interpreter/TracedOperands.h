// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Value.h"

namespace tilescope::compiler::interpreter {

/// The addresses that an operation accesses in global memory, and its mask; null: it has none.
struct TracedOperands {
  mlir::Value pointer, mask;
};
TracedOperands tracedOperands(mlir::Operation *op);

} // namespace tilescope::compiler::interpreter
