// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/InspectionText.h"
#include "profiler/data/Text.h"

#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

/// `3`, `3,1` or `3,1,0`; empty: the whole grid.
static Result<std::optional<std::array<int32_t, 3>>> parseProgram(const std::string &text) {
  std::optional<std::array<int32_t, 3>> none;
  if (text.empty())
    return none;
  std::array<int32_t, 3> program{};
  const char *at = text.data(), *end = at + text.size();
  for (size_t axis = 0; axis < program.size(); ++axis) {
    const auto [next, fault] = std::from_chars(at, end, program[axis]);
    if (fault != std::errc())
      break;
    if (next == end)
      return std::optional(program);
    if (*next != ',')
      break;
    at = next + 1;
  }
  return Error{ErrorCode::Usage, "`" + text + "` is not a program of a grid",
               "write it as X, X,Y or X,Y,Z: `--program 3,1`"};
}

int runInspect(const InspectOptions &options) {
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error(), options.json);
  const auto program = parseProgram(options.program);
  if (!program)
    return reportError(program.error(), options.json);
  const Result<InputFile> input = readInput(options.file, selection->kernel);
  if (!input)
    return reportError(input.error(), options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<Inspection> inspection = inspectInput(worker, *input, *selection, {*program, {}});
  if (!inspection)
    return reportError(inspection.error(), options.json);
  printDiagnostics(inspection->diagnostics, inspection->files);
  if (options.json)
    printJson(inspectionJson(*inspection));
  else if (inspection->file.result.ok)
    std::fputs(profiler::printable(inspectionText(*inspection)).c_str(), stdout);
  return inspection->ok() ? 0 : 1;
}

} // namespace tilescope::app
