// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/AccessReport.h"

#include "app/report/BulkReport.h"
#include "app/report/SvgParts.h"
#include "compiler/access/Transactions.h"
#include "compiler/access/picture/AccessWords.h"
#include "compiler/access/picture/BulkPicture.h"
#include "compiler/access/picture/RequestGrid.h"
#include "compiler/support/Counted.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using access::PictureRun;
using access::RequestGrid;
using access::RequestPicture;
using compiler::AccessFacts;
using compiler::GridRect;

/// Lines that are drawn at most.
static constexpr size_t kMostLines = 32;
// Lengths in the picture.
static constexpr double kWidth = 560, kRowHeight = 14, kGap = 4, kTop = 20;
/// The page shows labels in 9 pixels of a code font, and names in 11.5.
static constexpr double kLetterWidth = 5.45, kNameWidth = 6.5;

static profiler::ReportAccess reportAccess(const AccessFacts &facts) {
  profiler::ReportAccess access;
  access.line = facts.range.empty() || facts.range.file != 0 ? 0 : facts.range.begin.line + 1;
  access.title = access::accessTitle(facts);
  access.reason = access::widthSentence(facts);
  access.isShared = isShared(facts.action);
  access.vectorBytes = facts.vectorBytes;
  access.requests = facts.counts.requests;
  access.sectors = facts.counts.sectors;
  access.bytesUsed = facts.counts.bytesUsed;
  access.bytesFetched = facts.counts.bytesFetched;
  access.wavefronts = facts.counts.wavefronts;
  access.minimumWavefronts = facts.counts.minimumWavefronts;
  access.efficiency = access::efficiency(facts);
  return access;
}

/// `copy`: what was recorded of it; null: it is no bulk copy.
static profiler::ReportAccess uncounted(const compiler::UncountedAccess &left,
                                        const compiler::RecordedBulkCopy *copy,
                                        const compiler::AccessRecord &record) {
  profiler::ReportAccess access;
  access.line = left.range.empty() || left.range.file != 0 ? 0 : left.range.begin.line + 1;
  access.title = copy ? access::bulkTitle(*copy, record) : left.operation;
  access.reason = "not counted: " + left.reason;
  access.isCounted = false;
  return access;
}

static std::string ofWhom(const compiler::MemoryFacts &memory) {
  if (memory.program)
    return fmt::format("program {}, {}, {} alone", (*memory.program)[0], (*memory.program)[1],
                       (*memory.program)[2]);
  return memory.programs == 1 ? "the only program"
                              : fmt::format("all {} programs", memory.programs);
}

static std::string lineSvg(const RequestPicture &request, const RequestGrid &grid, size_t line,
                           double left) {
  std::string svg;
  for (const access::ByteRange &part : request.unused(line))
    svg += rectSvg(left, kTop, grid.bytes(line, part.begin, part.end),
                   "fill=\"url(#unused)\"><title>in a sector, not used</title></rect>");
  const int unit = request.unitBytes();
  for (int at = 0; at < access::kLineBytes; at += unit) {
    const bool isTouched = (request.lines[line].units >> (at / unit) & 1) != 0;
    svg += rectSvg(left, kTop, grid.bytes(line, at, at + unit),
                   isTouched ? "fill=\"none\" stroke=\"#8a93a5\"/>"
                             : "fill=\"none\" stroke=\"#c4cad6\" stroke-dasharray=\"1 2\"/>");
  }
  return svg;
}

static std::string runSvg(const RequestPicture &request, const RequestGrid &grid,
                          const PictureRun &run, double left) {
  const access::PicturePlace &first = request.first(run);
  const GridRect rect = grid.bytes(first.line, first.begin, request.last(run).end);
  std::string svg =
      rectSvg(left, kTop, {rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1},
              fmt::format("fill=\"{}\"><title>{}</title></rect>",
                          familyColorText(first.firstLane(), access::kLanes),
                          access::lanesText(first.lanes)));
  const std::string label = access::lanesLabel(first.lanes);
  if (double(label.size()) * kLetterWidth <= rect.width)
    svg += fmt::format(
        "<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        left + rect.x + rect.width / 2, kTop + rect.y + 10.3, label);
  return svg;
}

static std::string headSvg(const RequestPicture &request, const RequestGrid &grid, double left) {
  std::string svg = "<defs><pattern id=\"unused\" width=\"5\" height=\"5\" "
                    "patternUnits=\"userSpaceOnUse\"><path d=\"M0 5L5 0\" stroke=\"#8a93a5\" "
                    "stroke-width=\"0.9\" fill=\"none\"/></pattern></defs>";
  const int step =
      request.isShared ? int(access::kBankBytes) * 8 : static_cast<int>(access::kSectorBytes);
  for (int at = 0; at < access::kLineBytes; at += step)
    svg += fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"14\">{} {}</text>",
                       left + grid.bytes(0, at, at + step).x, request.isShared ? "bank" : "byte",
                       request.isShared ? at / int(access::kBankBytes) : at);
  return svg;
}

profiler::ReportDiagram requestDiagram(const RequestPicture &request,
                                       const compiler::AccessRecord &record) {
  const size_t numLines = std::min(request.lines.size(), kMostLines);
  const RequestGrid grid(request, {kWidth, kRowHeight, kGap});
  std::vector<std::string> names;
  size_t widest = 0;
  for (size_t line = 0; line < numLines; ++line) {
    const int64_t address = request.lines[line].address;
    names.push_back(request.isShared ? fmt::format("{} B", address)
                                     : access::addressText(record, address));
    widest = std::max(widest, names.back().size());
  }
  const double left = double(widest) * kNameWidth + 10;
  std::string svg = headSvg(request, grid, left);
  for (size_t line = 0; line < numLines; ++line)
    svg += fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
                       "</text>",
                       left - 6, kTop + grid.row(line).y + 11, profiler::escapeHtml(names[line])) +
           lineSvg(request, grid, line, left);
  for (const PictureRun &run : request.runs)
    if (request.first(run).line < numLines)
      svg += runSvg(request, grid, run, left);
  const GridRect last = grid.row(numLines - 1);
  profiler::ReportDiagram diagram;
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"memory that a request touches\">",
                            left + kWidth + 2, kTop + last.y + last.height + 4) +
                svg + "</svg>";
  diagram.caption = fmt::format(
      "One instruction of warp {}. Each row is {} of 128 bytes, colored and numbered by the lanes "
      "that ask for it; hatched is what is fetched and not used. {} in {}, {} would do.",
      request.warp, request.isShared ? "a row of the banks" : "a line",
      counted(request.counts.sectors, "sector"), counted(request.counts.lines, "line"),
      request.leastSectors());
  if (request.isShared)
    diagram.caption = fmt::format(
        "One instruction of warp {}. Each row is 128 bytes of shared memory in their 32 banks, "
        "colored and numbered by lane. {} wavefronts, at least {}.",
        request.warp, request.counts.wavefronts, request.counts.minimumWavefronts);
  if (numLines < request.lines.size())
    diagram.caption +=
        fmt::format(" Shown are the first {} of {} lines.", numLines, request.lines.size());
  return diagram;
}

/// The first request with a lane that is on; nothing where there is none to draw.
static std::optional<RequestPicture> pictureOf(const ReportInputs &inputs, size_t index) {
  const AccessFacts &facts = inputs.memory->accesses[index];
  const compiler::RecordedAccess &recorded = inputs.record.accesses[index];
  if (isShared(facts.action) || recorded.executions.empty())
    return std::nullopt;
  const compiler::RecordedExecution &execution = recorded.executions.front();
  const access::AccessPicture picture(recorded, facts.action);
  const auto [warp, instruction] = picture.firstRequest(&execution);
  RequestPicture request = picture.request(warp, instruction, &execution);
  return request.lines.empty() ? std::nullopt : std::optional(std::move(request));
}

void addAccesses(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  if (!inputs.memory)
    return;
  const compiler::MemoryFacts &memory = *inputs.memory;
  kernel.accessesOf = ofWhom(memory);
  const bool isRecorded = inputs.record.accesses.size() == memory.accesses.size();
  for (const size_t index : access::worstFirst(memory.accesses)) {
    kernel.accesses.push_back(reportAccess(memory.accesses[index]));
    const auto request =
        isRecorded && !kernel.accessDiagram ? pictureOf(inputs, index) : std::nullopt;
    if (!request)
      continue;
    kernel.accessDiagram = requestDiagram(*request, inputs.record);
    const profiler::ReportAccess &drawn = kernel.accesses.back();
    kernel.accessDiagram->title =
        drawn.line > 0 ? fmt::format("{}, line {}", drawn.title, drawn.line) : drawn.title;
  }
  for (size_t index = 0; index < memory.uncounted.size(); ++index) {
    const compiler::RecordedBulkCopy *copy = access::bulkCopyOf(inputs.record, index);
    kernel.accesses.push_back(uncounted(memory.uncounted[index], copy, inputs.record));
    if (!copy || kernel.bulkDiagram)
      continue;
    kernel.bulkDiagram = bulkDiagram(*copy, inputs.record);
    if (const uint32_t line = kernel.accesses.back().line; kernel.bulkDiagram && line > 0)
      kernel.bulkDiagram->title += fmt::format(", line {}", line);
  }
}

} // namespace tilescope::app
