// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tilescope::ttg {

/// Finds which accesses to memory exchange data: one loads what the other stores, or both meet in
/// an operation. What addresses and masks alone are computed from joins nothing, since it is cheap
/// to compute for each layout; and the factors of a product do not join its result, since each has
/// its own layout there.
class DataFlowGroups {
public:
  explicit DataFlowGroups(mlir::ModuleOp module);

  bool areJoined(mlir::Operation *access, mlir::Operation *other) const;

private:
  void findData(mlir::ModuleOp module);
  void join(mlir::Operation *op);
  void join(mlir::ValueRange values);
  /// A value of the data that the access moves; null where it stores none that was ever loaded.
  mlir::Value dataOf(mlir::Operation *access) const;

  /// Loaded values, and values computed from them.
  llvm::DenseSet<mlir::Value> m_data;
  llvm::EquivalenceClasses<void *> m_groups;
};

} // namespace tilescope::ttg
