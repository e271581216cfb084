// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::ttg {

/// A branch in front of `branch` with its regions and one more result, of `type`, which neither
/// region yields yet. `branch` is left without regions, for the caller to replace.
mlir::scf::IfOp withOneMoreResult(mlir::scf::IfOp branch, mlir::Type type);

} // namespace tilescope::ttg
