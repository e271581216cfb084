// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnreadRegion.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace tilescope::compiler;

/// What is said of `x`, of which the elements are read that `isRead` takes.
static std::string told(const std::vector<int64_t> &shape,
                        const std::function<bool(const std::vector<int64_t> &)> &isRead,
                        const std::set<int64_t> &bounds = {}) {
  int64_t size = 1;
  for (const int64_t extent : shape)
    size *= extent;
  ElementMarks marks(size);
  for (int64_t element = 0; element < size; ++element) {
    std::vector<int64_t> index(shape.size());
    for (size_t axis = shape.size(), rest = static_cast<size_t>(element); axis-- > 0;) {
      index[axis] = static_cast<int64_t>(rest) % shape[axis];
      rest /= static_cast<size_t>(shape[axis]);
    }
    if (isRead(index))
      marks.mark(element, element + 1);
  }
  const auto region = unreadRegion(marks, shape, std::vector(shape.size(), bounds));
  return region ? regionText(*region, "x", shape) : std::string();
}

TEST_CASE("marks are those of elements, whatever words they lie in", "[compiler]") {
  ElementMarks marks(200);
  marks.mark(3, 3);
  CHECK(marks.count() == 0);
  marks.mark(60, 140);
  marks.mark(-5, 2);
  marks.mark(199, 300);
  CHECK(marks.count() == 83);
  for (const int64_t element : {0, 1, 60, 127, 128, 139, 199})
    CHECK(marks.has(element));
  for (const int64_t element : {2, 59, 140, 198})
    CHECK_FALSE(marks.has(element));
  marks.mark(0, 200);
  CHECK(marks.count() == 200);
}

TEST_CASE("what ends too early is told with its place", "[compiler]") {
  using Index = std::vector<int64_t>;
  CHECK(told({80}, [](const Index &i) { return i[0] < 64; }) ==
        "`x[64:80]`, the last 16 of its 80 elements");
  CHECK(told({80}, [](const Index &i) { return i[0] >= 8; }) ==
        "`x[0:8]`, the first 8 of its 80 elements");
  CHECK(told({80}, [](const Index &i) { return i[0] < 8 || i[0] >= 16; }) ==
        "`x[8:16]`, 8 of its 80 elements");
  CHECK(told({32, 80}, [](const Index &i) { return i[1] < 64; }) ==
        "`x[:, 64:80]`, the last 16 of its 80 columns: 512 of 2560 elements");
  CHECK(told({32, 80}, [](const Index &i) { return i[0] < 16; }) ==
        "`x[16:32, :]`, the last 16 of its 32 rows: 1280 of 2560 elements");
  CHECK(told({32, 80}, [](const Index &i) { return i[0] < 16 && i[1] < 64; }) ==
        "`x[16:32, :]`, the last 16 of its 32 rows, nor `x[:, 64:80]`, the last 16 of its 80 "
        "columns: 1536 of 2560 elements");
  CHECK(told({2, 4, 8}, [](const Index &i) { return i[2] < 6; }) ==
        "`x[:, :, 6:8]`, the last 2 of its 8 places along axis 2: 16 of 64 elements");
  // A loop that leaves out every other block.
  CHECK(told({4, 24}, [](const Index &i) { return i[1] / 4 % 2 == 0; }) ==
        "`x[:, 4:8]` and 2 more ranges like it, 12 of its 24 columns: 48 of 96 elements");
  // One row is begun and not ended.
  CHECK(told({4, 8}, [](const Index &i) { return i[0] * 8 + i[1] < 20; }) ==
        "`x` from `x[2, 4]` on: 12 of 32 elements");
}

TEST_CASE("what a kernel leaves out because it means to is not told", "[compiler]") {
  using Index = std::vector<int64_t>;
  CHECK(told({8, 8}, [](const Index &) { return true; }).empty());
  CHECK(told({8, 8}, [](const Index &) { return false; }).empty());
  // Every second one, the halves of a causal mask, a band, a diagonal, blocks along it, what an index picks.
  CHECK(told({64}, [](const Index &i) { return i[0] % 2 == 0; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return i[1] <= i[0]; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return i[1] >= i[0]; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return std::abs(i[1] - i[0]) < 2; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return i[1] == i[0]; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return i[1] / 2 == i[0] / 2; }).empty());
  CHECK(told({64}, [](const Index &i) { return i[0] * 7 % 11 < 5; }).empty());
  CHECK(told({8, 8}, [](const Index &i) { return i[0] % 2 == 0; }).empty());
  // Padding behind the columns and rows that the kernel is told of.
  CHECK(told({32, 80}, [](const Index &i) { return i[1] < 64; }, {64}).empty());
  CHECK(told({32, 80}, [](const Index &i) { return i[0] < 30 && i[1] < 64; }, {64}) ==
        "`x[30:32, :]`, the last 2 of its 32 rows: 160 of 2560 elements");
}
