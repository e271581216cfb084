// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/ConversionReport.h"

#include "app/report/LayoutSvg.h"
#include "compiler/access/picture/ConversionWords.h"
#include "compiler/layout/picture/ConversionPicture.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using compiler::Cell;
using compiler::ConversionFacts;
using compiler::ConversionPicture;
using compiler::ConversionSide;
using compiler::GridRect;
using compiler::MoveKind;
using compiler::MoveRun;
using compiler::PictureGrid;

// What is drawn at most of either side, in cells: the lanes of two warps with 32 registers.
static constexpr int64_t kMostRows = 66, kMostColumns = 32;
/// Arrows that are drawn at most.
static constexpr size_t kMostArrows = 24;
// Lengths in the picture.
static constexpr double kSideWidth = 300, kBetween = 150, kLeft = 34, kTop = 26, kMostCell = 14;
static constexpr double kHead = 7;

namespace {
/// One side: where its cells lie.
struct Side {
  ConversionSide side;
  const PictureGrid &grid;
  double left, cell;
  int64_t rows, columns;

  Side(const ConversionPicture &picture, ConversionSide which, double at)
      : side(which), grid(picture.view(which).grid), left(at), rows(std::min(grid.rows, kMostRows)),
        columns(std::min(grid.columns, kMostColumns)) {
    cell = std::min(kMostCell, kSideWidth / grid.origin({0, columns}).x);
  }
  bool isCut() const { return rows < grid.rows || columns < grid.columns; }
  bool shows(Cell at) const { return at.row < rows && at.column < columns; }
  GridRect rect(Cell at) const {
    const compiler::GridPoint origin = grid.origin(at);
    return {left + origin.x * cell, kTop + origin.y * cell, cell, cell};
  }
  double bottom() const { return rect({rows - 1, 0}).y + cell; }
};
} // namespace

static std::string sideSvg(const ConversionPicture &picture, const Side &side,
                           const std::string &encoding) {
  const compiler::CellMap members = picture.membersOf(side.side);
  std::string svg = fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"12\">{}: {}</text>",
                                side.left, side.side == ConversionSide::Before ? "before" : "after",
                                profiler::escapeHtml(access::encodingName(encoding)));
  const compiler::LayoutPicture &layout = picture.layout(side.side);
  for (int64_t row = 0; row < side.rows; ++row) {
    if (row % 4 == 0)
      svg += fmt::format(
          "<text class=\"faint\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
          side.left - 5, side.rect({row, 0}).y + side.cell * 0.8, layout.hardwareRowLabel(row));
    // Neighbors of one color are one rectangle.
    for (const auto &[first, last] :
         tileIntervals(members, compiler::Dim::Column, side.grid.blockColumns, 0, side.columns)) {
      const GridRect rect = side.rect({row, first});
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                         "fill=\"{}\"/>",
                         rect.x, rect.y, rect.width * double(last - first) - 0.4, rect.height - 0.4,
                         memberColor(members.at({row, first}), picture.before.members));
    }
  }
  return svg;
}

static std::string arrowSvg(const Side &from, const Side &to, const MoveRun &run) {
  const auto span = [](const Side &side, Cell first, Cell last) {
    const GridRect a = side.rect(first), b = side.rect(last);
    return GridRect{std::min(a.x, b.x), std::min(a.y, b.y),
                    std::max(a.x, b.x) + a.width - std::min(a.x, b.x),
                    std::max(a.y, b.y) + a.height - std::min(a.y, b.y)};
  };
  const GridRect area{0, kTop, to.left + kSideWidth, std::max(from.bottom(), to.bottom()) - kTop};
  const compiler::ArrowShape arrow = compiler::arrowBetween(
      span(from, run.fromFirst, run.fromLast), span(to, run.toFirst, run.toLast), area, kHead);
  const std::string path =
      fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", arrow.start.x,
                  arrow.start.y, arrow.firstControl.x, arrow.firstControl.y, arrow.secondControl.x,
                  arrow.secondControl.y, arrow.end.x, arrow.end.y);
  const char *dashes = run.kind == MoveKind::Warp   ? "none"
                       : run.kind == MoveKind::Lane ? "5 3"
                                                    : "1 3";
  return fmt::format("<path d=\"{0}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3.4\"/>"
                     "<path d=\"{0}\" fill=\"none\" stroke=\"#1f2430\" stroke-width=\"1.3\" "
                     "stroke-dasharray=\"{1}\"/><path d=\"M{2:.1f} {3:.1f}L{4:.1f} {5:.1f}L{6:.1f} "
                     "{7:.1f}Z\" fill=\"#1f2430\"/>",
                     path, dashes, arrow.head[0].x, arrow.head[0].y, arrow.head[1].x,
                     arrow.head[1].y, arrow.head[2].x, arrow.head[2].y);
}

std::optional<profiler::ReportDiagram> conversionDiagram(const ConversionFacts &facts) {
  const ConversionPicture picture =
      compiler::makeConversionPicture(access::layoutBefore(facts), access::layoutBehind(facts), {});
  if (picture.map.isEmpty())
    return std::nullopt;
  const Side before(picture, ConversionSide::Before, kLeft);
  const Side behind(picture, ConversionSide::Behind, kLeft + kSideWidth + kBetween);
  std::vector<MoveRun> runs =
      picture.runsOf(picture.movesAt(ConversionSide::Behind, 0, compiler::MoveScope::Lane));
  std::erase_if(runs, [&](const MoveRun &run) {
    return !before.shows(run.fromFirst) || !before.shows(run.fromLast) ||
           !behind.shows(run.toFirst) || !behind.shows(run.toLast);
  });
  if (runs.size() > kMostArrows)
    runs.resize(kMostArrows);
  std::string svg = sideSvg(picture, before, facts.from) + sideSvg(picture, behind, facts.to);
  for (const MoveRun &run : runs)
    svg += arrowSvg(before, behind, run);
  profiler::ReportDiagram diagram;
  diagram.svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                  "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                  "aria-label=\"both layouts of a conversion\">",
                  behind.left + kSideWidth + 4, std::max(before.bottom(), behind.bottom()) + 4) +
      svg + "</svg>";
  diagram.caption =
      "Cells are registers, rows lanes, blocks warps. Both sides have the colors of "
      "the warps that held the elements before. Arrows show what lane 0 of warp 0 "
      "receives: dotted within the lane, dashed from another lane, solid from another "
      "warp.";
  if (before.isCut() || behind.isCut())
    diagram.caption += " Only the first lanes and registers are shown.";
  return diagram;
}

void addConversions(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  if (!inputs.memory)
    return;
  for (const size_t index : access::dearestFirst(inputs.memory->conversions)) {
    const ConversionFacts &facts = inputs.memory->conversions[index];
    profiler::ReportConversion conversion;
    conversion.line = facts.range.empty() || facts.range.file != 0 ? 0 : facts.range.begin.line + 1;
    conversion.title = access::conversionTitle(facts);
    conversion.cost = access::conversionCost(facts);
    conversion.moves = access::movesSentence(
        compiler::ConversionMap(access::layoutBefore(facts), access::layoutBehind(facts)).counts());
    conversion.reason = access::originSentence(facts) + " " + access::removalSentence(facts);
    conversion.isInLoop = facts.isInLoop;
    conversion.executions = facts.executions;
    if (!kernel.conversionDiagram && facts.moves != compiler::ConversionMoves::Registers) {
      kernel.conversionDiagram = conversionDiagram(facts);
      if (kernel.conversionDiagram)
        kernel.conversionDiagram->title =
            conversion.line > 0 ? fmt::format("{}, line {}", conversion.title, conversion.line)
                                : conversion.title;
    }
    kernel.conversions.push_back(std::move(conversion));
  }
}

} // namespace tilescope::app
