// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/TensorMemory.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

namespace {

/// Down and right in the block, of what is at a row and a column.
std::pair<int64_t, int64_t> elementAt(const LinearLayout &layout, int64_t row, int64_t column) {
  const Coordinates at = layout.apply({{Dim::Row, row}, {Dim::Column, column}});
  std::pair<int64_t, int64_t> result;
  for (const DimValue &value : at)
    (value.dim == tensorDim(0) ? result.first : result.second) = value.value;
  return result;
}

using Place = std::pair<int64_t, int64_t>;

} // namespace

TEST_CASE("blocks of 128 rows lie as they are, further ones in further columns") {
  const std::vector<int64_t> shape{256, 128};
  const LinearLayout layout = tensorMemoryLayout(shape, {128, 64, 1});
  CHECK(layout.inSize(Dim::Column) == 256);
  CHECK(elementAt(layout, 77, 63) == Place{77, 63});
  CHECK(elementAt(layout, 77, 64) == Place{205, 0});
  CHECK(elementAt(layout, 77, 128) == Place{77, 64});
}

TEST_CASE("blocks of 64 rows take every other strip of 16") {
  const std::vector<int64_t> small{64, 64}, wide{64, 128}, tall{128, 64};
  CHECK(elementAt(tensorMemoryLayout(small, {64, 64, 1}), 32 + 5, 9) == Place{21, 9});
  CHECK(elementAt(tensorMemoryLayout(wide, {64, 64, 1}), 16 + 5, 9) == Place{5, 73});
  CHECK(elementAt(tensorMemoryLayout(tall, {64, 64, 1}), 96 + 16 + 5, 9) == Place{117, 9});
}

TEST_CASE("elements apart from each other leave columns between them") {
  const std::vector<int64_t> shape{128, 32};
  const LinearLayout layout = tensorMemoryLayout(shape, {128, 32, 2});
  CHECK(layout.inSize(Dim::Column) == 64);
  CHECK(elementAt(layout, 3, 10) == Place{3, 5});
}

TEST_CASE("scales are the same in each quarter of the rows") {
  const std::vector<int64_t> shape{128, 8};
  const LinearLayout layout = tensorMemoryScalesLayout(shape);
  CHECK(elementAt(layout, 7, 3) == Place{7, 3});
  CHECK(elementAt(layout, 96 + 7, 3) == Place{7, 3});
  CHECK(elementAt(layout, 7, 4 + 2) == Place{39, 2});
  CHECK(elementAt(layout, 7, 16 + 2) == Place{7, 6});
}

TEST_CASE("further blocks of scales follow down the factor first, or along K") {
  const std::vector<int64_t> shape{256, 8};
  const LinearLayout down = tensorMemoryScalesLayout(shape);
  CHECK(elementAt(down, 7, 16) == Place{128 + 7, 0});
  CHECK(elementAt(down, 7, 32) == Place{7, 4});
  const LinearLayout along = tensorMemoryScalesLayout(shape, /*depthFirst=*/true);
  CHECK(elementAt(along, 7, 16) == Place{7, 4});
  CHECK(elementAt(along, 7, 32) == Place{128 + 7, 0});
}
