// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/types/TypeText.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Types.h"

#include <string>

namespace tilescope::compiler {

/// A block or a buffer for a reader who knows the kernel only: `fp16[64, 32]`.
template <typename Shaped> std::string blockText(Shaped type) {
  std::string element;
  llvm::raw_string_ostream(element) << mlir::Type(type.getElementType());
  return blockTypeText(element, {type.getShape().begin(), type.getShape().end()});
}

} // namespace tilescope::compiler
