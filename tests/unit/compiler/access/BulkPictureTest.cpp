// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/BulkPicture.h"

#include "compiler/access/Transactions.h"
#include "compiler/layout/Encodings.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

/// The tensor of the header's example.
BulkExecution example() {
  BulkExecution execution;
  execution.extents = {5, 24};
  execution.strideBytes = {48, 2};
  execution.offsets = {2, 16};
  return execution;
}

BulkShape loadOf(std::vector<int64_t> block, std::vector<int64_t> box, int swizzleBytes,
                 int elementBytes = 2) {
  return {false, elementBytes, std::move(block), std::move(box), swizzleBytes};
}

} // namespace

TEST_CASE("the worked example of a bulk copy", "[access]") {
  const BulkPicture picture(loadOf({4, 16}, {4, 16}, 32), example());
  CHECK(picture.numRows() == 4);
  CHECK(picture.chunksPerRow() == 2);
  CHECK(picture.totals() == BulkTotals{1, 128, 48, 3, 3});
  const BulkRow first = picture.row(0);
  CHECK(first.index == std::vector<int64_t>{2, 16});
  CHECK(first.address == 128);
  CHECK(first.inside == BulkBytes{0, 16});
  CHECK(first.sectors == 1);
  CHECK(picture.row(2).sectors == 1);
  CHECK(picture.row(3).inside.size() == 0);
  CHECK(picture.row(3).sectors == 0);
  CHECK(picture.chunk(0, 0).inside == BulkBytes{0, 16});
  CHECK(picture.chunk(0, 1).inside.size() == 0);
  // The second row begins in the middle of a sector.
  CHECK(picture.sectorEdges(0) == std::vector<int64_t>{});
  CHECK(picture.sectorEdges(1) == std::vector<int64_t>{16});
  CHECK(bulkCostText(picture) ==
        "1 box of 4 × 16 · 48 B of 128 B inside, 80 B outside become zeros · 3 sectors in 3 lines");
  CHECK(bulkPlaceText(picture, "a") ==
        "`a` has 5 × 24 elements of 2 bytes, rows 48 B apart. The block of 4 × 16 begins at "
        "[2, 16]. In shared memory its 16-byte chunks are swizzled within 32 bytes.");
}

TEST_CASE("a block may begin before its tensor, and a copy may be off", "[access]") {
  BulkExecution execution = example();
  execution.offsets = {-1, -3};
  const BulkShape shape = loadOf({4, 16}, {4, 16}, 32);
  const BulkPicture picture(shape, execution);
  CHECK(picture.row(0).inside.size() == 0);
  CHECK(picture.row(1).inside == BulkBytes{6, 32});
  CHECK(picture.chunk(1, 0).inside == BulkBytes{6, 16});
  CHECK(picture.chunk(1, 1).inside == BulkBytes{16, 32});
  // Row 0 of the tensor, then bytes 48 to 73 and 96 to 121.
  CHECK(picture.totals() == BulkTotals{1, 128, 78, 1 + 2 + 1, 3});
  execution.isOn = false;
  const BulkPicture off(shape, execution);
  CHECK(off.totals() == BulkTotals{1, 128, 0, 0, 0});
  CHECK(bulkCostText(off) ==
        "1 box of 4 × 16 · off: its condition is false here, and nothing is moved");
}

TEST_CASE("chunks of a bulk copy lie where the layout of the buffer has them", "[access]") {
  struct Case {
    std::vector<int64_t> block, box;
    int swizzleBytes, elementBytes;
  };
  const std::vector<Case> cases{{{32, 64}, {32, 64}, 128, 2},     {{512, 128}, {256, 64}, 128, 2},
                                {{16, 32}, {16, 32}, 64, 2},      {{64, 128}, {64, 32}, 64, 2},
                                {{32, 16}, {32, 16}, 32, 2},      {{64, 64}, {64, 32}, 128, 4},
                                {{128, 256}, {128, 128}, 128, 1}, {{2, 8, 64}, {2, 8, 64}, 128, 2},
                                {{64, 256}, {64, 256}, 0, 2}};
  for (const Case &each : cases) {
    const size_t rank = each.block.size();
    INFO(each.block.front() << " rows, swizzle " << each.swizzleBytes);
    BulkExecution execution;
    execution.extents = each.block;
    execution.offsets.assign(rank, 0);
    execution.strideBytes.assign(rank, each.elementBytes);
    for (size_t dim = rank - 1; dim-- > 0;)
      execution.strideBytes[dim] = execution.strideBytes[dim + 1] * each.block[dim + 1];
    const BulkPicture picture(loadOf(each.block, each.box, each.swizzleBytes, each.elementBytes),
                              execution);
    CHECK(picture.totals().insideBytes == picture.totals().bytes);
    CHECK(picture.totals().sectors * kSectorBytes == picture.totals().bytes);
    const LinearLayout layout = nvmmaSharedLayout(each.block,
                                                  {static_cast<unsigned>(each.swizzleBytes), false,
                                                   static_cast<unsigned>(8 * each.elementBytes)},
                                                  singleBlockCluster(static_cast<int>(rank)))
                                    .canonicalOuts();
    const int64_t perChunk = kChunkBytes / each.elementBytes;
    int64_t wrong = 0;
    for (int64_t offset = 0; offset < picture.totals().bytes / each.elementBytes;
         offset += perChunk) {
      const auto element = static_cast<int64_t>(layout.applyPacked(static_cast<uint64_t>(offset)));
      const int64_t byte = element % each.block.back() * each.elementBytes;
      const BulkChunk chunk = picture.chunk(element / each.block.back(), byte / kChunkBytes);
      wrong += chunk.sharedByte != offset * each.elementBytes;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the overview shows the block in its tensor, and what of it is outside", "[access]") {
  BulkExecution execution = example();
  const BulkShape shape = loadOf({4, 16}, {4, 8}, 0);
  const BulkOverview at = bulkOverview(BulkPicture(shape, execution), 320, 320, 10);
  // 32 columns and 6 rows in all: ten pixels an element.
  CHECK(at.tensor == GridRect{0, 0, 240, 50});
  CHECK(at.block == GridRect{160, 20, 160, 40});
  CHECK(at.inside == GridRect{160, 20, 80, 30});
  CHECK(at.columns == std::vector<double>{240});
  CHECK(at.rows.empty());
  // A hair would not be seen: a single row is as high as was asked for.
  execution.extents = {1, 1 << 20};
  execution.offsets = {0, 0};
  const BulkOverview flat =
      bulkOverview(BulkPicture(loadOf({1, 64}, {1, 64}, 0), execution), 320, 100, 10);
  CHECK(flat.tensor.height == 10);
  CHECK(flat.tensor.width == 320);
  CHECK(flat.block.width == 6);
}

TEST_CASE("a point leads to the chunk that is drawn there", "[access]") {
  const BulkGrid grid{4, 40, 80, 10};
  CHECK(grid.bytes(2, 16, 32) == GridRect{32, 20, 32, 10});
  CHECK(grid.chunkAt({33, 25}) == 2 * 3 + 1);
  CHECK(grid.chunkAt({79, 39}) == 3 * 3 + 2);
  CHECK(grid.chunkAt({80, 5}) == -1);
  CHECK(grid.chunkAt({5, 40}) == -1);
}
