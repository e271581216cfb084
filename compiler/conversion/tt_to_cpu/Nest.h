// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <utility>
#include <vector>

namespace tilescope::cpu {

/// Where elements of a block lie.
struct Place {
  /// One i64 per dimension; along `laneDim` that of the first lane, a multiple of the lanes.
  llvm::SmallVector<mlir::Value, 4> indices;
  /// The dimension along which the lanes are neighbors. -1: a single element.
  int laneDim = -1;

  bool operator==(const Place &) const = default;
  /// The first lane alone.
  Place firstLane() const { return {indices, -1}; }
};

/// How many lanes, along which dimension.
struct Lanes {
  int dim = -1;
  int64_t count = 1;
};

/// From which index on and up to which one a loop goes, as i64.
struct Part {
  mlir::Value begin, end;
};

/// The loops around one sink, from the outside in, and what was computed in each of them.
///
/// A value whose place depends on outer loops only is computed there, once.
class Nest {
public:
  Nest(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> shape, Lanes lanes, mlir::Value zero);

  const Lanes &lanes() const { return m_lanes; }
  /// The tile that the innermost loop is at.
  const Place &place() const { return m_place; }
  /// Has the innermost loop look at another tile that it covers.
  void setPlace(Place place) { m_place = std::move(place); }

  /// Opens a loop along a dimension, if asked behind its first step; a dimension of a single step
  /// needs none. `rows`: how many places a step covers along another dimension than the lanes'. Returns the carried values inside.
  llvm::SmallVector<mlir::Value> open(mlir::Location loc, unsigned dim,
                                      mlir::ValueRange carried = {}, bool skipFirst = false,
                                      int64_t rows = 1);
  /// Opens a loop along a dimension over a part of it, which begins and ends with tiles.
  llvm::SmallVector<mlir::Value> openPart(mlir::Location loc, unsigned dim, const Part &part,
                                          mlir::ValueRange carried = {});
  /// Closes the innermost loop; returns the carried values behind it.
  llvm::SmallVector<mlir::Value> close(mlir::Location loc, mlir::ValueRange yielded = {});

  /// How many of the loops the indices depend on.
  unsigned depthOf(llvm::ArrayRef<mlir::Value> indices) const;
  /// Lets the builder continue inside the `depth` outer loops, in front of the others.
  void moveTo(unsigned depth) const;
  /// States that an index computed from others changes in the loop of this depth.
  void setDepth(mlir::Value index, unsigned depth) { m_depths[index] = depth; }

  /// What was computed for the block at this place; null if nothing was.
  mlir::Value find(mlir::Value block, const Place &place) const;
  void remember(mlir::Value block, const Place &place, mlir::Value value);
  /// Forgets all of it: what follows is computed otherwise.
  void forget() { m_known.clear(); }
  /// Knows something else for a while; returns what was known.
  using Known = std::map<std::pair<void *, std::vector<void *>>, mlir::Value>;
  Known exchangeKnown(Known known) { return std::exchange(m_known, std::move(known)); }

private:
  using Key = std::pair<void *, std::vector<void *>>;
  static Key keyOf(mlir::Value block, const Place &place);

  struct Level {
    /// Null where a single step needs none.
    mlir::scf::ForOp loop;
    unsigned dim = 0;
  };

  /// That of the last level.
  llvm::SmallVector<mlir::Value> openLoop(mlir::Location loc, const Part &part, mlir::Value step,
                                          mlir::ValueRange carried);

  mlir::OpBuilder &m_builder;
  llvm::SmallVector<int64_t, 4> m_shape;
  Lanes m_lanes;
  mlir::Value m_zero;
  Place m_place;
  llvm::SmallVector<Level, 4> m_levels;
  llvm::DenseMap<mlir::Value, unsigned> m_depths;
  Known m_known;
};

} // namespace tilescope::cpu
