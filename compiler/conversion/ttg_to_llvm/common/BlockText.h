// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Types.h"

#include <string>

namespace tilescope::compiler {

/// A block or a buffer for a reader who knows the kernel only: `64x32xf16`.
template <typename Shaped> std::string blockText(Shaped type) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::interleaved(type.getShape(), "x") << "x"
                                 << mlir::Type(type.getElementType());
  return text;
}

} // namespace tilescope::compiler
