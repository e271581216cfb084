// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/LibraryCalls.h"

#include "compiler/interpreter/kernels/FloatFormats.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"

#include <bit>
#include <cstdint>

namespace tilescope::native {

/// A cast to `__bf16` would call the function that this is.
static float truncateToBf16(float value) {
  using namespace compiler::interpreter;
  return std::bit_cast<__bf16>(
      static_cast<uint16_t>(std::bit_cast<uint32_t>(roundTo<kBF16>(value)) >> 16));
}

llvm::Error defineLibraryCalls(llvm::orc::LLJIT &jit) {
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(
      {{jit.mangleAndIntern("__truncsfbf2"),
        {llvm::orc::ExecutorAddr::fromPtr(&truncateToBf16), llvm::JITSymbolFlags::Exported}}}));
}

} // namespace tilescope::native
