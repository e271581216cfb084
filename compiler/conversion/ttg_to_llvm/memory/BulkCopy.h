// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// Address of a buffer within shared memory, as a number.
mlir::Value sharedAddress(Lowering &lowering, mlir::Value buffer);
/// True in one thread of the group of warps, where `predicate` (of a source value, or null) holds.
mlir::Value firstThreadIf(Lowering &lowering, mlir::Value predicate);

} // namespace tilescope::compiler
