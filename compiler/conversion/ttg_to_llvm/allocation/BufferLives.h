// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// When buffers are needed, counted in operations of their function.
#pragma once

#include "compiler/conversion/ttg_to_llvm/allocation/Allocation.h"
#include "compiler/conversion/ttg_to_llvm/allocation/BufferAliases.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "llvm/ADT/MapVector.h"

namespace tilescope::compiler {

/// The order of a function's operations. What groups of warps execute at the same time lies within
/// the operation that splits them: [begin, end) covers its regions.
class Timeline {
public:
  explicit Timeline(mlir::Region &body) { number(body, kEverywhere); }

  struct Moment {
    int64_t begin = 0, end = 0;
    /// The group of warps; see `MemoryRequest::group`.
    int group = kEverywhere;
  };
  const Moment &at(mlir::Operation *op) const { return m_moments.at(op); }
  /// The operation in the region of `root` in which `op` happens.
  static mlir::Operation *within(mlir::Operation *root, mlir::Operation *op) {
    return root->getParentRegion()->findAncestorOpInRegion(*op);
  }
  auto begin() const { return m_moments.begin(); }
  auto end() const { return m_moments.end(); }

private:
  static constexpr int kEverywhere = MemoryRequest::kEverywhere;

  void number(mlir::Region &region, int group);

  llvm::MapVector<mlir::Operation *, Moment> m_moments;
  int64_t m_now = 0;
  int m_numGroups = 0;
};

/// From the first to the last moment at which a buffer is needed.
struct Interval {
  int64_t begin = INT64_MAX;
  int64_t end = 0;
  void include(int64_t from, int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

/// When each allocation, in shared or in tensor memory, is alive. Blocks in which any of its views
/// is live count from where it enters to where it leaves, so loops are covered by their live-in
/// blocks. What goes on behind an operation keeps its buffers until the block waits for it.
llvm::MapVector<mlir::Operation *, Interval> bufferLives(tt::FuncOp function, const Timeline &time,
                                                         const BufferAliases &aliases);

} // namespace tilescope::compiler
