// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tilescope::ttg {

/// Makes an operation that a pipelined loop runs ahead do nothing unless `predicate` holds: ahead of the last iterations there
/// is nothing left to load. Null: that is not possible.
mlir::Operation *predicated(mlir::RewriterBase &rewriter, mlir::Operation *op,
                            mlir::Value predicate);

} // namespace tilescope::ttg
