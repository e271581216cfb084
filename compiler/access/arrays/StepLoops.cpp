// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/StepLoops.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::access {

/// The steps and lines of each access in a loop of the program, by access.
static std::map<uint32_t, StepLoop> spansOf(const TouchedArrays &arrays, uint64_t program) {
  std::map<uint32_t, StepLoop> spans;
  for (size_t array = 0; array < arrays.numArrays(); ++array)
    for (const TouchedArrays::ArrayRun &each : arrays.runs(array, {program, program + 1})) {
      const TouchRun &run = arrays.trace().runs[each.run];
      const TouchAccess &access = arrays.access(run.access);
      if (!access.isInLoop || access.range.file != 0)
        continue;
      const uint32_t line = access.range.begin.line, end = run.firstStep + run.numSteps;
      const auto [found, isNew] =
          spans.try_emplace(run.access, StepLoop{{run.firstStep, end}, line, line});
      StepRange &steps = found->second.steps;
      steps = {std::min(steps.first, run.firstStep), std::max(steps.last, end)};
    }
  return spans;
}

std::vector<StepLoop> stepLoops(const TouchedArrays &arrays, uint64_t program) {
  std::vector<StepLoop> spans, loops;
  for (const auto &[access, span] : spansOf(arrays, program))
    spans.push_back(span);
  std::ranges::sort(spans, {}, [](const StepLoop &span) { return span.steps.first; });
  // What is executed in the same steps is in the same loop.
  for (const StepLoop &span : spans) {
    if (loops.empty() || span.steps.first >= loops.back().steps.last) {
      loops.push_back(span);
      continue;
    }
    StepLoop &loop = loops.back();
    loop.steps.last = std::max(loop.steps.last, span.steps.last);
    loop.firstLine = std::min(loop.firstLine, span.firstLine);
    loop.lastLine = std::max(loop.lastLine, span.lastLine);
  }
  return loops;
}

std::string stepLoopText(const TouchedArrays &arrays, uint64_t program, uint32_t step) {
  const std::vector<StepLoop> loops = stepLoops(arrays, program);
  if (loops.size() < 2)
    return "";
  for (const StepLoop &loop : loops) {
    if (step < loop.steps.first || step >= loop.steps.last)
      continue;
    const std::string first = std::to_string(loop.firstLine + 1);
    return "turn " + std::to_string(step - loop.steps.first) + " of 0–" +
           std::to_string(loop.steps.last - loop.steps.first - 1) + " of the loop with " +
           (loop.firstLine == loop.lastLine
                ? "line " + first
                : "lines " + first + " to " + std::to_string(loop.lastLine + 1));
  }
  return "";
}

} // namespace tilescope::compiler::access
