// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

namespace tilescope::compiler {

/// Reads all registers by `ldmatrix`, which hands each lane the words of a matrix instruction's
/// fragment. Empty when the layouts do not suit it.
/// Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix".
Values loadMatrices(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                    mlir::Type element);

} // namespace tilescope::compiler
