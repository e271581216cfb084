// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/report/RegistersReport.h"

#include "compiler/machine/CodeLiveness.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::app {

namespace machine = compiler::machine;
using compiler::Stage;
using compiler::StageId;

static const Stage *finished(const compiler::CompileResult &result, StageId id) {
  const Stage *stage = result.stage(id);
  return stage && stage->ok && !stage->text.empty() ? stage : nullptr;
}

/// A bar for each of so many equal parts of the program.
static profiler::ReportDiagram liveDiagram(const machine::CodeLiveness &code, int64_t reserved) {
  constexpr double kLeft = 34, kWidth = 560, kTop = 16, kHeight = 120;
  constexpr size_t kMostBars = 280;
  const size_t steps = code.steps.size(), bars = std::min(steps, kMostBars);
  const auto top = static_cast<double>(std::max<int64_t>(code.peakRegisters(), reserved));
  const auto yOf = [&](int64_t registers) {
    return kTop + kHeight - kHeight * static_cast<double>(registers) / top;
  };
  std::string svg;
  for (size_t bar = 0; bar < bars; ++bar) {
    int most = 0;
    for (size_t step = bar * steps / bars; step < (bar + 1) * steps / bars; ++step)
      most = std::max(most, code.general(step));
    const double width = kWidth / static_cast<double>(bars);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" "
                       "fill=\"{}\"/>",
                       kLeft + static_cast<double>(bar) * width, yOf(most), width,
                       kTop + kHeight - yOf(most),
                       most == code.peakRegisters() ? "#b45309" : "#3b76c4");
  }
  for (const int64_t registers : {int64_t{0}, int64_t{code.peakRegisters()}})
    svg += fmt::format("<text class=\"faint\" x=\"4\" y=\"{:.1f}\">{}</text>", yOf(registers) + 4,
                       registers);
  if (reserved > 0)
    svg += fmt::format("<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" "
                       "stroke=\"#c02626\" stroke-dasharray=\"4 3\"/>",
                       kLeft, kLeft + kWidth, yOf(reserved));
  profiler::ReportDiagram diagram;
  diagram.title = "Live registers over the program";
  diagram.caption = "Instructions go to the right; the dashed line is what the assembler reserves.";
  diagram.svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
                            "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
                            "aria-label=\"live registers over the program\">{2}</svg>",
                            kLeft + kWidth + 4, kTop + kHeight + 8, svg);
  return diagram;
}

void addRegisters(const ReportInputs &inputs, profiler::ReportKernel &kernel) {
  const Stage *sass = finished(inputs.result, StageId::Sass);
  const Stage *cubin = finished(inputs.result, StageId::Cubin);
  const Stage *stage = sass ? sass : finished(inputs.result, StageId::Ptx);
  if (!stage)
    return;
  const machine::CodeLiveness code =
      sass ? machine::sassLiveness(sass->text, cubin ? cubin->text : std::string())
           : machine::ptxLiveness(stage->text);
  if (code.empty())
    return;
  const size_t peak = code.peak();
  for (const machine::AliveGroup &group : machine::aliveGroups(code, peak, stage->sourceMap)) {
    if (group.registers == 0)
      continue;
    kernel.liveValues.push_back(
        {group.place ? group.place->begin.line + 1 : 0,
         group.place ? machine::placeName(inputs.source, *group.place) : "made by the compiler",
         group.registers, machine::valueNames(code, group.values)});
  }
  const int64_t reserved = sass ? inputs.result.resources.registers : 0;
  kernel.liveOf =
      fmt::format("At most {} registers are alive in {}, at its line {}", code.peakRegisters(),
                  compiler::stageTitle(stage->id), code.lines[peak] + 1);
  kernel.liveOf += reserved > 0 ? fmt::format("; the assembler reserves {}.", reserved) : ".";
  kernel.liveDiagram = liveDiagram(code, reserved);
}

} // namespace tilescope::app
