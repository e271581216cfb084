// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What one execution of a bulk copy moves, row by row of its block, in units of 16 bytes: of these a
// swizzle makes another order in shared memory.
//
// Worked example (asserted by the unit test "the worked example of a bulk copy"): a tensor of 5 x 24
// elements of 2 bytes, rows 48 bytes apart, of which a block of 4 x 16 is loaded at [2, 16], into a
// buffer whose rows of 32 bytes are swizzled:
//
//                        elements 16–23       24–31
//     row 0   tensor 2   16 bytes inside   past the end     1 sector
//     row 1   tensor 3   16 bytes inside   past the end     1 sector
//     row 2   tensor 4   16 bytes inside   past the end     1 sector
//     row 3   tensor 5   past the end      past the end     nothing is read
//
// So 48 of 128 bytes come from memory, in 3 sectors, and 80 become zeros. A row of the tensor begins
// every 48 bytes, and the block 32 bytes behind: row 0 at byte 128, a sector's first half.
#pragma once

#include "compiler/artifacts/AccessRecord.h"
#include "compiler/layout/picture/PictureGrid.h"

#include <string>

namespace tilescope::compiler::access {

/// What swizzles move.
inline constexpr int64_t kChunkBytes = 16;
/// Of 16 bytes each: all banks of shared memory.
inline constexpr int kBankGroups = 8;

/// Half-open.
struct BulkBytes {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const BulkBytes &) const = default;
};

/// A row of the block: elements that follow each other in memory.
struct BulkRow {
  /// In the tensor, of its first element.
  std::vector<int64_t> index;
  /// Of its first element, whether that is inside or not.
  int64_t address = 0;
  /// Its bytes that are inside of the tensor, from its first one on.
  BulkBytes inside;
  /// Of 32 bytes and of 128: what of memory its inside touches.
  int64_t sectors = 0, lines = 0;
};

/// Sixteen bytes of a row, or what is left at its end.
struct BulkChunk {
  int64_t row = 0;
  /// Of the row, and the part of them that is inside of the tensor.
  BulkBytes bytes, inside;
  /// Where in the buffer they lie, and which four banks that is.
  int64_t sharedByte = 0;
  int bankGroup = 0;
};

struct BulkTotals {
  int64_t boxes = 0;
  /// Of the block, and what of them is inside of the tensor.
  int64_t bytes = 0, insideBytes = 0;
  int64_t sectors = 0, lines = 0;
  bool operator==(const BulkTotals &) const = default;
};

class BulkPicture {
public:
  BulkPicture() = default;
  /// Both have the same number of dimensions, at least one.
  BulkPicture(const BulkShape &shape, const BulkExecution &execution);

  bool isEmpty() const { return m_rows == 0; }
  const BulkShape &shape() const { return m_shape; }
  const BulkExecution &execution() const { return m_execution; }
  int64_t numRows() const { return m_rows; }
  int64_t rowBytes() const { return m_rowBytes; }
  int64_t chunksPerRow() const { return (m_rowBytes + kChunkBytes - 1) / kChunkBytes; }
  BulkRow row(int64_t row) const;
  BulkChunk chunk(int64_t row, int64_t chunk) const;
  /// Where sectors of memory begin within a row, in bytes from its first one.
  std::vector<int64_t> sectorEdges(int64_t row) const;
  /// Of the whole block; nothing inside where the copy is off.
  const BulkTotals &totals() const { return m_totals; }

private:
  int64_t sharedByte(int64_t row, int64_t byte) const;

  BulkShape m_shape;
  BulkExecution m_execution;
  int64_t m_rows = 0, m_rowBytes = 0;
  BulkTotals m_totals;
};

/// The tensor and the block in it, by its last two dimensions; in pixels, within the given room.
struct BulkOverview {
  GridRect tensor, block;
  /// The part of the block that is inside; without an extent where none is.
  GridRect inside;
  /// Edges between boxes, across and down.
  std::vector<double> columns, rows;
};
/// Both sides have the same scale where that leaves them `leastPx`; a block is never smaller.
BulkOverview bulkOverview(const BulkPicture &picture, double width, double height, double leastPx);

/// Where rows and chunks lie; the upper left corner of the first is the origin.
struct BulkGrid {
  int64_t numRows = 0;
  int64_t rowBytes = 1;
  double width = 1, rowHeight = 1;

  double height() const { return static_cast<double>(numRows) * rowHeight; }
  GridRect row(int64_t row) const { return bytes(row, 0, rowBytes); }
  GridRect bytes(int64_t row, int64_t begin, int64_t end) const;
  /// The chunk at a point, counted row by row; -1: there is none.
  int64_t chunkAt(GridPoint point) const;
};

/// The first recorded execution that moves something, else the first one; null: there is none.
const BulkExecution *firstExecution(const RecordedBulkCopy &copy);
/// The copy that is an entry of `MemoryFacts::uncounted`; null: it is none, or not known.
const RecordedBulkCopy *bulkCopyOf(const AccessRecord &record, size_t uncounted);
/// `bulk load of a_ptr`.
std::string bulkTitle(const RecordedBulkCopy &copy, const AccessRecord &record);
/// `a[130, 64]`.
std::string bulkRowName(const BulkRow &row);
/// `2 boxes of 128 × 64 · 24 KiB of 32 KiB inside, 8 KiB outside become zeros · 768 sectors in 192 lines`.
std::string bulkCostText(const BulkPicture &picture);
/// The tensor, the block and the swizzle, as sentences; `name`: of the tensor, or empty.
std::string bulkPlaceText(const BulkPicture &picture, const std::string &name);
/// What is known of a chunk.
std::string bulkChunkText(const BulkPicture &picture, const BulkChunk &chunk,
                          const AccessRecord &record);
/// The argument that the tensor is, as far as it is one; empty: it is not known.
std::string bulkTensorName(const BulkExecution &execution, const AccessRecord &record);

} // namespace tilescope::compiler::access
