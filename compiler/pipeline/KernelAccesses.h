// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the accesses of a laid-out kernel cost: what code generation made of each, times what a run
// does with it.
#pragma once

#include "compiler/access/AccessCounter.h"
#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/Stage.h"
#include "compiler/conversion/ttg_to_llvm/memory/PlannedAccesses.h"
#include "compiler/interpreter/AccessTrace.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <vector>

namespace tilescope::compiler {

/// Numbers every operation that touches memory, or moves elements between threads; returns
/// them in that order.
std::vector<mlir::Operation *> numberOperations(mlir::ModuleOp module);
/// The number of an operation that has one.
std::optional<uint32_t> operationNumber(mlir::Operation *op);

/// Extents of the block that an operation accesses in global memory, outermost first; none for a
/// scalar.
std::vector<int64_t> blockShape(mlir::Operation *op);

/// Of an element that such an operation accesses.
int32_t elementBytesOf(mlir::Operation *op);

/// Numbers every operation of TTIR that accesses global memory; returns them in that order.
std::vector<mlir::Operation *> numberAccesses(mlir::ModuleOp module);
/// Accesses of TTIR through descriptors become accesses through pointers. False: not all do.
bool rewriteDescriptors(mlir::ModuleOp module);

/// Counts the executions of numbered operations, and what their accesses to global memory cost, in
/// one thread of a run.
class AccessTally : public AccessObserver {
public:
  explicit AccessTally(const std::vector<PlannedAccesses> &operations);

  void note(const TracedAccess &access) override;

  struct Entry {
    uint64_t executions = 0;
    /// Null: no access to global memory.
    std::unique_ptr<access::AccessCounter> counter;
    /// What its addresses belong to; -1: several, or nothing yet.
    int argument = -1;
    bool isToSeveral = false;
  };
  const std::vector<Entry> &entries() const { return m_entries; }

private:
  std::vector<Entry> m_entries;
};

/// Where the operations of a stage come from; the module was parsed from the stage's text.
class StageSources {
public:
  explicit StageSources(const SourceMap &map) : m_map(map) {}
  /// In the user's file, if it comes from there; an empty range when that is not known.
  SourceRange of(mlir::Operation *op) const;
  SourceRange of(mlir::Location location) const;

private:
  const SourceMap &m_map;
};

/// A kernel whose accesses were counted.
struct CountedKernel {
  std::vector<mlir::Operation *> operations;
  /// What each operation became.
  std::vector<PlannedAccesses> accesses;
  std::vector<std::unique_ptr<AccessTally>> tallies;
  std::vector<std::string> argumentNames;
  /// The passes that made conversions; those of others are not known.
  llvm::DenseMap<mlir::Operation *, std::string> conversionPasses;
};

/// Adds accesses, conversions and what is not counted, in the order of the operations.
void addFacts(const CountedKernel &kernel, const StageSources &sources, MemoryFacts &facts);

} // namespace tilescope::compiler
