// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/BulkReport.h"

#include "app/report/SvgParts.h"
#include "compiler/access/picture/BulkPicture.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using access::BulkChunk;
using access::BulkGrid;
using access::BulkPicture;
using compiler::GridRect;

/// Rows that are drawn at most.
static constexpr int64_t kMostRows = 32;
// Lengths in the picture.
static constexpr double kWidth = 560, kOverview = 90, kLeastSide = 14, kRowHeight = 14, kHead = 20,
                        kGap = 10;
/// The page shows labels in 9 pixels of a code font, and names in 11.5.
static constexpr double kLetterWidth = 5.45, kNameWidth = 6.5;

namespace {
/// Where the rows of a picture are, and what is at their left.
struct Frame {
  BulkGrid grid;
  double left = 0, top = 0;
};
} // namespace

/// The window's color of four banks in the light theme.
static std::string bankColor(int group) { return familyColorText(group, access::kBankGroups); }

static std::string overviewSvg(const BulkPicture &picture, double left) {
  const access::BulkOverview at = bulkOverview(picture, kWidth, kOverview, kLeastSide);
  std::string svg = rectSvg(left, 2, at.tensor,
                            "fill=\"#f6f7f9\" stroke=\"#8a93a5\"><title>tensor</title></rect>") +
                    rectSvg(left, 2, at.block, "fill=\"url(#outside)\"/>");
  if (at.inside.width > 0 && at.inside.height > 0)
    svg += rectSvg(left, 2, at.inside, "fill=\"#c9d9f5\"/>");
  svg += rectSvg(left, 2, at.block, "fill=\"none\" stroke=\"#1f5fbf\"><title>block</title></rect>");
  for (const double x : at.columns)
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#1f5fbf\" "
                       "stroke-dasharray=\"1 2\"/>",
                       left + x, 2 + at.block.y, at.block.height);
  for (const double y : at.rows)
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#1f5fbf\" "
                       "stroke-dasharray=\"1 2\"/>",
                       left + at.block.x, 2 + y, at.block.width);
  return svg;
}

static std::string chunkSvg(const Frame &frame, const BulkChunk &chunk, const std::string &words) {
  std::string svg;
  if (chunk.inside.size() < chunk.bytes.size())
    svg += rectSvg(frame.left, frame.top,
                   frame.grid.bytes(chunk.row, chunk.bytes.begin, chunk.bytes.end),
                   fmt::format("fill=\"url(#outside)\"><title>{}</title></rect>", words));
  if (chunk.inside.size() == 0)
    return svg;
  const GridRect rect = frame.grid.bytes(chunk.row, chunk.inside.begin, chunk.inside.end);
  svg += rectSvg(
      frame.left, frame.top, {rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1},
      fmt::format("fill=\"{}\"><title>{}</title></rect>", bankColor(chunk.bankGroup), words));
  if (kLetterWidth <= rect.width)
    svg += fmt::format(
        "<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        frame.left + rect.x + rect.width / 2, frame.top + rect.y + 10.3, chunk.bankGroup);
  return svg;
}

static std::string rowSvg(const BulkPicture &picture, const compiler::AccessRecord &record,
                          const Frame &frame, int64_t row) {
  const access::BulkRow facts = picture.row(row);
  const GridRect rect = frame.grid.row(row);
  std::string svg =
      fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                  frame.left - 6, frame.top + rect.y + 11, access::bulkRowName(facts));
  for (int64_t at = 0; at < picture.chunksPerRow(); ++at) {
    const BulkChunk chunk = picture.chunk(row, at);
    svg += chunkSvg(frame, chunk, profiler::escapeHtml(bulkChunkText(picture, chunk, record)));
  }
  if (facts.sectors == 0)
    return svg;
  for (const int64_t edge : picture.sectorEdges(row))
    if (edge >= facts.inside.begin && edge <= facts.inside.end)
      svg +=
          fmt::format("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#1d2330\" stroke-width=\"1.5\"/>",
                      frame.left + frame.grid.bytes(row, edge, edge).x, frame.top + rect.y + 1,
                      rect.height - 1);
  return svg;
}

static std::string headSvg(const BulkPicture &picture, const Frame &frame) {
  std::string svg =
      "<defs><pattern id=\"outside\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
      "<path d=\"M0 5L5 0\" stroke=\"#8a93a5\" stroke-width=\"0.9\" "
      "fill=\"none\"/></pattern></defs>";
  int64_t step = access::kChunkBytes;
  while (frame.grid.bytes(0, 0, step).width < 8 * kNameWidth && step < picture.rowBytes())
    step *= 2;
  for (int64_t at = 0; at < picture.rowBytes(); at += step)
    svg += fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"{:.1f}\">byte {}</text>",
                       frame.left + frame.grid.bytes(0, at, at).x, frame.top - 6, at);
  return svg;
}

std::optional<profiler::ReportDiagram> bulkDiagram(const compiler::RecordedBulkCopy &copy,
                                                   const compiler::AccessRecord &record) {
  const compiler::BulkExecution *execution = access::firstExecution(copy);
  const BulkPicture picture = execution ? BulkPicture(copy, *execution) : BulkPicture();
  if (picture.isEmpty())
    return std::nullopt;
  const int64_t numRows = std::min(picture.numRows(), kMostRows);
  size_t widest = 0;
  for (int64_t row = 0; row < numRows; ++row)
    widest = std::max(widest, access::bulkRowName(picture.row(row)).size());
  const Frame frame{{numRows, std::max<int64_t>(1, picture.rowBytes()), kWidth, kRowHeight},
                    static_cast<double>(widest) * kNameWidth + 10,
                    kOverview + kGap + kHead};
  std::string svg = headSvg(picture, frame) + overviewSvg(picture, frame.left);
  for (int64_t row = 0; row < numRows; ++row)
    svg += rowSvg(picture, record, frame, row);
  profiler::ReportDiagram diagram;
  diagram.title = access::bulkTitle(copy, record);
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"rows of the block that a bulk copy moves\">",
                            frame.left + kWidth + 2, frame.top + frame.grid.height() + 4) +
                svg + "</svg>";
  const auto &[x, y, z] = record.program;
  diagram.caption = fmt::format(
      "Program {}, {}, {}, its first execution that moves something: {}. {} Above, the block in "
      "its tensor. Each row is "
      "a row of the block in chunks of 16 bytes, colored and numbered by the four banks of shared "
      "memory that a chunk goes to; dark lines are edges of sectors, hatched is outside of the "
      "tensor.",
      x, y, z, access::bulkCostText(picture),
      access::bulkPlaceText(picture, access::bulkTensorName(*execution, record)));
  std::erase(diagram.caption, '`');
  if (numRows < picture.numRows())
    diagram.caption +=
        fmt::format(" Shown are the first {} of {} rows.", numRows, picture.numRows());
  return diagram;
}

} // namespace tilescope::app
