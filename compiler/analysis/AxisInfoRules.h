// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/AxisInfo.h"

#include "mlir/IR/Operation.h"

namespace tilescope::compiler {

/// The facts about result `result` of `op` that follow from those about its operands, or nothing
/// when no rule knows the operation. Hints attached to the operation are not yet applied.
std::optional<AxisInfo> deriveAxisInfo(mlir::Operation *op,
                                       llvm::ArrayRef<const AxisInfo *> operands);

/// Replaces what the attributes `tt.contiguity`, `tt.divisibility` and `tt.constancy` of
/// `attributes` state.
void applyAxisHints(mlir::DictionaryAttr attributes, AxisInfo &info);

} // namespace tilescope::compiler
