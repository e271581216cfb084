// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/LibraryCalls.h"

#include "compiler/interpreter/kernels/FloatFormats.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"

#include <bit>
#include <cstdint>

namespace tilescope::native {

/// The number is in the low half of the register that a `float` is returned in, as for `__bf16`; naming that type would
/// call the function that this is.
static float truncateToBf16(float value) {
  using namespace compiler::interpreter;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(roundTo<kBF16>(value)) >> 16);
}

llvm::Error defineLibraryCalls(llvm::orc::LLJIT &jit) {
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(
      {{jit.mangleAndIntern("__truncsfbf2"),
        {llvm::orc::ExecutorAddr::fromPtr(&truncateToBf16), llvm::JITSymbolFlags::Exported}}}));
}

} // namespace tilescope::native
