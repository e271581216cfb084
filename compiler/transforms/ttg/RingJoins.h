// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::ttg {

/// Lets the right factors of the loop's products that can be one lie behind each other: the slots of their rings, which are
/// among `rings`, take turns.
void joinRings(mlir::scf::ForOp loop, mlir::ValueRange rings);

} // namespace tilescope::ttg
