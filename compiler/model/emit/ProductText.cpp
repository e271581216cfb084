// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/ProductText.h"

namespace tilescope::model {

std::vector<TilePart> tileParts(const ProductTile &tile) {
  std::vector<TilePart> parts = {{"rows", "columns", "BLOCK_M", "BLOCK_N", "", tile.isTurned}};
  if (tile.rest == 0)
    return parts;
  TilePart rest = parts.front();
  (tile.isTurned ? rest.rows : rest.columns) = "rest";
  (tile.isTurned ? rest.rowBlock : rest.columnBlock) = tile.isTurned ? "REST_M" : "REST_N";
  rest.suffix = "_rest";
  parts.push_back(std::move(rest));
  return parts;
}

static constexpr const char *kTilesByRows =
    "    rows = tl.program_id(0) // tl.cdiv(N, BLOCK_N) * BLOCK_M + tl.arange(0, BLOCK_M)\n"
    "    columns = tl.program_id(0) % tl.cdiv(N, BLOCK_N) * BLOCK_N + tl.arange(0, BLOCK_N)\n";

std::string tilePlaces(const ProductTile &tile, bool isSmall) {
  if (isSmall)
    return kTilesByRows;
  // Bands are of the axis without parts.
  const bool isTurned = tile.isTurned, hasRest = tile.rest != 0;
  const std::string axis = isTurned ? "M" : "N", other = isTurned ? "N" : "M";
  const std::string divided = isTurned ? "row" : "column", banded = isTurned ? "column" : "row";
  const std::string block = "BLOCK_" + axis;
  const std::string width = hasRest ? block + " + REST_" + axis : block;
  const std::string step = hasRest ? "(" + width + ")" : width;
  return std::string("    # Programs that run at the same time go down eight rows of tiles, and "
                     "share what they read.\n") +
         "    tiles = tl.cdiv(" + axis + ", " + width + ")\n    " + banded + ", " + divided +
         " = tl.swizzle2d(tl.program_id(0) // tiles, tl.program_id(0) % tiles,\n"
         "                               tl.cdiv(" +
         other + ", BLOCK_" + other + "), tiles, 8)\n    " + banded + "s = " + banded +
         " * BLOCK_" + other + " + tl.arange(0, BLOCK_" + other + ")\n" +
         (hasRest ? "    # A tile has two parts, as the size of each is a power of 2.\n" : "") +
         "    " + divided + "s = " + divided + " * " + step + " + tl.arange(0, " + block + ")\n" +
         (hasRest ? "    rest = " + divided + " * " + step + " + " + block +
                        " + tl.arange(0, REST_" + axis + ")\n"
                  : "");
}

void setTile(const ProductTile &tile, int64_t batch, EmittedKernel &kernel) {
  const bool isTurned = tile.isTurned;
  const std::string rest = tile.rest == 0 ? "" : isTurned ? "REST_M" : "REST_N";
  kernel.constexprs = {{"BLOCK_M", isTurned ? tile.columns : tile.rows},
                       {"BLOCK_N", isTurned ? tile.rows : tile.columns}};
  if (!rest.empty())
    kernel.constexprs.emplace_back(rest, tile.rest);
  kernel.constexprs.emplace_back("BLOCK_K", tile.depth);
  kernel.options = {{"num_warps", tile.warps}, {"num_stages", tile.stages}};
  const auto added = [&](bool isHere) { return isHere && !rest.empty() ? " + " + rest : ""; };
  kernel.grid = {"\"cdiv(M, BLOCK_M" + added(isTurned) + ") * cdiv(N, BLOCK_N" + added(!isTurned) +
                     ")\"",
                 std::to_string(batch)};
}

FactorText::FactorText(const TilePart &part, bool isLeft, bool isTransposed, bool isSmall)
    : m_isDepthFast(isLeft != isTransposed), m_isWrapped(m_isDepthFast && !isSmall),
      m_name(isLeft ? "a" : "b"),
      m_variable(m_name + (isLeft == part.isTurned ? part.suffix : std::string())),
      m_outer(isLeft ? part.rowIndex() : part.columnIndex()),
      m_along(isLeft != part.isTurned ? "at[None, :]" : "at[:, None]"),
      m_extent(isLeft ? "M" : "N") {}

std::string FactorText::begin() const {
  const std::string index =
      m_isDepthFast ? m_outer + (m_isWrapped ? " % " + m_extent : "") + " * K + " + m_along
                    : m_along + " * " + m_extent + " + " + m_outer;
  return "    " + m_variable + "_tile = " + m_name + "_ptr + batch * " + m_name + "_batch + " +
         index + "\n";
}

std::string FactorText::load(bool isWhole) const {
  const std::string inside = m_outer + " < " + m_extent, before = m_along + " < K - begin";
  const std::string mask = m_isWrapped ? (isWhole ? "" : before)
                           : isWhole   ? inside
                                       : "(" + inside + ") & (" + before + ")";
  return "        " + m_variable + " = tl.load(" + m_variable + "_tile" +
         (mask.empty() ? "" : ", mask=" + mask + ", other=0.0") + ")\n";
}

std::string FactorText::moveOn() const {
  return "        " + m_variable + "_tile += BLOCK_K" + (m_isDepthFast ? "" : " * " + m_extent) +
         "\n";
}

std::vector<FactorText> factorsOf(const Product &product, llvm::ArrayRef<TilePart> parts,
                                  bool isSmall) {
  const TilePart &first = parts.front();
  std::vector<FactorText> factors;
  for (const TilePart &part : parts) {
    if (&part == &first || first.isTurned)
      factors.emplace_back(part, /*isLeft=*/true, product.isLeftTransposed, isSmall);
  }
  for (const TilePart &part : parts)
    if (&part == &first || !first.isTurned)
      factors.emplace_back(part, /*isLeft=*/false, product.isRightTransposed, isSmall);
  return factors;
}

} // namespace tilescope::model
