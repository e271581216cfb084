// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace tilescope::compiler {

/// Which allocations each buffer or view may be: through views, block arguments and selects, and
/// into groups of warps. Passes that make and replace no buffers preserve it.
class BufferAliases {
public:
  using Roots = llvm::SmallSetVector<mlir::Operation *, 2>;

  explicit BufferAliases(mlir::Operation *function);

  /// The operations that allocate the memory in which `value` may be, of either kind.
  const Roots &roots(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, Roots> m_roots;
  Roots m_none;
};

} // namespace tilescope::compiler
