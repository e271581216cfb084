// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A processor waits for memory unless somebody asks early: it looks a few hundred instructions ahead, which are a few
// lines of memory where much is computed of each, and not all recognize that lines are read in order. Programs follow each
// other in order, so the code fetches into the second cache what the next one begins with:
//
//     x = tl.load(x_ptr + pid * n + columns)
//     tl.max(x)                                     reads from memory, or what the program before has fetched
//     tl.sum(tl.exp(x - …))                         reads from the caches; fetches x_ptr + (pid + 1) * n + columns
//
// A program that goes over its data several times does so in the second loop, when memory has nothing to do; one that
// reads it once, in that loop. Addresses are those of the same expressions, computed with another program's index. Where a
// program loads little, memory would answer too late: the distance to the next one is taken several times. What is fetched
// may lie outside of the arguments: fetching faults nowhere.
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
  bool isForeseen() const { return !m_loads.empty() || !m_stores.empty(); }
  /// Whether the loops that are being emitted are to fetch: others have loaded the same before, or no others will.
  bool isFetchedBy(tt::LoadOp load);
  /// Whether it is known where the next program stores.
  bool isKnown(tt::StoreOp store) const { return m_stores.contains(store); }
  /// Other loops follow.
  void endSink() { ++m_sink; }

  /// Its index.
  mlir::Value ids[3];
  /// What depends on the index.
  mlir::IRMapping scalars;
  /// What is being emitted is for it.
  bool isMeant = false;

private:
  /// `m_loadedOnce`: those that the loops of one sink load.
  llvm::DenseSet<mlir::Operation *> m_loads, m_loadedOnce, m_stores;
  /// By load, the sink that computes it first, and the one that fetches it.
  llvm::DenseMap<mlir::Operation *, int64_t> m_firstSinks, m_fetchingSinks;
  int64_t m_sink = 0;
};

/// Asks for the lines into the second cache.
void fetchLines(mlir::OpBuilder &b, mlir::Location loc, mlir::Value pointer, int64_t bytes);

} // namespace tilescope::cpu
