// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/Encodings.h"
#include "tests/support/LargeLayouts.h"
#include "views/layout/conversion/ConversionListModel.h"

namespace tilescope::tests {

/// A conversion of a block of floats between two layouts, in a line of the source.
inline compiler::ConversionFacts conversionOf(const std::vector<int64_t> &shape,
                                              const compiler::LinearLayout &from,
                                              const compiler::LinearLayout &to, uint32_t line) {
  compiler::ConversionFacts facts;
  facts.range = {{line, 4}, {line, 30}, 0};
  facts.moves = compiler::ConversionMoves::Warps;
  facts.shape = shape;
  facts.elementType = "f32";
  facts.elementBits = 32;
  facts.bytes = shape[0] * shape[1] * 4;
  facts.fromLayout = factsOf("%a", from.removeZeroBases(compiler::Dim::Register), shape, 32).layout;
  facts.toLayout = factsOf("%b", to.removeZeroBases(compiler::Dim::Register), shape, 32).layout;
  facts.source = {"tt.load", {{line - 1, 4}, {line - 1, 30}, 0}, 0};
  facts.destination = {"tt.store", facts.range, 1};
  facts.pass = "tilescope-coalesce";
  return facts;
}

/// Rows over lanes become columns over lanes; four warps.
inline compiler::ConversionFacts transposed(int64_t size, uint32_t line) {
  using namespace compiler;
  const std::vector<int64_t> shape{size, size};
  const LinearLayout one = singleBlockCluster(2);
  const BlockedParameters rows{{1, 4}, {2, 16}, {4, 1}, {1, 0}};
  const BlockedParameters columns{{4, 1}, {16, 2}, {1, 4}, {0, 1}};
  ConversionFacts facts = conversionOf(shape, blockedLayout(shape, rows, one),
                                       blockedLayout(shape, columns, one), line);
  facts.from = "#ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>";
  facts.to = "#ttg.blocked<{sizePerThread = [4, 1], order = [0, 1]}>";
  return facts;
}

/// A product's result on its way to rows of memory; 2 x 2 warps.
inline compiler::ConversionFacts storedProduct(int64_t size, uint32_t line) {
  using namespace compiler;
  const std::vector<int64_t> shape{size, size};
  const LinearLayout one = singleBlockCluster(2);
  const MmaParameters mma{2, {2, 2}, {16, 8}};
  const BlockedParameters rows{{1, 4}, {2, 16}, {4, 1}, {1, 0}};
  ConversionFacts facts =
      conversionOf(shape, mmaLayout(shape, mma, one), blockedLayout(shape, rows, one), line);
  facts.from = "#ttg.nvidia_mma<{versionMajor = 2}>";
  facts.to = "#ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>";
  facts.source.operation = "tt.dot";
  return facts;
}

inline views::ConversionsPointer
contentOf(const std::vector<compiler::ConversionFacts> &conversions) {
  auto facts = std::make_shared<compiler::MemoryFacts>();
  facts->conversions = conversions;
  return facts;
}

} // namespace tilescope::tests
