// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reads of clocks and stores of what they say, for traces. LLVM may move its own reads of special
// registers away from what they are to time.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"

namespace tilescope::compiler::ptx {

struct ClockRead {
  /// Where the warp records, and its part of the scratch.
  mlir::Value predicate, base;
  /// Words that are there before the clock is read.
  llvm::SmallVector<mlir::Value> awaited;
};
mlir::Value clock(Builder &b, const ClockRead &read);
/// Stores up to four words behind the header where the predicate is true; what is missing is 0.
void stRecord(Builder &b, mlir::Value predicate, mlir::Value address, mlir::ValueRange words);
/// The beginning of a header.
void stTraceStart(Builder &b, mlir::Value base);
/// Its rest.
void stTraceEnd(Builder &b, mlir::Value base, mlir::Value count);

} // namespace tilescope::compiler::ptx
