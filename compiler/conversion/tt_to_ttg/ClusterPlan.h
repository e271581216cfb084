// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How the thread blocks of a cluster divide the tensors of a kernel.
//
// Blocks reach each other's registers only by way of shared memory, so values that meet elementwise
// are divided alike, and each such group takes the division that suits the most particular of its
// users:
//
//     the result of a dot     pieces as large as matrix instructions like them: rows first
//     its factors             the rows of the left one, the columns of the right one; blocks that
//                             differ in the other hold copies
//     what is reduced         along the other dimensions, so that no block needs another's elements
//     what is scanned,
//     picked from by data     not at all along the axis: every block holds all of it
//     everything else         as its neighbors, else along the slowest dimensions
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilescope::ttg {

/// See the top of this file. For a module without layouts.
class ClusterPlan {
public:
  ClusterPlan(mlir::ModuleOp module, int numCtas);

  /// How the blocks divide a tensor.
  CgaLayoutAttr of(mlir::Value value) const;
  /// How they divide what nothing is known of.
  CgaLayoutAttr ofShape(llvm::ArrayRef<int64_t> shape) const;

private:
  void joinValues(mlir::Operation *op);
  void join(mlir::ValueRange values);
  void *leaderOf(mlir::Value value);
  /// Decides for the group of `value` where nothing was decided before; returns whether it did.
  bool decide(mlir::Value value, CgaLayoutAttr cga);
  CgaLayoutAttr decided(mlir::Value value) const;
  void decideByUse(mlir::Operation *op);
  /// `keepsRows`: what is needed of the result later needs whole rows.
  void decideDot(tt::DotOp dot, bool keepsRows);
  /// What is known on one side of an operation that changes the shape is known on the other, too.
  bool propagate(mlir::Operation *op);

  /// Divides the dimensions in `order`, and lets blocks that are left hold copies, or
  /// divide the last of them further.
  CgaLayoutAttr divide(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order,
                       bool dividesRest) const;
  CgaLayoutAttr along(llvm::ArrayRef<int64_t> pieces) const;
  /// Divides all dimensions but one, and that one only where `dividesRest`.
  CgaLayoutAttr besides(llvm::ArrayRef<int64_t> shape, unsigned axis, bool dividesRest) const;

  mlir::MLIRContext *m_context;
  int m_numCtas;
  llvm::EquivalenceClasses<void *> m_groups;
  /// By the leader of a group.
  llvm::DenseMap<void *, CgaLayoutAttr> m_decided;
};

} // namespace tilescope::ttg
