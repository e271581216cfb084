// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Operation.h"

namespace tilescope::compiler {

/// The mask of a load or a store; null: it has none.
mlir::Value maskOf(mlir::Operation *access);

/// Whether a mask compares a value as it is.
bool compares(mlir::Value mask, mlir::Value value);

} // namespace tilescope::compiler
