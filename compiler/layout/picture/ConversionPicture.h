// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Both layouts of a conversion side by side, and what moves between them: what a window and a
// report draw.
#pragma once

#include "compiler/layout/picture/ConversionMap.h"
#include "compiler/layout/picture/LayoutPicture.h"
#include "compiler/layout/picture/MoveRuns.h"

namespace tilescope::compiler {

enum class ConversionSide { Before, Behind };

/// What the cells of both pictures are: the registers, lanes and warps, or the tensor's elements.
enum class ConversionCells { Places, Elements };

/// What the ways that are shown have in common.
enum class MoveScope { Element, Lane };

struct ConversionPicture {
  ConversionMap map;
  LayoutPicture before, behind;
  ConversionCells cells = ConversionCells::Places;

  const LayoutPicture &layout(ConversionSide side) const {
    return side == ConversionSide::Before ? before : behind;
  }
  const PictureView &view(ConversionSide side) const {
    const LayoutPicture &picture = layout(side);
    return cells == ConversionCells::Places ? picture.hardware : picture.tensor;
  }
  /// Whose color a cell has. Places behind have that of the place where their element was before,
  /// so that what moves changes its color; elements have those of their owners on either side.
  CellMap membersOf(ConversionSide side) const;
  /// The ways that a cell on one side is about, in the order of registers.
  std::vector<Move> movesAt(ConversionSide side, int64_t cell, MoveScope scope) const;
  /// The cell of a way on either side; nothing where the picture does not show it.
  std::optional<int64_t> cellOf(ConversionSide side, const Move &move) const;
  std::vector<MoveRun> runsOf(const std::vector<Move> &moves) const;
};

/// Two layouts of one tensor. The slice is of a tensor with more than two dimensions; the family is
/// what colors tell apart.
struct ConversionPictureOptions {
  ConversionCells cells = ConversionCells::Places;
  Family family = Family::Warp;
  TensorSlice slice = {};
};
ConversionPicture makeConversionPicture(const LayoutFacts &before, const LayoutFacts &behind,
                                        const ConversionPictureOptions &options);

} // namespace tilescope::compiler
