// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace tilescope::compiler {

/// Which allocations each buffer or view may be: through views, block arguments and selects.
class BufferAliases {
public:
  explicit BufferAliases(mlir::Operation *function);

  /// The `ttg.local_alloc` operations whose memory `value` may be in.
  const llvm::SetVector<mlir::Operation *> &roots(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, llvm::SetVector<mlir::Operation *>> m_roots;
  llvm::SetVector<mlir::Operation *> m_none;
};

} // namespace tilescope::compiler
