// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/ProductText.h"

namespace tilescope::model {

/// `REST_M`: how many rows or columns a part behind the first one has.
static std::string blockName(const ProductTile &tile, bool isLast) {
  return std::string(isLast ? "LAST_" : "REST_") + (tile.isTurned ? "M" : "N");
}

/// What all parts have together: `(BLOCK_N + REST_N)`.
static std::string widthText(const ProductTile &tile) {
  const std::string block = tile.isTurned ? "BLOCK_M" : "BLOCK_N";
  if (tile.rest == 0)
    return block;
  return "(" + block + " + " + blockName(tile, false) +
         (tile.last == 0 ? "" : " + " + blockName(tile, true)) + ")";
}

std::vector<TilePart> tileParts(const ProductTile &tile) {
  const bool isTurned = tile.isTurned;
  TilePart part{"rows", "columns", "BLOCK_M", "BLOCK_N", "row * BLOCK_M", "column * BLOCK_N"};
  part.isTurned = isTurned;
  std::string &begin = isTurned ? part.rowBegin : part.columnBegin;
  std::string &block = isTurned ? part.rowBlock : part.columnBlock;
  begin = (isTurned ? "row * " : "column * ") + widthText(tile);
  std::vector<TilePart> parts = {part};
  for (const bool isLast : {false, true}) {
    if ((isLast ? tile.last : tile.rest) == 0)
      break;
    begin += " + " + block;
    block = blockName(tile, isLast);
    (isTurned ? part.rows : part.columns) = isLast ? "last" : "rest";
    part.suffix = isLast ? "_last" : "_rest";
    parts.push_back(part);
  }
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
  const std::string step = widthText(tile);
  const std::string width = hasRest ? step.substr(1, step.size() - 2) : step;
  std::string text = "    # Programs that run at the same time go down eight rows of tiles, and "
                     "share what they read.\n"
                     "    tiles = tl.cdiv(" +
                     axis + ", " + width + ")\n    " + banded + ", " + divided +
                     " = tl.swizzle2d(tl.program_id(0) // tiles, tl.program_id(0) % tiles,\n"
                     "                               tl.cdiv(" +
                     other + ", BLOCK_" + other + "), tiles, 8)\n    " + banded + "s = " + banded +
                     " * BLOCK_" + other + " + tl.arange(0, BLOCK_" + other + ")\n";
  if (hasRest)
    text += std::string("    # A tile has ") + (tile.last == 0 ? "two" : "three") +
            " parts, as the size of each is a power of 2.\n";
  for (const TilePart &part : tileParts(tile))
    text += "    " + (isTurned ? part.rows : part.columns) + " = " +
            (isTurned ? part.rowBegin : part.columnBegin) + " + tl.arange(0, " +
            (isTurned ? part.rowBlock : part.columnBlock) + ")\n";
  return text;
}

void setTile(const ProductTile &tile, int64_t batch, EmittedKernel &kernel) {
  const bool isTurned = tile.isTurned;
  kernel.constexprs = {{"BLOCK_M", isTurned ? tile.columns : tile.rows},
                       {"BLOCK_N", isTurned ? tile.rows : tile.columns}};
  if (tile.rest != 0)
    kernel.constexprs.emplace_back(blockName(tile, false), tile.rest);
  if (tile.last != 0)
    kernel.constexprs.emplace_back(blockName(tile, true), tile.last);
  kernel.constexprs.emplace_back("BLOCK_K", tile.depth);
  kernel.options = {{"num_warps", tile.warps}, {"num_stages", tile.stages}};
  const std::string step = widthText(tile);
  const std::string width = tile.rest != 0 ? step.substr(1, step.size() - 2) : step;
  kernel.grid = {"\"cdiv(M, " + (isTurned ? width : "BLOCK_M") + ") * cdiv(N, " +
                     (isTurned ? "BLOCK_N" : width) + ")\"",
                 std::to_string(batch)};
}

FactorText::FactorText(const TilePart &part, bool isLeft, bool isTransposed, const Options &options)
    : m_options(options), m_isDepthFast(isLeft != isTransposed),
      m_isAlongFirst(isLeft == part.isTurned), m_isWrapped(m_isDepthFast && !options.isSmall),
      m_name(isLeft ? "a" : "b"),
      m_variable(m_name + (isLeft == part.isTurned ? part.suffix : std::string())),
      m_outer(isLeft ? part.rowIndex() : part.columnIndex()),
      m_along(m_isAlongFirst ? "at[:, None]" : "at[None, :]"), m_extent(isLeft ? "M" : "N"),
      m_block(isLeft ? part.rowBlock : part.columnBlock),
      m_begin(isLeft ? part.rowBegin : part.columnBegin) {}

/// What lies outside is read as zeros.
std::string FactorText::describe() const {
  const std::string shape = m_isDepthFast ? m_extent + ", K" : "K, " + m_extent;
  return "    " + m_variable + "_tile = tl.make_tensor_descriptor(" + m_name + "_ptr, [" + shape +
         "], [" + (m_isDepthFast ? "K" : m_extent) + ", 1], [" +
         (m_isDepthFast ? m_block + ", BLOCK_K" : "BLOCK_K, " + m_block) + "])\n";
}

std::string FactorText::begin() const {
  if (m_options.isInBulk)
    return describe();
  const std::string index =
      m_isDepthFast ? m_outer + (m_isWrapped ? " % " + m_extent : "") + " * K + " + m_along
                    : m_along + " * " + m_extent + " + " + m_outer;
  return "    " + m_variable + "_tile = " + m_name + "_ptr + batch * " + m_name + "_batch + " +
         index + "\n";
}

std::string FactorText::load(bool isWhole) const {
  if (m_options.isInBulk)
    return "        " + m_variable + " = " + m_variable + "_tile.load([" +
           (m_isDepthFast ? m_begin + ", begin" : "begin, " + m_begin) + "])" +
           (m_isDepthFast == m_isAlongFirst ? ".T" : "") + "\n";
  const std::string inside = m_outer + " < " + m_extent, before = m_along + " < K - begin";
  const std::string mask = m_isWrapped ? (isWhole ? "" : before)
                           : isWhole   ? inside
                                       : "(" + inside + ") & (" + before + ")";
  return "        " + m_variable + " = tl.load(" + m_variable + "_tile" +
         (mask.empty() ? "" : ", mask=" + mask + ", other=0.0") + ")\n";
}

std::string FactorText::moveOn() const {
  if (m_options.isInBulk)
    return "";
  return "        " + m_variable + "_tile += BLOCK_K" + (m_isDepthFast ? "" : " * " + m_extent) +
         "\n";
}

std::vector<FactorText> factorsOf(const Product &product, llvm::ArrayRef<TilePart> parts,
                                  const FactorText::Options &options) {
  const TilePart &first = parts.front();
  std::vector<FactorText> factors;
  for (const TilePart &part : parts) {
    if (&part == &first || first.isTurned)
      factors.emplace_back(part, /*isLeft=*/true, product.isLeftTransposed, options);
  }
  for (const TilePart &part : parts)
    if (&part == &first || !first.isTurned)
      factors.emplace_back(part, /*isLeft=*/false, product.isRightTransposed, options);
  return factors;
}

} // namespace tilescope::model
