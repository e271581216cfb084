// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilescope::compiler {

/// A copy of TTIR whose products of fp32 as tf32 drop what tensor cores ignore of their factors: the
/// interpreter does so itself, native code does what the operations say. Null: there are none.
mlir::OwningOpRef<mlir::ModuleOp> withTf32Factors(mlir::ModuleOp ttir);

} // namespace tilescope::compiler
