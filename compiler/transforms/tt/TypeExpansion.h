// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

#include <functional>

namespace tilescope::tt {

/// Replaces each value of a type that `types` expands by several values, wherever it goes:
/// functions, calls, loops, branches. `patterns` rewrite the operations that make and use such
/// values. Operations for which `isKept` holds, if there is one, stay as they are, with all that they make.
mlir::LogicalResult expandTypes(mlir::ModuleOp module, mlir::TypeConverter &types,
                                mlir::RewritePatternSet patterns,
                                const std::function<bool(mlir::Operation *)> &isKept = {});

} // namespace tilescope::tt
