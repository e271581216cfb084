// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/LayoutSvg.h"

#include "app/report/SvgParts.h"
#include "compiler/layout/picture/LayoutPicture.h"
#include "compiler/layout/picture/PictureColors.h"
#include "compiler/support/Counted.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::app {

using compiler::Cell;
using compiler::CellMap;
using compiler::Dim;
using compiler::Family;
using compiler::LayoutFacts;
using compiler::LayoutMap;
using compiler::PictureView;

// What is drawn at most, in cells.
static constexpr int64_t kMostRows = 32;
static constexpr int64_t kMostColumns = 64;
/// A vector is wrapped like text.
static constexpr int64_t kVectorColumns = 128;

// Lengths in the picture.
static constexpr double kWidth = 560;
static constexpr double kRowHeight = 13;
static constexpr double kLeft = 34;
static constexpr double kTop = 26;
/// The page shows labels in 9 pixels of a code font.
static constexpr double kLetterWidth = 5.45;

namespace {
/// The tensor's picture, and the part of it that is drawn.
struct Drawing {
  const LayoutFacts &facts;
  LayoutMap map;
  PictureView view;
  /// Neighbors of one thread (or bank's word) are one rectangle, in the color of their warp (or
  /// bank).
  compiler::Members runs, families;
  CellMap runOf, familyOf;
  int64_t rows = 0, columns = 0;
  double cellWidth = 1;

  explicit Drawing(const LayoutFacts &layout) : facts(layout), map(layout) {
    if (map.numElements() < 2)
      return;
    const int bits = compiler::memoryBits(facts);
    view = tensorView(map, defaultSlice(map), std::min(map.numElements(), kVectorColumns));
    runs = membersOf(map, facts.shared ? Family::Word : Family::Thread, bits);
    families = membersOf(map, facts.shared ? Family::Bank : Family::Warp, bits);
    runOf = view.places.then(runs.layout);
    familyOf = view.places.then(families.layout);
    rows = std::min(view.grid.rows, kMostRows);
    columns = std::min(view.grid.columns, facts.shape.size() > 1 ? kMostColumns : kVectorColumns);
    cellWidth = std::min(kWidth / double(columns), 26.0);
  }

  bool isCut() const { return rows < view.grid.rows || columns < view.grid.columns; }
  bool isHeld(Cell cell) const { return families.exists(familyOf.at(cell)); }
  int64_t component(Cell cell, Dim dim) const { return map.component(view.places.at(cell), dim); }
  double width() const { return kLeft + double(columns) * cellWidth + 2; }
  double height() const { return kTop + double(rows) * kRowHeight + 4; }
};

/// Neighbors in a row that belong together.
struct Run {
  Cell first;
  Cell last;
  double x = 0, y = 0, width = 0;
};
} // namespace

std::string memberColor(uint64_t member, const compiler::Members &members) {
  return familyColorText(static_cast<int64_t>(member), int64_t(members.count()));
}

static std::string hatchDefinitions() {
  std::string svg = "<defs>";
  for (uint64_t i = 1; i < 8; ++i) {
    const compiler::Hatch hatch = compiler::hatchOf(i);
    svg += fmt::format("<pattern id=\"hatch{}\" width=\"6\" height=\"6\" "
                       "patternUnits=\"userSpaceOnUse\"><path d=\"{}{}{}{}\" stroke=\"#1f2430\" "
                       "stroke-opacity=\"0.4\" stroke-width=\"0.9\" fill=\"none\"/></pattern>",
                       i, hatch.rising ? "M0 6L6 0" : "", hatch.falling ? "M0 0L6 6" : "",
                       hatch.horizontal ? "M0 3H6" : "", hatch.vertical ? "M3 0V6" : "");
  }
  return svg + "</defs>";
}

/// A rectangle in a warp's pattern, to be laid over its color.
static std::string hatchedRect(double x, double y, double width, double height, uint64_t warp) {
  const uint64_t pattern = warp % 8;
  if (pattern == 0)
    return {};
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                     "fill=\"url(#hatch{})\"/>",
                     x, y, width, height, pattern);
}

static std::string ownerWords(const Drawing &drawing, const Run &run) {
  const auto part = [&](Cell cell, Dim dim) { return drawing.component(cell, dim); };
  if (!drawing.isHeld(run.first))
    return "not held by any lane";
  if (drawing.facts.shared)
    return fmt::format("bank {}, element offsets {} to {}", drawing.familyOf.at(run.first),
                       part(run.first, Dim::Offset), part(run.last, Dim::Offset));
  const int64_t reg = part(run.first, Dim::Register), last = part(run.last, Dim::Register);
  std::string words = fmt::format("warp {}, lane {}, register {}", part(run.first, Dim::Warp),
                                  part(run.first, Dim::Lane), reg);
  if (last != reg)
    words += fmt::format(" to {}", last);
  const uint64_t copies = drawing.map.numOwnersOf(drawing.view.elements.at(run.first));
  if (copies > 1)
    words += fmt::format("; held {} times", copies);
  return words;
}

/// The name of what holds a run, as long as there is room for it: a lane's with its warp if it can
/// be.
static std::string runLabel(const Drawing &drawing, const Run &run, bool &namesWarp) {
  const uint64_t family = drawing.familyOf.at(run.first);
  std::string label = memberLabel(drawing.families.family, family);
  if (!drawing.facts.shared) {
    const auto lane = static_cast<uint64_t>(drawing.component(run.first, Dim::Lane));
    const std::string own = memberLabel(Family::Lane, lane);
    namesWarp = run.width >= 34;
    label = namesWarp ? label + " " + own : own;
  }
  return double(label.size()) * kLetterWidth <= run.width ? label : std::string();
}

static std::string runSvg(const Drawing &drawing, const Run &run) {
  const bool isHeld = drawing.isHeld(run.first);
  const uint64_t family = drawing.familyOf.at(run.first);
  const double width = std::max(run.width - 0.6, 0.4), height = kRowHeight - 0.8;
  std::string svg = fmt::format(
      "<g><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "fill=\"{}\"><title>{}</title></rect>",
      run.x, run.y, width, height, isHeld ? memberColor(family, drawing.families) : "#b7bfcc",
      ownerWords(drawing, run));
  bool namesWarp = false;
  const std::string label = isHeld ? runLabel(drawing, run, namesWarp) : std::string();
  // Where there is room the warp is named, elsewhere its pattern identifies it.
  if (isHeld && !drawing.facts.shared && !namesWarp)
    svg += hatchedRect(run.x, run.y, width, height, family);
  if (!label.empty())
    svg += fmt::format(
        "<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        run.x + run.width / 2, run.y + 9.3, label);
  return svg + "</g>";
}

static std::string gridSvg(const Drawing &drawing) {
  const compiler::PictureGrid &grid = drawing.view.grid;
  const auto tiles = tileIntervals(drawing.runOf, Dim::Column, 0, 0, drawing.columns);
  std::string svg;
  for (int64_t row = 0; row < drawing.rows; ++row) {
    const double y = kTop + double(row) * kRowHeight;
    if (row % 4 == 0)
      svg += fmt::format(
          "<text class=\"faint\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 5,
          y + 10, drawing.facts.shape.size() == 1 ? row * grid.columns : row);
    for (const auto &[begin, end] : tiles) {
      const int64_t last = std::min(end, grid.numCells - row * grid.columns) - 1;
      if (last >= begin)
        svg += runSvg(drawing, {{row, begin},
                                {row, last},
                                kLeft + double(begin) * drawing.cellWidth,
                                y,
                                double(last + 1 - begin) * drawing.cellWidth});
    }
  }
  return svg;
}

/// Patterns are explained where the grid has some: where every run names its warp it has none.
static std::string legendSvg(const Drawing &drawing, bool hasPatterns) {
  if (drawing.facts.shared)
    return fmt::format("<text class=\"faint\" x=\"{}\" y=\"14\">colored and numbered by bank "
                       "({} banks of 4 bytes)</text>",
                       kLeft, compiler::kNumBanks);
  std::string svg = hasPatterns ? hatchDefinitions() : std::string();
  for (uint64_t warp = 0; warp < std::min<uint64_t>(drawing.families.count(), 8); ++warp) {
    const double x = kLeft + double(warp) * 66;
    svg += fmt::format("<rect x=\"{}\" y=\"5\" width=\"11\" height=\"11\" fill=\"{}\"/>{}"
                       "<text x=\"{}\" y=\"14.5\">warp {}</text>",
                       x, memberColor(warp, drawing.families),
                       hasPatterns ? hatchedRect(x, 5, 11, 11, warp) : std::string(), x + 15, warp);
  }
  return svg;
}

static std::string caption(const Drawing &drawing, bool hasPatterns) {
  const LayoutFacts &facts = drawing.facts;
  const compiler::PictureGrid &grid = drawing.view.grid;
  std::string text = facts.encoding + ". ";
  if (facts.shared) {
    text += "Labels are banks";
  } else {
    text += fmt::format("Labels are lanes, {} warps; every lane holds {}",
                        hasPatterns ? "colors and patterns are" : "colors are",
                        counted(drawing.map.size(Dim::Register), "element"));
    if (const uint64_t copies = drawing.map.numOwnersOf(0); copies > 1)
      text += fmt::format(", every element is held {} times", copies);
  }
  if (drawing.isCut() && facts.shape.size() == 1)
    text += fmt::format("; shown are the first {} of {} elements", drawing.rows * drawing.columns,
                        grid.numCells);
  else if (drawing.isCut())
    text += fmt::format("; shown are the first {} × {} of {} × {} elements", drawing.rows,
                        drawing.columns, grid.rows, grid.columns);
  if (facts.shape.size() > 2)
    text += "; leading dimensions at 0";
  return text + ".";
}

std::optional<profiler::ReportDiagram> layoutDiagram(const LayoutFacts &facts) {
  const Drawing drawing(facts);
  if (drawing.rows == 0)
    return std::nullopt;
  profiler::ReportDiagram diagram;
  diagram.title = fmt::format("{}{}[{}]", facts.shared ? "shared memory " : "", facts.elementType,
                              fmt::join(facts.shape, ", "));
  const std::string grid = gridSvg(drawing);
  const bool hasPatterns = grid.find("url(#hatch") != std::string::npos;
  diagram.caption = caption(drawing, hasPatterns);
  double width = std::max(drawing.width(), facts.shared ? 320.0 : kLeft + 280);
  diagram.svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                  "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"layout of {2}\">",
                  width, drawing.height(), profiler::escapeHtml(diagram.title)) +
      legendSvg(drawing, hasPatterns) + grid + "</svg>";
  return diagram;
}

} // namespace tilescope::app
