// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"

namespace tilescope::ttg {

/// What another dialect says of a kind of memory that it adds to shared memory.
class MemoryInterface : public mlir::DialectInterface::Base<MemoryInterface> {
public:
  explicit MemoryInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Whether buffers in `memorySpace` may have this encoding.
  virtual bool fits(mlir::Attribute memorySpace, mlir::Attribute encoding) const = 0;
  /// Number of dimensions of the blocks that the encoding fits.
  virtual unsigned rankOf(mlir::Attribute encoding) const = 0;
  /// From places in the memory to a block's dimensions.
  virtual compiler::LinearLayout layoutOf(llvm::ArrayRef<int64_t> shape,
                                          mlir::Attribute encoding) const = 0;

  /// What the attribute's dialect says; null for dialects without memory of their own.
  static const MemoryInterface *of(mlir::Attribute attribute) {
    return attribute.getDialect().getRegisteredInterface<MemoryInterface>();
  }
};

} // namespace tilescope::ttg
