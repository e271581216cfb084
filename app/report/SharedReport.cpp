// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/SharedReport.h"

#include "app/report/AccessReport.h"
#include "app/report/SvgParts.h"
#include "compiler/access/picture/SharedMap.h"
#include "compiler/access/picture/SharedWords.h"
#include "compiler/support/BytesText.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using access::SharedMap;
using access::SharedRow;
using compiler::GridRect;
using compiler::SharedAccess;
using compiler::SharedBuffer;
using compiler::SharedFacts;

/// Lengths in the picture; names are cut at so many letters.
static constexpr double kLeft = 250, kWidth = 520, kRowHeight = 18, kFoldedHeight = 5, kTop = 24;
static constexpr size_t kMostLetters = 38;
/// The page shows labels in 9 pixels of a code font.
static constexpr double kLetterWidth = 5.45;

static profiler::ReportSharedBuffer reportBuffer(const SharedFacts &facts, size_t index) {
  const SharedBuffer &buffer = facts.buffers[index];
  profiler::ReportSharedBuffer reported;
  if (!buffer.range.empty() && buffer.range.file == 0)
    reported.line = buffer.range.begin.line + 1;
  reported.title = access::bufferTitle(buffer);
  reported.offset = buffer.offset;
  reported.bytes = buffer.bytes;
  reported.life = access::lifeText(facts, index);
  reported.sharers = access::sharersSentence(facts, index);
  return reported;
}

/// Lines without their indentation.
static std::vector<std::string> linesOf(const std::string &source) {
  std::vector<std::string> lines(1);
  for (const char c : source) {
    if (c == '\n')
      lines.emplace_back();
    else if (!lines.back().empty() || c != ' ')
      lines.back() += c;
  }
  return lines;
}

/// Cut between characters of UTF-8.
static std::string shortened(std::string text) {
  if (text.size() <= kMostLetters)
    return text;
  size_t end = kMostLetters - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return text.substr(0, end) + "…";
}

static std::string rowSvg(const SharedFacts &facts, const SharedMap &map, size_t index,
                          const std::vector<std::string> &lines) {
  const SharedRow &row = map.rows()[index];
  const GridRect band = map.row(index);
  if (row.isFolded)
    return rectSvg(kLeft, kTop, band, "fill=\"#eceff4\"/>");
  const std::string name = access::stepsText(facts, row.begin, row.end);
  if (name.empty())
    return "";
  const auto line = static_cast<size_t>(std::atoll(name.c_str())) - 1;
  return fmt::format(
      "<text class=\"faint\" x=\"4\" y=\"{:.1f}\">{}</text>", kTop + band.y + band.height / 2 + 4,
      profiler::escapeHtml(name + "  " + shortened(line < lines.size() ? lines[line] : "")));
}

static std::string boxSvg(const SharedFacts &facts, const SharedMap &map, size_t index) {
  const SharedBuffer &buffer = facts.buffers[index];
  const GridRect &box = map.box(index);
  if (box.height <= 0)
    return "";
  const std::string color =
      familyColorText(static_cast<int64_t>(index), static_cast<int64_t>(facts.buffers.size()));
  std::string svg =
      rectSvg(kLeft, kTop, {box.x, box.y, std::max(1.0, box.width - 1), box.height - 1},
              fmt::format("fill=\"{}\"><title>{}, {}</title></rect>", color,
                          profiler::escapeHtml(access::bufferTitle(buffer)),
                          access::placeSentence(buffer)));
  for (int slot = 1; slot < buffer.slots; ++slot) {
    const double x = kLeft + box.x + box.width * slot / buffer.slots;
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#1d2330\" "
                       "stroke-dasharray=\"3 3\" stroke-opacity=\"0.6\"/>",
                       x, kTop + box.y + 1, kTop + box.y + box.height - 2);
  }
  std::string label = access::bufferLabel(buffer);
  if (buffer.slots > 1)
    label += fmt::format(", {} slots", buffer.slots);
  if (static_cast<double>(label.size()) * kLetterWidth <= box.width - 6)
    svg += fmt::format("<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       kLeft + box.x + 4, kTop + box.y + 11.5, profiler::escapeHtml(label));
  return svg;
}

profiler::ReportDiagram sharedMapDiagram(const SharedFacts &facts, const std::string &source) {
  const SharedMap map(facts, {kWidth, kRowHeight, kFoldedHeight, 6});
  const std::vector<std::string> lines = linesOf(source);
  std::string svg;
  const int64_t step = access::offsetStep(facts.total, 6);
  for (int64_t at = 0; at < facts.total; at += step)
    svg += fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"14\">{}</text>", kLeft + map.xOf(at),
                       bytesText(static_cast<uint64_t>(at)));
  for (size_t row = 0; row < map.rows().size(); ++row)
    svg += rowSvg(facts, map, row, lines);
  for (size_t buffer = 0; buffer < facts.buffers.size(); ++buffer)
    svg += boxSvg(facts, map, buffer);
  profiler::ReportDiagram diagram;
  diagram.title = "Who has which bytes";
  diagram.caption = "Bytes go to the right, the program goes down; a box is a buffer, or what an "
                    "operation needs for itself. Gray rows stand for lines without anything to do "
                    "with shared memory.";
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"map of shared memory\">",
                            kLeft + kWidth + 4, kTop + map.height() + 4) +
                svg + "</svg>";
  return diagram;
}

/// The counted access with the most passes beyond what would do; null where none has any.
static const SharedAccess *worstOf(const SharedFacts &facts) {
  const SharedAccess *worst = nullptr;
  uint64_t most = 0;
  for (const SharedAccess &each : facts.accesses) {
    const compiler::AccessCounts &counts = each.facts.counts;
    if (!each.uncounted.empty() || counts.wavefronts <= counts.minimumWavefronts + most)
      continue;
    most = counts.wavefronts - counts.minimumWavefronts;
    worst = &each;
  }
  return worst;
}

void addSharedMemory(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  if (!inputs.shared || inputs.shared->buffers.empty())
    return;
  const SharedFacts &facts = *inputs.shared;
  kernel.sharedOf = access::sharedSentence(facts);
  for (size_t i = 0; i < facts.buffers.size(); ++i)
    kernel.sharedBuffers.push_back(reportBuffer(facts, i));
  kernel.sharedMap = sharedMapDiagram(facts, inputs.source);
  const SharedAccess *worst = worstOf(facts);
  if (!worst)
    return;
  const access::AccessPicture picture({worst->lanes, {}, 1, {}}, worst->facts.action);
  kernel.sharedDiagram = requestDiagram(picture.request(0, 0, nullptr), {});
  kernel.sharedDiagram->title = access::sharedAccessTitle(*worst);
}

} // namespace tilescope::app
