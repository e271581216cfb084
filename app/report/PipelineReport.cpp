// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/PipelineReport.h"

#include "app/report/SvgParts.h"
#include "compiler/access/picture/PipelinePicture.h"
#include "compiler/access/picture/PipelineWords.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using access::PipelineItem;
using access::PipelinePicture;
using access::PipelineRow;
using access::PipelineRowKind;
using compiler::GridPoint;
using compiler::LoopFacts;
using compiler::LoopLinkKind;

/// Lengths in the picture.
static constexpr double kLeft = 130, kWidth = 860, kRowHeight = 18, kTop = 4, kHeadSize = 6,
                        kLeastColumn = 4;
/// The page shows labels in 9 pixels of a code font.
static constexpr double kLetterWidth = 5.45;

static std::string fillOf(const LoopFacts &facts, uint32_t event) {
  const int index = access::colorOf(facts, event);
  if (index < 0)
    return "#b9c0cc";
  return familyColorText(index, access::kPipelineColors);
}

static std::string rowName(const LoopFacts &facts, const PipelineRow &row) {
  switch (row.kind) {
  case PipelineRowKind::Head:
    return facts.partitions.size() > 1
               ? access::partitionText(facts.partitions[static_cast<size_t>(row.partition)])
               : "iteration";
  case PipelineRowKind::Slot:
    return access::slotText(facts, row.buffer, row.slot);
  case PipelineRowKind::Waits:
    return "waits";
  case PipelineRowKind::Products:
    return "products";
  case PipelineRowKind::Reads:
    return "shared loads";
  case PipelineRowKind::Other:
    return "other work";
  }
  return "";
}

static std::string rowSvg(const LoopFacts &facts, const PipelinePicture &picture, size_t index) {
  const PipelineRow &row = picture.rows()[index];
  const double y = kTop + picture.row(index).y;
  std::string svg;
  if (row.kind == PipelineRowKind::Head)
    svg += fmt::format("<rect x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
                       "fill=\"#eceff4\"/>",
                       y, kLeft + kWidth, kRowHeight);
  return svg + fmt::format("<text class=\"faint\" x=\"4\" y=\"{:.1f}\">{}</text>",
                           y + kRowHeight / 2 + 4, profiler::escapeHtml(rowName(facts, row)));
}

/// Where iterations begin, and their numbers.
static std::string bandsSvg(const PipelinePicture &picture) {
  std::string svg;
  const auto &rows = picture.rows();
  for (const access::PipelineBand &band : picture.bands()) {
    const auto head = std::ranges::find(rows, PipelineRow{PipelineRowKind::Head, band.partition});
    if (head == rows.end())
      continue;
    const auto below = std::find_if(head + 1, rows.end(), [](const PipelineRow &row) {
      return row.kind == PipelineRowKind::Head;
    });
    const double x = kLeft + picture.xOf(band.begin), width = kLeft + picture.xOf(band.end) - x;
    const double top = kTop + kRowHeight * static_cast<double>(head - rows.begin()),
                 bottom = kTop + kRowHeight * static_cast<double>(below - rows.begin());
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#8a93a3\"{3}/>", x, top,
                       bottom, band.isBehindGap ? " stroke-dasharray=\"2 3\"" : "");
    const std::string label = access::iterationLabel(band.iteration);
    if (static_cast<double>(label.size()) * kLetterWidth <= width - 4)
      svg += fmt::format("<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 3,
                         top + kRowHeight / 2 + 4, label);
  }
  return svg;
}

/// Pale while it is under way, or waits.
static std::string itemSvg(const LoopFacts &facts, const PipelinePicture &picture, size_t index) {
  const PipelineItem &item = picture.items()[index];
  const compiler::LoopEvent &event = facts.events[item.event];
  const double x = kLeft + item.rect.x, y = kTop + item.rect.y + 1.5,
               height = item.rect.height - 2.5, width = std::max(1.0, item.rect.width - 1);
  const std::string title = profiler::escapeHtml(access::eventText(facts, item.event));
  const auto rect = [&](double from, double to, const std::string &look) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}>"
                       "<title>{}</title></rect>",
                       from, y, std::max(0.5, to - from), height, look, title);
  };
  if (event.isOff)
    return rect(x, x + width, "fill=\"none\" stroke=\"#8a93a3\" stroke-dasharray=\"2 2\"");
  const std::string fill = fillOf(facts, item.event);
  const bool isWait = compiler::isWait(facts.operationOf(item.event).action);
  const bool isSlot = picture.rows()[item.row].kind == PipelineRowKind::Slot;
  const double end = x + width;
  const double split = isSlot           ? std::clamp(kLeft + item.ready, x, end)
                       : isWait         ? std::max(x, end - picture.columnWidth() + 1)
                       : event.end >= 0 ? end
                                        : x;
  std::string svg;
  if (split > x)
    svg += rect(x, split,
                "fill=\"" + fill + "\" fill-opacity=\"0.3\" stroke=\"" + fill +
                    "\" stroke-dasharray=\"4 2\"");
  if (split < end)
    svg += rect(split, end, "fill=\"" + fill + "\"");
  const std::string label = access::eventLabel(facts, item.event);
  const double letters = static_cast<double>(label.size()) * kLetterWidth;
  // In the bar, else behind it.
  const double at = letters <= width ? x + 2 : end + 1;
  if (!label.empty() && at + letters <= std::max(end, kLeft + picture.roomEnd(index)))
    svg += fmt::format("<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", at,
                       y + height / 2 + 3.5, profiler::escapeHtml(label));
  return svg;
}

static std::string arrowSvg(const access::PipelineArrow &arrow) {
  const auto at = [](const GridPoint &point) {
    return fmt::format("{:.1f} {:.1f}", kLeft + point.x, kTop + point.y);
  };
  const bool isWait = arrow.kind == LoopLinkKind::Ends || arrow.kind == LoopLinkKind::Signals;
  const char *color = isWait ? "#2f6db5" : "#1d2330";
  return fmt::format("<path d=\"M{} C{} {} {}\" fill=\"none\" stroke=\"{}\"/>"
                     "<path d=\"M{} L{} L{}Z\" fill=\"{}\"/>",
                     at(arrow.shape.start), at(arrow.shape.firstControl),
                     at(arrow.shape.secondControl), at(arrow.shape.end), color,
                     at(arrow.shape.head[0]), at(arrow.shape.head[1]), at(arrow.shape.head[2]),
                     color);
}

std::optional<profiler::ReportDiagram> pipelineDiagram(const LoopFacts &facts) {
  if (facts.events.empty())
    return std::nullopt;
  int32_t iteration = 0;
  for (const compiler::LoopOperation &operation : facts.operations)
    iteration = std::max(iteration, operation.distance);
  const PipelinePicture picture(facts, {kWidth, kRowHeight, kLeastColumn}, iteration);
  std::string svg;
  for (size_t row = 0; row < picture.rows().size(); ++row)
    svg += rowSvg(facts, picture, row);
  svg += bandsSvg(picture);
  for (size_t item = 0; item < picture.items().size(); ++item)
    svg += itemSvg(facts, picture, item);
  for (const access::PipelineArrow &arrow :
       picture.arrows(facts, access::linksOfIteration(facts, iteration), kHeadSize))
    svg += arrowSvg(arrow);
  profiler::ReportDiagram diagram;
  diagram.title = access::loopTitle(facts);
  diagram.caption = fmt::format(
      "Operations follow each other to the right; a bar is pale while a copy is under way, and has "
      "the color and number of the iteration that needs it. Arrows show what iteration {} needs. "
      "{}",
      iteration, access::followedSentence(facts));
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"pipeline of a loop\">{2}</svg>",
                            kLeft + kWidth + 4, 2 * kTop + picture.height(), svg);
  return diagram;
}

void addLoops(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  constexpr size_t kMostDiagrams = 4;
  size_t numDiagrams = 0;
  for (const LoopFacts &facts : inputs.loops) {
    profiler::ReportLoop &loop = kernel.loops.emplace_back();
    if (!facts.range.empty() && facts.range.file == 0)
      loop.line = facts.range.begin.line + 1;
    loop.title = access::loopTitle(facts);
    loop.text = access::loopSentence(facts);
    loop.isPipelined = facts.isPipelined();
    if (loop.isPipelined && numDiagrams++ < kMostDiagrams)
      loop.diagram = pipelineDiagram(facts);
  }
}

} // namespace tilescope::app
