// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which operations a trace shows, and as what.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace tilescope::compiler {

/// What an operation is to a trace.
struct OperationKind {
  /// `load`, `copy`, `wait`, `product`, `barrier`, `store`, `exchange`.
  llvm::StringRef name;
  /// The queue of work under way that it adds to or waits for; 0: none.
  int32_t queue = 0;
  /// Pieces of work that it starts.
  int32_t starts = 0;
  /// Of a wait: what may still be under way; nothing: it takes the oldest piece.
  std::optional<int32_t> leaves = std::nullopt;
};

/// All kinds, as options name them.
llvm::ArrayRef<llvm::StringRef> traceKinds();

/// Finds out what kinds one kernel's operations are of.
class OperationKinds {
public:
  /// Nothing for what needs no time of its own.
  std::optional<OperationKind> of(mlir::Operation *op);
  /// A queue that only one operation uses.
  int32_t newQueue() { return ++m_numQueues; }

private:
  int32_t queueOf(mlir::Value barrier);
  int32_t named(int32_t &queue) { return queue ? queue : queue = newQueue(); }

  int32_t m_numQueues = 0;
  int32_t m_copies = 0, m_products = 0, m_stores = 0;
  llvm::DenseMap<mlir::Value, int32_t> m_barriers;
};

/// A consecutive part of a block with one scope.
struct ScopedPart {
  /// The same for one operation. A wait for a value is in front of `first`, and has none itself.
  mlir::Operation *first = nullptr;
  mlir::Operation *last = nullptr;
  /// The operation that the scope is named after, and its kind.
  mlir::Operation *named = nullptr;
  OperationKind kind;
  /// The value that is waited for.
  mlir::Value awaited;
};

/// The parts of a block that take time, in order; they do not overlap.
llvm::SmallVector<ScopedPart> scopedParts(mlir::Block &block, OperationKinds &kinds);

/// No code comes of the operation.
bool isWithoutCode(mlir::Operation *op);

} // namespace tilescope::compiler
