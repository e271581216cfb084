// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the accesses of an operation become, without lowering it.
#pragma once

#include "compiler/access/AccessPlan.h"
#include "compiler/analysis/AxisInfo.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// One kind of instruction.
struct OperationAccess {
  access::AccessPlan plan;
  /// How many times over: a conversion may go through shared memory in parts.
  int64_t repeats = 1;
  /// Of a product, whose instructions read many of the plan's requests each: how many of them there
  /// are; 0: each request is an instruction.
  int64_t numInstructions = 0;
  /// Of accesses to global memory; the argument of the kernel that limits the width is a number,
  /// -1 for none.
  std::optional<WidthLimit> limit = std::nullopt;
  int limitingArgument = -1;
  /// Of the division or remainder that hides which elements are neighbors; null: none does. The
  /// operation itself may be gone when addresses are all that is computed.
  mlir::LocationAttr hidingPlace = {};
};

struct OperationConversion {
  ConversionMoves moves{};
  /// Exchanges between lanes that all warps execute together.
  int64_t shuffles = 0;
  /// In which it goes through shared memory.
  int parts = 1;
  /// What is exchanged: the layouts without registers that hold copies.
  LinearLayout from, to;
};

/// A bulk copy of which a run tells where it finds its block.
struct OperationBulkCopy {
  BulkShape shape;
  /// Otherwise the strides that a run tells count elements.
  bool hasByteStrides = false;
};

struct PlannedAccesses {
  std::vector<OperationAccess> accesses;
  std::optional<OperationConversion> conversion;
  std::optional<OperationBulkCopy> bulkCopy;
  /// Why some accesses are not here; empty: they all are.
  std::string uncounted;
};

/// What one execution of an access to shared memory by a program costs.
AccessCounts countExecution(const OperationAccess &access);

/// Whether an operation touches memory, or moves elements between threads.
bool touchesMemory(mlir::Operation *op);

/// The accesses of an operation in a module whose shared memory is allocated. `axes` is of that
/// module.
PlannedAccesses accessesOf(mlir::Operation *op, const AxisInfoMap &axes);

} // namespace tilescope::compiler
