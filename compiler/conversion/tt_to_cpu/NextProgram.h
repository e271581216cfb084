// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A program that goes over its data several times works from the caches after the first time, and memory has nothing to
// do meanwhile. Programs follow each other in order, so the code fetches into the caches what the next one begins with:
//
//     x = tl.load(x_ptr + pid * n + columns)
//     tl.max(x)                                     reads from memory, or what the program before has fetched
//     tl.sum(tl.exp(x - …))                         reads from the caches; fetches x_ptr + (pid + 1) * n + columns
//
// Addresses are those of the same expressions, computed with another program's index. What is fetched may lie outside
// of the arguments: fetching faults nowhere.
#pragma once

#include "compiler/conversion/tt_to_cpu/Plan.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/IRMapping.h"

namespace tilescope::cpu {

/// What the next program loads, as far as it is known while this one is emitted.
class NextProgram {
public:
  /// Foresees the loads whose addresses in another program are known by its index and the arguments, unless all of them
  /// load too much to be fetched ahead.
  void foresee(tt::FuncOp kernel, const Plan &plan);
  bool isForeseen() const { return !m_loads.empty(); }
  /// Whether the loops that are being emitted find in the caches what they load: others have loaded it, or they turn a
  /// patch, which no other loop does.
  bool isFetchedBy(tt::LoadOp load);
  /// Other loops follow.
  void endSink() { ++m_sink; }

  /// Its index.
  mlir::Value ids[3];
  /// What depends on the index.
  mlir::IRMapping scalars;
  /// What is being emitted is for it.
  bool isMeant = false;
  /// A patch's blocks are being loaded.
  bool isTurning = false;

private:
  llvm::DenseSet<mlir::Operation *> m_loads;
  /// By load, the sink that computes it first, and the one that fetches it.
  llvm::DenseMap<mlir::Operation *, int64_t> m_firstSinks, m_fetchingSinks;
  int64_t m_sink = 0;
};

} // namespace tilescope::cpu
