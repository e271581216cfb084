// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reads of clocks and stores of what they say, for traces. LLVM may move its own reads of special
// registers away from what they are to time.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

namespace tilescope::compiler::ptx {

struct ClockRecord {
  mlir::Value predicate;
  /// Of the warp's part of the scratch, and the same moved to the record.
  mlir::Value base, address;
  mlir::Value scopes;
  /// Words that are there before the clock is read.
  llvm::SmallVector<mlir::Value> awaited;
};
/// Reads the clock, and stores it with the scopes where the predicate is true.
void stClock(Builder &b, const ClockRecord &record);
/// The beginning of a header.
void stTraceStart(Builder &b, mlir::Value base);
/// Its rest.
void stTraceEnd(Builder &b, mlir::Value base, mlir::Value count);

} // namespace tilescope::compiler::ptx
