// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace tilescope::native {

/// Has numbers of bf16 go from block to block, and into vectors and out of them, as integers of their bits. LLVM would convert them to
/// fp32 and back, by an instruction that takes denormal numbers for zero where the function may use it. To be run behind
/// the optimizer, which would undo it.
void keepBf16AsBits(llvm::Function &function);

} // namespace tilescope::native
