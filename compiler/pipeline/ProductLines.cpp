// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ProductLines.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tilescope::compiler {

namespace {
using Shape = std::array<int, 3>;

struct Product {
  Shape shape;
  size_t line = 0;
};
} // namespace

/// `m64n64k16` with the separators `m`, `n` and `k`; `.64x64x16` with `.`, `x` and `x`.
static std::optional<Shape> shapeIn(std::string_view text, std::string_view separators) {
  Shape shape{};
  for (size_t at = text.find(separators[0]); at != std::string_view::npos;
       at = text.find(separators[0], at + 1)) {
    const char *place = text.data() + at, *end = text.data() + text.size();
    size_t axis = 0;
    for (; axis < shape.size() && place != end && *place == separators[axis]; ++axis) {
      const auto [next, error] = std::from_chars(place + 1, end, shape[axis]);
      if (error != std::errc())
        break;
      place = next;
    }
    if (axis == shape.size())
      return shape;
  }
  return std::nullopt;
}

/// The instruction that `mark` begins or ends the name of, in its order.
static std::vector<Product> productsIn(std::string_view text, std::string_view mark,
                                       std::string_view separators) {
  std::vector<Product> products;
  const std::vector<std::string_view> lines = splitLines(text);
  for (size_t line = 0; line < lines.size(); ++line) {
    const size_t at = lines[line].find(mark);
    if (at == std::string_view::npos)
      continue;
    const std::string_view name = lines[line].substr(at, lines[line].find(' ', at) - at);
    if (const std::optional<Shape> shape = shapeIn(name, separators))
      products.push_back({*shape, line});
  }
  return products;
}

std::vector<int32_t> withProductLines(std::vector<int32_t> ptxLines, std::string_view sass,
                                      std::string_view ptx) {
  const std::vector<Product> wanted = productsIn(ptx, "wgmma.mma_async", "mnk");
  if (wanted.empty())
    return ptxLines;
  // `HGMMA`, `QGMMA`, `IGMMA`, `BGMMA`, by the type of the factors.
  const std::vector<Product> made = productsIn(sass, "GMMA.", ".xx");
  if (!std::ranges::equal(made, wanted, {}, &Product::shape, &Product::shape))
    return ptxLines;
  for (size_t i = 0; i < made.size(); ++i)
    if (made[i].line < ptxLines.size())
      ptxLines[made[i].line] = static_cast<int32_t>(wanted[i].line);
  return ptxLines;
}

} // namespace tilescope::compiler
