// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What operations of TTGIR do in a loop, and with which buffers.
#pragma once

#include "compiler/artifacts/LoopFacts.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace tilescope::compiler {

/// What an operation does; nothing for those that no picture of a loop shows: addresses, masks,
/// numbers.
std::optional<LoopAction> loopActionOf(mlir::Operation *op);
/// Whether the warps go on before it is over.
bool isUnderWayBehind(mlir::Operation *op);
/// Of waits for groups or products: how many may still be under way; else -1.
int32_t pendingOf(mlir::Operation *op);

/// A part of an allocation.
struct BufferPart {
  /// What allocates it; null: not known.
  mlir::Operation *alloc = nullptr;
  /// The number of the slot; null: it has a single one.
  mlir::Value slot;
};
/// Through views, captures of groups of warps, and what waits hand on.
BufferPart bufferPartOf(mlir::Value buffer);

/// The buffers that an operation reads and writes; barriers are not among them.
struct BufferUses {
  llvm::SmallVector<mlir::Value, 2> reads, writes;
};
BufferUses bufferUsesOf(mlir::Operation *op);
/// The barriers that an operation waits for, or tells of something.
llvm::SmallVector<mlir::Value, 1> barriersOf(mlir::Operation *op);
/// The scalar conditions without which an operation does nothing; masks of single elements are not
/// among them.
llvm::SmallVector<mlir::Value, 2> conditionsOf(mlir::Operation *op);

} // namespace tilescope::compiler
