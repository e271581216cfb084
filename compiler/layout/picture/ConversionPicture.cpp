// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/ConversionPicture.h"

namespace tilescope::compiler {

CellMap ConversionPicture::membersOf(ConversionSide side) const {
  if (side == ConversionSide::Before || cells == ConversionCells::Elements)
    return layout(side).membersOf(view(side));
  return view(side).places.then(map.sources()).then(before.members.layout);
}

std::vector<Move> ConversionPicture::movesAt(ConversionSide side, int64_t cell,
                                             MoveScope scope) const {
  const PictureView &shown = view(side);
  const Cell at = shown.grid.cell(cell);
  const uint64_t element = shown.elements.at(at);
  if (map.isEmpty() || scope == MoveScope::Element)
    return map.movesOf(element);
  const uint64_t place = shown.places.at(at);
  return side == ConversionSide::Before ? map.outOfLane(place) : map.intoLane(place);
}

std::optional<int64_t> ConversionPicture::cellOf(ConversionSide side, const Move &move) const {
  const PictureView &shown = view(side);
  if (cells == ConversionCells::Elements)
    return shown.numberOf(shown.elements, move.element);
  return shown.numberOf(shown.places, side == ConversionSide::Before ? move.from : move.to);
}

std::vector<MoveRun> ConversionPicture::runsOf(const std::vector<Move> &moves) const {
  const auto cellsOn = [this](ConversionSide side) {
    return [this, side](const Move &move) {
      const std::optional<int64_t> number = cellOf(side, move);
      return number ? std::optional(view(side).grid.cell(*number)) : std::nullopt;
    };
  };
  return moveRuns(moves, cellsOn(ConversionSide::Before), cellsOn(ConversionSide::Behind));
}

ConversionPicture makeConversionPicture(const LayoutFacts &before, const LayoutFacts &behind,
                                        const ConversionPictureOptions &options) {
  ConversionPicture picture;
  picture.map = ConversionMap(before, behind);
  picture.cells = options.cells;
  if (picture.map.isEmpty())
    return picture;
  TensorSlice slice = options.slice;
  if (slice.fixed.size() != before.shape.size())
    slice = defaultSlice(picture.map.before());
  picture.before = makeLayoutPicture(before, slice, options.family);
  picture.behind = makeLayoutPicture(behind, slice, options.family);
  return picture;
}

} // namespace tilescope::compiler
