// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/BulkPicture.h"

#include "compiler/access/Transactions.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::access {

/// Units of `unit` bytes that a range of memory touches.
static int64_t unitsOf(int64_t begin, int64_t end, int64_t unit) {
  if (begin >= end)
    return 0;
  const auto floor = [unit](int64_t at) { return at >= 0 ? at / unit : (at - unit + 1) / unit; };
  return floor(end - 1) - floor(begin) + 1;
}

BulkPicture::BulkPicture(const BulkShape &shape, const BulkExecution &execution)
    : m_shape(shape), m_execution(execution) {
  m_rowBytes = shape.block.back() * shape.elementBytes;
  m_rows = 1;
  m_totals.boxes = 1;
  for (size_t dim = 0; dim < shape.block.size(); ++dim) {
    if (dim + 1 < shape.block.size())
      m_rows *= shape.block[dim];
    m_totals.boxes *= (shape.block[dim] + shape.box[dim] - 1) / shape.box[dim];
  }
  m_totals.bytes = m_rows * m_rowBytes;
  for (int64_t at = 0; at < m_rows; ++at) {
    const BulkRow each = row(at);
    m_totals.insideBytes += each.inside.size();
    m_totals.sectors += each.sectors;
    m_totals.lines += each.lines;
  }
}

BulkRow BulkPicture::row(int64_t row) const {
  const size_t rank = m_shape.block.size();
  BulkRow result;
  result.index = m_execution.offsets;
  for (size_t dim = rank - 1; dim-- > 0; row /= m_shape.block[dim])
    result.index[dim] += row % m_shape.block[dim];
  result.address = m_execution.address;
  bool isInside = m_execution.isOn;
  for (size_t dim = 0; dim < rank; ++dim) {
    result.address += result.index[dim] * m_execution.strideBytes[dim];
    if (dim + 1 < rank)
      isInside &= result.index[dim] >= 0 && result.index[dim] < m_execution.extents[dim];
  }
  const int64_t first = std::max<int64_t>(0, -result.index.back());
  const int64_t last =
      std::min(m_shape.block.back(), m_execution.extents.back() - result.index.back());
  if (!isInside || first >= last)
    return result;
  result.inside = {first * m_shape.elementBytes, last * m_shape.elementBytes};
  const int64_t from = result.address + result.inside.begin;
  const int64_t to = result.address + result.inside.end;
  result.sectors = unitsOf(from, to, kSectorBytes);
  result.lines = unitsOf(from, to, kLineBytes);
  return result;
}

int64_t BulkPicture::sharedByte(int64_t row, int64_t byte) const {
  // Boxes beside each other lie one after another, each with all rows of the block.
  const int64_t width = m_shape.box.back() * m_shape.elementBytes;
  const int64_t plain = byte / width * width * m_rows + row * width + byte % width;
  if (m_shape.swizzleBytes == 0)
    return plain;
  // The number of the 128-byte line changes which 16 bytes of it are meant.
  const int64_t line = plain / kLineBytes;
  return plain ^ ((line & (m_shape.swizzleBytes / kChunkBytes - 1)) * kChunkBytes);
}

BulkChunk BulkPicture::chunk(int64_t row, int64_t chunk) const {
  BulkChunk result;
  result.row = row;
  result.bytes = {chunk * kChunkBytes, std::min((chunk + 1) * kChunkBytes, m_rowBytes)};
  const BulkBytes inside = this->row(row).inside;
  result.inside.begin = std::max(result.bytes.begin, inside.begin);
  result.inside.end = std::max(result.inside.begin, std::min(result.bytes.end, inside.end));
  result.sharedByte = sharedByte(row, result.bytes.begin);
  result.bankGroup = static_cast<int>(result.sharedByte / kChunkBytes % kBankGroups);
  return result;
}

std::vector<int64_t> BulkPicture::sectorEdges(int64_t row) const {
  const int64_t address = this->row(row).address;
  const int64_t behind = (address % kSectorBytes + kSectorBytes) % kSectorBytes;
  std::vector<int64_t> edges;
  for (int64_t at = kSectorBytes - behind; at < m_rowBytes; at += kSectorBytes)
    edges.push_back(at);
  return edges;
}

namespace {
/// One side of the overview, in elements.
struct Side {
  int64_t extent = 1, offset = 0, block = 1, box = 1;

  int64_t begin() const { return std::min<int64_t>(0, offset); }
  int64_t length() const { return std::max(extent, offset + block) - begin(); }
};

/// From elements to pixels.
struct Scale {
  double pixels = 1;
  int64_t begin = 0;

  double at(int64_t element) const { return static_cast<double>(element - begin) * pixels; }
};
} // namespace

static Side sideOf(const BulkPicture &picture, size_t fromEnd) {
  const BulkShape &shape = picture.shape();
  if (fromEnd >= shape.block.size())
    return {};
  const size_t dim = shape.block.size() - 1 - fromEnd;
  return {picture.execution().extents[dim], picture.execution().offsets[dim], shape.block[dim],
          shape.box[dim]};
}

/// A block is wide enough to be seen.
static void placeBlock(const Side &side, const Scale &scale, double leastPx, double &at,
                       double &size) {
  const double exact = static_cast<double>(side.block) * scale.pixels;
  size = std::max(exact, leastPx);
  at = scale.at(side.offset) - (size - exact) / 2;
}

static void placeInside(const Side &side, double blockAt, double blockSize, double &at,
                        double &size) {
  const int64_t first = std::max<int64_t>(0, -side.offset);
  const int64_t last = std::min(side.block, side.extent - side.offset);
  const double pixels = blockSize / static_cast<double>(side.block);
  at = blockAt + static_cast<double>(first) * pixels;
  size = static_cast<double>(std::max<int64_t>(0, last - first)) * pixels;
}

static std::vector<double> edgesOf(const Side &side, double blockAt, double blockSize) {
  std::vector<double> edges;
  for (int64_t at = side.box; at < side.block; at += side.box)
    edges.push_back(blockAt +
                    blockSize * static_cast<double>(at) / static_cast<double>(side.block));
  return edges;
}

BulkOverview bulkOverview(const BulkPicture &picture, double width, double height, double leastPx) {
  constexpr double kLeastBlockPx = 6;
  const Side across = sideOf(picture, 0), down = sideOf(picture, 1);
  const double most[] = {width / static_cast<double>(across.length()),
                         height / static_cast<double>(down.length())};
  const double both = std::min(most[0], most[1]);
  const auto scaleOf = [&](const Side &side, double mostPixels) {
    const double least = leastPx / static_cast<double>(side.length());
    return Scale{std::min(mostPixels, std::max(both, least)), side.begin()};
  };
  const Scale x = scaleOf(across, most[0]), y = scaleOf(down, most[1]);
  BulkOverview result;
  result.tensor = {x.at(0), y.at(0), static_cast<double>(across.extent) * x.pixels,
                   static_cast<double>(down.extent) * y.pixels};
  placeBlock(across, x, kLeastBlockPx, result.block.x, result.block.width);
  placeBlock(down, y, kLeastBlockPx, result.block.y, result.block.height);
  placeInside(across, result.block.x, result.block.width, result.inside.x, result.inside.width);
  placeInside(down, result.block.y, result.block.height, result.inside.y, result.inside.height);
  if (picture.totals().insideBytes == 0)
    result.inside.width = result.inside.height = 0;
  result.columns = edgesOf(across, result.block.x, result.block.width);
  result.rows = edgesOf(down, result.block.y, result.block.height);
  return result;
}

GridRect BulkGrid::bytes(int64_t row, int64_t begin, int64_t end) const {
  const double each = width / static_cast<double>(rowBytes);
  return {static_cast<double>(begin) * each, static_cast<double>(row) * rowHeight,
          static_cast<double>(end - begin) * each, rowHeight};
}

int64_t BulkGrid::chunkAt(GridPoint point) const {
  if (numRows == 0 || point.x < 0 || point.y < 0 || point.x >= width || point.y >= height())
    return -1;
  const auto row = std::min(numRows - 1, static_cast<int64_t>(point.y / rowHeight));
  const auto byte = static_cast<int64_t>(point.x / width * static_cast<double>(rowBytes));
  return row * ((rowBytes + kChunkBytes - 1) / kChunkBytes) + byte / kChunkBytes;
}

} // namespace tilescope::compiler::access
