// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/ProgramsReport.h"

#include "compiler/access/arrays/PastEnd.h"
#include "compiler/access/arrays/TouchWords.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace access = compiler::access;
using access::ArrayGrid;
using access::ElementBox;
using access::StepRange;
using access::TouchedArrays;
using access::TouchKind;
using compiler::GridRect;

// Lengths in the picture.
static constexpr double kWidth = 700, kHeight = 300, kCaption = 20, kGap = 18;
/// Marks in one array.
static constexpr size_t kMostMarks = 600;

/// The slice in which a program begins.
static int64_t sliceOf(const TouchedArrays &arrays, size_t array, uint64_t program) {
  const auto boxes = arrays.boxes(array, program, {});
  return boxes.empty() ? 0 : boxes.front().box.first[0];
}

/// The window's colors of reads and writes in the light theme, with its patterns.
static std::string markSvg(const GridRect &rect, TouchKind kind, bool isNow) {
  const bool isRead = kind == TouchKind::Read;
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                     "fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\"{}><title>{}</title></rect>",
                     rect.x, rect.y, rect.width, rect.height,
                     isNow    ? (isRead ? "url(#reads)" : "url(#writes)")
                     : isRead ? "#2563c9"
                              : "#b45309",
                     isNow ? "1" : "0.14", isRead ? "#2563c9" : "#b45309",
                     isNow ? "" : " stroke-dasharray=\"3 2\"", isRead ? "read" : "written");
}

static std::string marksSvg(const TouchedArrays &arrays, size_t array, const ArrayGrid &grid,
                            uint64_t program, const StepRange &steps, bool isNow) {
  const int64_t slice = sliceOf(arrays, array, program);
  std::string svg;
  std::vector<std::pair<ElementBox, TouchKind>> drawn;
  for (const access::TouchedBox &touched : arrays.boxes(array, program, steps)) {
    const ElementBox &box = touched.box;
    const compiler::TouchAccess &by = arrays.access(touched.access);
    for (const TouchKind kind : {TouchKind::Read, TouchKind::Written}) {
      const bool isOf = kind == TouchKind::Read ? by.reads : by.writes;
      const auto rect = grid.box(box);
      if (!isOf || !rect || drawn.size() >= kMostMarks ||
          !box.contains(slice, box.first[1], box.first[2]) ||
          std::ranges::find(drawn, std::pair(box, kind)) != drawn.end())
        continue;
      drawn.emplace_back(box, kind);
      svg += markSvg(grid.seen(*rect), kind, isNow);
    }
  }
  return svg;
}

/// What masks turn off, and what is touched past the end.
static std::string outsideSvg(const TouchedArrays &arrays, size_t array, const ArrayGrid &grid,
                              uint64_t program, const StepRange &steps) {
  std::string svg;
  const auto add = [&](const std::vector<ElementBox> &boxes, const char *look, const char *title) {
    for (const ElementBox &box : boxes)
      if (const auto rect = grid.reached(box);
          rect && box.contains(sliceOf(arrays, array, program), box.first[1], box.first[2]))
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}>"
                           "<title>{}</title></rect>",
                           rect->x, rect->y, rect->width, rect->height, look, title);
  };
  add(maskedBlocks(arrays, array, program, steps), "fill=\"url(#masked)\" stroke=\"#5b6478\"",
      "masked");
  add(boxesPastEnd(arrays, array, program, steps), "fill=\"#c62828\"", "past the end");
  return svg;
}

static const std::string kPatterns =
    "<defs><pattern id=\"masked\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M0 6L6 0M0 0L6 6\" stroke=\"#5b6478\" fill=\"none\"/></pattern><pattern "
    "id=\"reads\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<rect width=\"6\" height=\"6\" fill=\"#9dbcf0\"/><path d=\"M0 6L6 0\" stroke=\"#1d3f7a\" "
    "fill=\"none\"/></pattern><pattern id=\"writes\" width=\"6\" height=\"6\" "
    "patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#f2c793\"/>"
    "<path d=\"M0 0L6 6\" stroke=\"#7a3a06\" fill=\"none\"/></pattern></defs>";

profiler::ReportDiagram programDiagram(const TouchedArrays &arrays, uint64_t program,
                                       uint32_t step) {
  std::vector<double> aspects;
  std::vector<access::PastEnd> past;
  for (size_t array = 0; array < arrays.numArrays(); ++array) {
    past.push_back(access::pastEnd(arrays, array));
    aspects.push_back(access::aspectOf(arrays.shape(array), past.back()));
  }
  const std::vector<GridRect> places =
      access::placeArrays(aspects, {kWidth, kHeight, kCaption, kGap});
  std::string svg = kPatterns;
  double bottom = 0;
  for (size_t array = 0; array < arrays.numArrays(); ++array) {
    const access::ArrayShape &shape = arrays.shape(array);
    const ArrayGrid grid =
        access::gridIn(places[array], shape, past[array], access::wholeWindow(shape));
    const GridRect &rect = grid.rect;
    bottom = std::max(bottom, rect.y + rect.height + grid.roomBelow);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text><rect x=\"{:.1f}\" y=\"{:.1f}\" "
                       "width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#8a93a5\"/>",
                       rect.x, rect.y - 6, profiler::escapeHtml(access::arrayTitle(arrays, array)),
                       rect.x, rect.y, rect.width, rect.height);
    svg += outsideSvg(arrays, array, grid, program, {step, step + 1});
    svg += marksSvg(arrays, array, grid, program, {}, false);
    svg += marksSvg(arrays, array, grid, program, {step, step + 1}, true);
  }
  profiler::ReportDiagram diagram;
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"what a program touches\">",
                            kWidth + 2, bottom + 2) +
                svg + "</svg>";
  const uint32_t numSteps = arrays.numSteps(program);
  diagram.title = fmt::format("Program {}", access::programText(program, arrays.trace().grid));
  diagram.caption =
      numSteps > 1
          ? fmt::format("Rising lines: read in iteration {} of 0–{}; falling lines: written in it; "
                        "dashed: in others. In all it {}.",
                        step, numSteps - 1, access::programTotals(arrays, program, {}))
          : fmt::format("Rising lines: read; falling lines: written. It {}.",
                        access::programTotals(arrays, program, {}));
  return diagram;
}

static std::string countsOf(const TouchedArrays &arrays, size_t array) {
  const access::ProgramRange all{0, access::numPrograms(arrays.trace().grid)};
  const TouchKind kind = arrays.isRead(array) ? TouchKind::Read : TouchKind::Written;
  const auto counts = access::countTouches(arrays, array, all, kind);
  if (!counts)
    return "";
  const uint64_t every = counts->sampledEvery() * arrays.trace().programs.stride;
  return access::countsText(*counts, kind) +
         (every > 1 ? fmt::format(" (of every {}th program)", every) : "");
}

/// The one in the middle of those that were traced, or the last before it that touches anything.
static uint64_t shownProgram(const TouchedArrays &arrays) {
  const compiler::ProgramSample &traced = arrays.trace().programs;
  const auto touches = [&](uint64_t program) {
    for (size_t array = 0; array < arrays.numArrays(); ++array)
      if (!arrays.boxes(array, program, {}).empty())
        return true;
    return false;
  };
  const uint64_t middle = traced.count / 2;
  for (uint64_t at = middle + 1; at-- > 0;)
    if (const uint64_t program = traced.first + at * traced.stride; touches(program))
      return program;
  return traced.first + middle * traced.stride;
}

void addPrograms(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  if (!inputs.touches)
    return;
  const TouchedArrays arrays(*inputs.touches);
  if (arrays.numArrays() == 0)
    return;
  const uint64_t count = access::numPrograms(arrays.trace().grid);
  const uint64_t program = shownProgram(arrays);
  for (size_t array = 0; array < arrays.numArrays(); ++array)
    kernel.arrays.push_back({access::arrayTitle(arrays, array),
                             access::touchText(arrays, array, program, {}),
                             countsOf(arrays, array)});
  kernel.programsNote =
      fmt::format("The grid has {} {}.", count, count == 1 ? "program" : "programs");
  constexpr uint64_t kAtOnce = access::kUsualMultiprocessors;
  if (const auto waves = count > 1 ? access::wavesTraffic(arrays, kAtOnce) : std::nullopt)
    kernel.programsNote +=
        fmt::format(" With {} of them at once, and a cache that keeps what they read: {}.", kAtOnce,
                    access::wavesText(*waves));
  kernel.programsDiagram = programDiagram(arrays, program, arrays.numSteps(program) / 2);
}

} // namespace tilescope::app
