// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/LayoutPicture.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::compiler {

TensorSlice defaultSlice(const LayoutMap &map) {
  const int rank = static_cast<int>(map.shape().size());
  return {std::max(0, rank - 2), std::max(0, rank - 1),
          std::vector<int64_t>(map.shape().size(), 0)};
}

std::optional<int64_t> PictureView::numberOf(const CellMap &map, uint64_t image) const {
  const std::optional<Cell> cell = map.find(image);
  return cell && grid.contains(*cell) ? std::optional(grid.number(*cell)) : std::nullopt;
}

int64_t wrapFor(int64_t numElements) {
  int64_t columns = 1;
  while (columns * columns < 2 * numElements)
    columns *= 2;
  return std::min(columns, numElements);
}

int64_t foldsFor(int64_t rows, int64_t columns) {
  static constexpr int64_t kWidest = 8;
  const auto isPowerOfTwo = [](int64_t size) {
    return size > 0 && std::has_single_bit(static_cast<uint64_t>(size));
  };
  if (!isPowerOfTwo(rows) || !isPowerOfTwo(columns))
    return 1;
  int64_t folds = 1;
  // A wide one becomes at most four times as wide as high, a high one at least as wide.
  if (columns > kWidest * rows)
    while (columns / folds > 4 * rows * folds)
      folds *= 2;
  else if (rows > kWidest * columns)
    while (rows / folds > columns * folds)
      folds *= 2;
  return folds;
}

/// Numbers columns, then rows with the bits of what they stand for.
static LinearLayout cellLayout(const DimList &outs, const LinearLayout::Columns &columns,
                               const LinearLayout::Columns &rows) {
  LinearLayout::Columns images = columns;
  for (uint64_t row : rows)
    images.push_back(row);
  return {{{Dim::Column, static_cast<uint8_t>(columns.size())},
           {Dim::Row, static_cast<uint8_t>(rows.size())}},
          outs,
          images};
}

/// The bits from `first` to `last`, one after the other.
static LinearLayout::Columns bitsBetween(int first, int last) {
  LinearLayout::Columns columns;
  for (int bit = first; bit < last; ++bit)
    columns.push_back(uint64_t(1) << bit);
  return columns;
}

/// The bits of one dimension of `dims`.
static LinearLayout::Columns bitsOf(const DimList &dims, Dim wanted) {
  int shift = 0;
  for (const DimBits &dim : dims) {
    if (dim.dim == wanted)
      return bitsBetween(shift, shift + dim.bits);
    shift += dim.bits;
  }
  return {};
}

/// A matrix of one row or one column is a line, too: as such it would be a hair.
static bool isLine(const std::vector<int64_t> &shape) {
  return shape.size() <= 1 || (shape.size() == 2 && std::ranges::min(shape) == 1);
}

/// Cuts the longer side of a matrix: its higher bits count parts, which lie along the other side.
static void fold(PictureGrid &grid, int64_t folds, LinearLayout::Columns &columns,
                 LinearLayout::Columns &rows) {
  const auto move = [&](LinearLayout::Columns &from, LinearLayout::Columns &to) {
    const size_t numKept = from.size() - log2Exact(folds);
    for (size_t bit = numKept; bit < from.size(); ++bit)
      to.push_back(from[bit]);
    while (from.size() > numKept)
      from.erase(from.size() - 1);
  };
  if (grid.columns > grid.rows) {
    grid.blockRows = grid.rows;
    move(columns, rows);
    grid.columns /= folds;
    grid.rows *= folds;
  } else {
    grid.blockColumns = grid.columns;
    move(rows, columns);
    grid.rows /= folds;
    grid.columns *= folds;
  }
  grid.gap = 1;
}

PictureView tensorView(const LayoutMap &map, const TensorSlice &slice, int64_t wrap,
                       int64_t folds) {
  PictureView view;
  const std::vector<int64_t> &shape = map.shape();
  const DimList &outs = map.elements().outs();
  if (isLine(shape)) {
    view.grid.columns = wrap;
    view.grid.rows = wrap > 0 ? (map.numElements() + wrap - 1) / wrap : 0;
    view.grid.numCells = map.numElements();
    // Of a matrix, only the bits along its longer side.
    const LinearLayout::Columns along = shape.size() <= 1
                                            ? bitsBetween(0, map.elements().totalOutBits())
                                            : bitsOf(outs, tensorDim(shape[0] > 1 ? 0 : 1));
    const auto lastColumn = static_cast<uint64_t>(std::max<int64_t>(wrap - 1, 0));
    LinearLayout::Columns columns, rows;
    for (const uint64_t bit : along)
      (columns.size() < static_cast<size_t>(std::bit_width(lastColumn)) ? columns : rows)
          .push_back(bit);
    view.elements = CellMap(cellLayout(outs, columns, rows));
  } else {
    view.grid.rows = shape[static_cast<size_t>(slice.rowDim)];
    view.grid.columns = shape[static_cast<size_t>(slice.columnDim)];
    view.grid.numCells = view.grid.rows * view.grid.columns;
    std::vector<int64_t> at = slice.fixed;
    at.resize(shape.size(), 0);
    at[static_cast<size_t>(slice.rowDim)] = at[static_cast<size_t>(slice.columnDim)] = 0;
    LinearLayout::Columns columns = bitsOf(outs, tensorDim(slice.columnDim));
    LinearLayout::Columns rows = bitsOf(outs, tensorDim(slice.rowDim));
    if (folds > 1)
      fold(view.grid, folds, columns, rows);
    view.elements = CellMap(cellLayout(outs, columns, rows), map.elementAt(at));
  }
  view.places = view.elements.then(map.owners());
  return view;
}

static void setPlaces(HardwareView &view, const LayoutMap &map,
                      const LinearLayout::Columns &columns, const LinearLayout::Columns &rows) {
  view.grid.columns = int64_t(1) << columns.size();
  view.grid.rows = int64_t(1) << rows.size();
  view.grid.numCells = view.grid.rows * view.grid.columns;
  view.places = CellMap(cellLayout(map.elements().ins(), columns, rows));
  view.elements = view.places.then(map.elements());
}

HardwareView sharedView(const LayoutMap &map, int elementBits) {
  HardwareView view;
  const int numBits = map.elements().totalInBits();
  const int64_t inRow = std::max<int64_t>(1, int64_t(kNumBanks) * 32 / elementBits);
  const int across = std::min(numBits, static_cast<int>(log2Exact(inRow)));
  setPlaces(view, map, bitsBetween(0, across), bitsBetween(across, numBits));
  // Four groups of eight banks: easier to count than 32 in a row.
  view.grid.blockColumns = std::max<int64_t>(1, inRow / 4);
  view.grid.blockRows = view.grid.rows;
  view.grid.gap = 0.5;
  return view;
}

/// How many of the highest bits of a register's number count rows: none in blocks that are at most
/// four times as wide as high; else so many that all blocks, side by side, are at most twice as
/// wide as high, for then lanes are as high as they can be.
static size_t numWrappedBits(int64_t registers, int64_t lanes, size_t warpBits) {
  size_t bits = 0;
  if (registers > 4 * lanes)
    while (registers >> (bits + 1) > 0 && registers << warpBits >> bits > 2 * lanes << bits)
      ++bits;
  return bits;
}

HardwareView hardwareView(const LayoutMap &map) {
  HardwareView view;
  const DimList &ins = map.elements().ins();
  const int64_t registers = map.size(Dim::Register), lanes = map.size(Dim::Lane);
  // A block that is far higher than wide is laid on its side.
  view.areLanesAcross = registers * 4 < lanes;
  const LinearLayout::Columns across = bitsOf(ins, view.areLanesAcross ? Dim::Lane : Dim::Register);
  LinearLayout::Columns warps = bitsOf(ins, Dim::Warp);
  for (uint64_t block : bitsOf(ins, Dim::Block))
    warps.push_back(block);
  const size_t numWrapped = numWrappedBits(registers, lanes, warps.size());
  LinearLayout::Columns columns, rows;
  for (uint64_t bit : across)
    (columns.size() + numWrapped < across.size() ? columns : rows).push_back(bit);
  for (uint64_t bit : bitsOf(ins, view.areLanesAcross ? Dim::Register : Dim::Lane))
    rows.push_back(bit);
  PictureGrid &grid = view.grid;
  grid.groupRows = int64_t(1) << numWrapped;
  grid.blockRows = int64_t(1) << rows.size();
  grid.blockColumns = int64_t(1) << columns.size();
  // As many warps across as make the picture about 1.6 times as wide as high.
  size_t numAcross = 0;
  while (numAcross < warps.size()) {
    const double wide = std::ldexp(static_cast<double>(grid.blockColumns), int(numAcross));
    const double high =
        std::ldexp(static_cast<double>(grid.blockRows), int(warps.size()) - int(numAcross));
    if (wide / high >= 1.1)
      break;
    ++numAcross;
  }
  for (size_t i = 0; i < warps.size(); ++i)
    (i < numAcross ? columns : rows).push_back(warps[i]);
  const auto longest = static_cast<double>(std::max(grid.blockRows, grid.blockColumns));
  grid.gap = std::max(std::clamp(0.05 * longest, 1.0, 3.0), 0.02 * longest);
  grid.hasTitles = true;
  setPlaces(view, map, columns, rows);
  return view;
}

LayoutPicture makeLayoutPicture(const LayoutFacts &facts, const TensorSlice &slice, Family family) {
  LayoutPicture picture;
  picture.facts = facts;
  picture.map = LayoutMap(facts);
  picture.slice = slice;
  if (picture.map.numElements() == 0)
    return picture;
  const int bits = memoryBits(facts);
  picture.members = membersOf(picture.map, facts.shared ? Family::Bank : family, bits);
  if (isLine(facts.shape))
    picture.wrap = std::max<int64_t>(1, wrapFor(picture.map.numElements()));
  else
    picture.folds = foldsFor(facts.shape[static_cast<size_t>(slice.rowDim)],
                             facts.shape[static_cast<size_t>(slice.columnDim)]);
  picture.tensor = tensorView(picture.map, slice, picture.wrap, picture.folds);
  picture.hardware = facts.shared ? sharedView(picture.map, bits) : hardwareView(picture.map);
  return picture;
}

std::string LayoutPicture::ownerLabel(int64_t cell) const {
  return placeLabel(map, tensor.places.at(tensor.grid.cell(cell)), facts.shared);
}

std::string LayoutPicture::elementLabel(int64_t cell) const {
  std::string text;
  for (int64_t at : map.coordinates(hardware.elements.at(hardware.grid.cell(cell))))
    text += (text.empty() ? "" : ",") + std::to_string(at);
  return text;
}

/// The coordinates of the first element of a row or a column.
static std::string corner(int64_t row, int64_t column) {
  return std::to_string(row) + "," + std::to_string(column);
}

std::string LayoutPicture::tensorRowLabel(int64_t row) const {
  const int64_t part = tensor.grid.blockRows;
  return folds > 1 && part > 0 ? corner(row % part, row / part * tensor.grid.columns)
                               : std::to_string(row * wrap);
}

std::string LayoutPicture::tensorColumnLabel(int64_t column) const {
  const int64_t part = tensor.grid.blockColumns;
  return folds > 1 && part > 0 ? corner(column / part * tensor.grid.rows, column % part)
                               : std::to_string(column);
}

std::string LayoutPicture::hardwareRowLabel(int64_t row) const {
  if (facts.shared)
    return std::to_string(row * hardware.grid.columns);
  const PictureGrid &grid = hardware.grid;
  const int64_t rowInBlock = row % grid.blockRows;
  if (hardware.areLanesAcross)
    return memberLabel(Family::Register, static_cast<uint64_t>(rowInBlock));
  // The offset to add to the registers of the columns.
  if (const int64_t part = rowInBlock % grid.groupRows)
    return "+" + std::to_string(part * grid.blockColumns);
  return memberLabel(Family::Lane, static_cast<uint64_t>(rowInBlock / grid.groupRows));
}

std::string LayoutPicture::hardwareColumnLabel(int64_t column) const {
  if (!facts.shared)
    return memberLabel(hardware.areLanesAcross ? Family::Lane : Family::Register,
                       static_cast<uint64_t>(column % hardware.grid.blockColumns));
  // Only where a bank begins.
  const int bits = memoryBits(facts);
  return column * bits % 32 == 0 ? memberLabel(Family::Bank, column * bits / 32) : std::string();
}

} // namespace tilescope::compiler
