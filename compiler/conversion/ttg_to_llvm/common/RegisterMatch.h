// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"
#include "mlir/Support/LLVM.h"

namespace tilescope::compiler {

/// For each register of `result`, the register of `source` with the same element in every thread;
/// `toSource` turns a row-major index of the result into one of the source, linearly. Fails when
/// some element is not in a thread's registers.
llvm::FailureOr<llvm::SmallVector<int>>
matchRegisters(const LinearLayout &source, const LinearLayout &result,
               llvm::function_ref<uint64_t(uint64_t)> toSource);

} // namespace tilescope::compiler
