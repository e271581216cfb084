// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LayoutSvg.h"

#include "profiler/report/Highlight.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace tilescope::app {

using compiler::LayoutBases;
using compiler::LayoutFacts;

static int64_t numElements(const LayoutFacts &facts) {
  return std::accumulate(facts.shape.begin(), facts.shape.end(), int64_t(1), std::multiplies<>());
}

static const LayoutBases *input(const LayoutFacts &facts, const char *name) {
  for (const LayoutBases &bases : facts.layout)
    if (bases.input == name)
      return &bases;
  return nullptr;
}

static size_t numBits(const LayoutFacts &facts, const char *name) {
  const LayoutBases *bases = input(facts, name);
  return bases ? bases->bases.size() : 0;
}

/// Flat index of the element that a hardware coordinate adds; the parts are joined by exclusive or.
static std::vector<int32_t> image(const LayoutFacts &facts, const char *name, uint32_t index) {
  std::vector<int32_t> result(facts.shape.size());
  if (const LayoutBases *bases = input(facts, name))
    for (size_t bit = 0; bit < bases->bases.size(); ++bit)
      if (index >> bit & 1)
        for (size_t dim = 0; dim < result.size() && dim < bases->bases[bit].size(); ++dim)
          result[dim] ^= bases->bases[bit][dim];
  return result;
}

/// -1 outside the tensor, as for a layout that is larger than it.
static int64_t flatIndex(const LayoutFacts &facts, const std::vector<int32_t> &a,
                         const std::vector<int32_t> &b, const std::vector<int32_t> &c) {
  int64_t flat = 0;
  for (size_t dim = 0; dim < facts.shape.size(); ++dim) {
    int64_t coordinate = a[dim] ^ b[dim] ^ c[dim];
    if (coordinate >= facts.shape[dim])
      return -1;
    flat = flat * facts.shape[dim] + coordinate;
  }
  return flat;
}

std::vector<ElementOwner> elementOwners(const LayoutFacts &facts) {
  constexpr int64_t kMost = 1 << 20;
  int64_t count = numElements(facts);
  size_t bits = numBits(facts, "register") + numBits(facts, "lane") + numBits(facts, "warp") +
                numBits(facts, "offset");
  if (facts.shape.empty() || count <= 0 || count > kMost || bits > 24)
    return {};
  std::vector<ElementOwner> owners(static_cast<size_t>(count));
  std::vector<int32_t> none(facts.shape.size());
  if (facts.shared) {
    for (uint32_t offset = 0; offset < 1u << numBits(facts, "offset"); ++offset) {
      int64_t flat = flatIndex(facts, image(facts, "offset", offset), none, none);
      if (flat >= 0 && owners[size_t(flat)].copies++ == 0)
        owners[size_t(flat)].offset = int32_t(offset);
    }
    return owners;
  }
  for (uint32_t warp = 0; warp < 1u << numBits(facts, "warp"); ++warp) {
    std::vector<int32_t> byWarp = image(facts, "warp", warp);
    for (uint32_t lane = 0; lane < 1u << numBits(facts, "lane"); ++lane) {
      std::vector<int32_t> byLane = image(facts, "lane", lane);
      for (uint32_t reg = 0; reg < 1u << numBits(facts, "register"); ++reg) {
        int64_t flat = flatIndex(facts, byWarp, byLane, image(facts, "register", reg));
        if (flat >= 0 && owners[size_t(flat)].copies++ == 0)
          owners[size_t(flat)] = {int32_t(reg), int32_t(lane), int32_t(warp), -1, 1};
      }
    }
  }
  return owners;
}

namespace {
/// The part of a tensor that is drawn, as rows and columns of pixels.
struct Grid {
  const LayoutFacts &facts;
  const std::vector<ElementOwner> &owners;
  int64_t rows = 1, columns = 1;
  /// Elements from one row to the next.
  int64_t rowStride = 1;
  double cellWidth = 1;

  static constexpr double kWidth = 560, kRowHeight = 13, kLeft = 34, kTop = 26;

  Grid(const LayoutFacts &f, const std::vector<ElementOwner> &o) : facts(f), owners(o) {
    constexpr int64_t kRows = 32, kColumns = 64, kLineColumns = 128;
    if (facts.shape.size() == 1) {
      // A vector is wrapped like text.
      columns = rowStride = std::min<int64_t>(facts.shape[0], kLineColumns);
      rows = std::min((facts.shape[0] + columns - 1) / columns, kRows);
    } else {
      rowStride = facts.shape.back();
      columns = std::min(rowStride, kColumns);
      rows = std::min(facts.shape[facts.shape.size() - 2], kRows);
    }
    cellWidth = std::min(kWidth / double(columns), 26.0);
  }
  int32_t bank(const ElementOwner &owner) const {
    return int32_t(int64_t(owner.offset) * facts.elementBits / 32 % 32);
  }
  /// Neighbours with the same key are one rectangle.
  int64_t key(const ElementOwner &owner) const {
    if (facts.shared)
      return owner.offset < 0 ? -1 : int64_t(owner.offset) * facts.elementBits / 32;
    return owner.lane < 0 ? -1 : int64_t(owner.warp) << 32 | owner.lane;
  }
  bool isCut() const {
    if (facts.shape.size() == 1)
      return rows * columns < facts.shape[0];
    return columns < facts.shape.back() || rows < facts.shape[facts.shape.size() - 2];
  }
  int32_t numWarps() const { return int32_t(1) << numBits(facts, "warp"); }
  double width() const { return kLeft + double(columns) * cellWidth + 2; }
  double height() const { return kTop + double(rows) * kRowHeight + 4; }
};
} // namespace

/// The window's colors of a family in the light theme: hues and lightness in even steps.
static std::string warpColor(int32_t warp, int32_t numWarps) {
  const double share = double(warp) / double(std::max(numWarps, 1));
  return fmt::format("oklch({:.1f}% 0.085 {:.1f})", 62 + 36 * share, 250 + 360 * share);
}

/// Patterns that tell warps apart without color; the first is plain.
constexpr std::array<const char *, 8> kHatches = {
    "",       "M0 6L6 0",     "M0 0L6 6",       "M0 3H6", "M0 6L6 0M0 0L6 6",
    "M3 0V6", "M0 3H6M3 0V6", "M0 6L6 0M0 3H6",
};

static std::string hatchDefinitions() {
  std::string svg = "<defs>";
  for (size_t i = 1; i < kHatches.size(); ++i)
    svg += fmt::format("<pattern id=\"hatch{}\" width=\"6\" height=\"6\" "
                       "patternUnits=\"userSpaceOnUse\"><path d=\"{}\" stroke=\"#1f2430\" "
                       "stroke-opacity=\"0.4\" stroke-width=\"0.9\" fill=\"none\"/></pattern>",
                       i, kHatches[i]);
  return svg + "</defs>";
}

/// A rectangle in a warp's pattern, to be laid over its color.
static std::string hatchedRect(double x, double y, double width, double height, int32_t warp) {
  const size_t pattern = size_t(warp) % kHatches.size();
  if (pattern == 0)
    return {};
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                     "fill=\"url(#hatch{})\"/>",
                     x, y, width, height, pattern);
}

static std::string bankColor(int32_t bank) {
  return fmt::format("hsl({} 55% {}%)", bank * 360 / 32, bank % 2 ? 72 : 82);
}

static std::string ownerWords(const Grid &grid, const ElementOwner &first,
                              const ElementOwner &last) {
  if (grid.facts.shared)
    return fmt::format("bank {}, element offsets {} to {}", grid.bank(first), first.offset,
                       last.offset);
  std::string words =
      fmt::format("warp {}, lane {}, register {}", first.warp, first.lane, first.reg);
  if (last.reg != first.reg)
    words += fmt::format(" to {}", last.reg);
  if (first.copies > 1)
    words += fmt::format("; held {} times", first.copies);
  return words;
}

static std::string runSvg(const Grid &grid, int64_t row, int64_t begin, int64_t end) {
  const ElementOwner &first = grid.owners[size_t(row * grid.rowStride + begin)];
  const ElementOwner &last = grid.owners[size_t(row * grid.rowStride + end - 1)];
  double x = Grid::kLeft + double(begin) * grid.cellWidth;
  double y = Grid::kTop + double(row) * Grid::kRowHeight;
  double width = double(end - begin) * grid.cellWidth;
  bool known = grid.key(first) >= 0;
  std::string color = !known              ? "#b7bfcc"
                      : grid.facts.shared ? bankColor(grid.bank(first))
                                          : warpColor(first.warp, grid.numWarps());
  std::string svg =
      fmt::format("<g><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                  "fill=\"{}\"><title>{}</title></rect>",
                  x, y, std::max(width - 0.6, 0.4), Grid::kRowHeight - 0.8, color,
                  known ? ownerWords(grid, first, last) : "held by no one");
  // Where there is room the warp is named, elsewhere its pattern stands for it.
  const bool isNamed = width >= 34;
  if (known && !grid.facts.shared && !isNamed)
    svg += hatchedRect(x, y, std::max(width - 0.6, 0.4), Grid::kRowHeight - 0.8, first.warp);
  if (known && width >= 12) {
    const int32_t number = grid.facts.shared ? grid.bank(first) : first.lane;
    const std::string warp =
        isNamed && !grid.facts.shared ? fmt::format("w{} · ", first.warp) : std::string();
    svg += fmt::format("<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}{}"
                       "</text>",
                       x + width / 2, y + 9.3, warp, number);
  }
  return svg + "</g>";
}

static std::string gridSvg(const Grid &grid) {
  std::string svg;
  int64_t count = int64_t(grid.owners.size());
  for (int64_t row = 0; row < grid.rows; ++row) {
    if (row % 4 == 0)
      svg +=
          fmt::format("<text class=\"faint\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                      Grid::kLeft - 5, Grid::kTop + double(row) * Grid::kRowHeight + 10,
                      grid.facts.shape.size() == 1 ? row * grid.columns : row);
    int64_t columns = std::min(grid.columns, count - row * grid.rowStride);
    for (int64_t begin = 0; begin < columns;) {
      auto keyAt = [&](int64_t column) {
        return grid.key(grid.owners[size_t(row * grid.rowStride + column)]);
      };
      int64_t end = begin + 1;
      while (end < columns && keyAt(end) == keyAt(begin))
        ++end;
      svg += runSvg(grid, row, begin, end);
      begin = end;
    }
  }
  return svg;
}

static std::string legendSvg(const Grid &grid) {
  if (grid.facts.shared)
    return fmt::format("<text class=\"faint\" x=\"{}\" y=\"14\">colored and numbered by bank "
                       "(32 banks of 4 bytes)</text>",
                       Grid::kLeft);
  std::string svg = hatchDefinitions();
  const int32_t warps = grid.numWarps();
  for (int32_t warp = 0; warp < std::min(warps, 8); ++warp)
    svg += fmt::format("<rect x=\"{}\" y=\"5\" width=\"11\" height=\"11\" fill=\"{}\"/>{}"
                       "<text x=\"{}\" y=\"14.5\">{}{}</text>",
                       Grid::kLeft + warp * 66, warpColor(warp, warps),
                       hatchedRect(Grid::kLeft + warp * 66, 5, 11, 11, warp),
                       Grid::kLeft + warp * 66 + 15, "warp ", warp);
  return svg;
}

static std::string caption(const LayoutFacts &facts, const Grid &grid) {
  std::string text = facts.encoding + ". ";
  if (facts.shared) {
    text += "Numbers are banks";
  } else {
    int32_t copies = 0;
    for (const ElementOwner &owner : grid.owners)
      copies = std::max(copies, owner.copies);
    text += fmt::format(
        "Numbers are lanes, colors and patterns are warps; every lane holds {} elements",
        1 << numBits(facts, "register"));
    if (copies > 1)
      text += fmt::format(", every element is held {} times", copies);
  }
  if (grid.isCut())
    text += fmt::format("; shown are the first {} × {}", grid.rows, grid.columns);
  if (facts.shape.size() > 2)
    text += "; leading dimensions at 0";
  return text + ".";
}

std::optional<profiler::ReportDiagram> layoutDiagram(const LayoutFacts &facts) {
  std::vector<ElementOwner> owners = elementOwners(facts);
  if (owners.size() < 2)
    return std::nullopt;
  Grid grid(facts, owners);
  profiler::ReportDiagram diagram;
  diagram.title = fmt::format("{}{}[{}]", facts.shared ? "shared memory " : "", facts.elementType,
                              fmt::join(facts.shape, ", "));
  diagram.caption = caption(facts, grid);
  double width = std::max(grid.width(), facts.shared ? 320.0 : Grid::kLeft + 280);
  diagram.svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                  "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"layout of {2}\">",
                  width, grid.height(), profiler::escapeHtml(diagram.title)) +
      legendSvg(grid) + gridSvg(grid) + "</svg>";
  return diagram;
}

} // namespace tilescope::app
