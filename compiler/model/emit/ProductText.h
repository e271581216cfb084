// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The text of a product's tile: where its parts are, and how its factors are read along the depth. A turned tile is one of
// the transposed product, so its two parts are rows of the result instead of columns:
//
//     total = tl.dot(a, b, total)               [rows, columns], [rows, rest]
//     total = tl.dot(b, a, total)               [columns, rows], [columns, rest]
#pragma once

#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/ProductTile.h"

#include <string>
#include <vector>

namespace tilescope::model {

/// What a program computes with one block of sums: a tile, or a part of it.
struct TilePart {
  /// The names of its rows and columns, and of how many there are; and where they begin.
  std::string rows, columns, rowBlock, columnBlock, rowBegin, columnBegin;
  /// Of the names that belong to it.
  std::string suffix = {};
  bool isTurned = false;

  std::string total() const { return "total" + suffix; }
  /// What makes rows or columns an axis of the block.
  std::string rowAxis() const { return isTurned ? "[None, :]" : "[:, None]"; }
  std::string columnAxis() const { return isTurned ? "[:, None]" : "[None, :]"; }
  std::string rowIndex() const { return rows + rowAxis(); }
  std::string columnIndex() const { return columns + columnAxis(); }
  std::string mask() const { return "(" + rowIndex() + " < M) & (" + columnIndex() + " < N)"; }
  /// Of the sums.
  std::string shape() const {
    return isTurned ? columnBlock + ", " + rowBlock : rowBlock + ", " + columnBlock;
  }
};

std::vector<TilePart> tileParts(const ProductTile &tile);
/// The lines that say which rows and columns a program has. `isSmall`: tiles go row by row.
std::string tilePlaces(const ProductTile &tile, bool isSmall);
/// The launch: sizes of the tile, options, grid.
void setTile(const ProductTile &tile, int64_t batch, EmittedKernel &kernel);

/// A factor's tile, `[rows, at]` or `[at, columns]`: pointers that move on along the depth, as where they are would cost more
/// at each step than the loads, or a descriptor.
class FactorText {
public:
  struct Options {
    /// Whether the depth is short.
    bool isSmall = false;
    bool isInBulk = false;
  };

  FactorText(const TilePart &part, bool isLeft, bool isTransposed, const Options &options);

  /// What is loaded: `a`, `b`, or of the second part `b_rest`.
  const std::string &variable() const { return m_variable; }
  std::string begin() const;
  /// `isWhole`: the last tile along the depth, too.
  std::string load(bool isWhole) const;
  std::string moveOn() const;

private:
  std::string describe() const;

  Options m_options;
  /// Whether elements along the depth lie beside each other.
  bool m_isDepthFast;
  /// Whether the tile is `[at, columns]` or `[at, rows]`.
  bool m_isAlongFirst;
  /// Whether rows or columns that are not there are read as others, which costs a division at the beginning and nothing
  /// later. Else the mask leaves them out: where the depth is short, or loads would not stay wide.
  bool m_isWrapped;
  std::string m_name, m_variable, m_outer, m_along, m_extent, m_block, m_begin;
};

/// The factors of all parts, each once.
std::vector<FactorText> factorsOf(const Product &product, llvm::ArrayRef<TilePart> parts,
                                  const FactorText::Options &options);

} // namespace tilescope::model
