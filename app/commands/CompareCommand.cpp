// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/InspectionText.h"
#include "profiler/data/Text.h"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilescope::app {

namespace {

/// One of the two: `FILE`, `FILE@launch` or `FILE@cuda:80`.
struct Side {
  std::string file;
  /// A launch block, or a target.
  std::string variant;
};

} // namespace

static Side parseSide(const std::string &text) {
  const size_t at = text.rfind('@');
  std::error_code ignored;
  if (at == std::string::npos || std::filesystem::exists(text, ignored))
    return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

static Result<Inspection> inspectSide(compiler::WorkerClient &worker, const std::string &text,
                                      compiler::Selection selection) {
  const Side side = parseSide(text);
  if (side.variant.starts_with("cuda:"))
    selection.target = side.variant;
  else if (!side.variant.empty())
    selection.launch = side.variant;
  const Result<InputFile> input = readInput(side.file, selection.kernel);
  if (!input)
    return input.error();
  return inspectInput(worker, *input, selection);
}

int runCompare(const CompareOptions &options) {
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error(), options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  const Result<Inspection> before = inspectSide(worker, options.before, *selection);
  if (!before)
    return reportError(before.error(), options.json);
  const Result<Inspection> after = inspectSide(worker, options.after, *selection);
  if (!after)
    return reportError(after.error(), options.json);
  for (const Inspection *side : {&*before, &*after})
    printDiagnostics(side->diagnostics, side->files);
  const bool ok = before->ok() && after->ok();
  if (options.json)
    printJson({{"ok", ok},
               {"facts", ok ? differenceLine(*before, *after) : ""},
               {"before", inspectionJson(*before)},
               {"after", inspectionJson(*after)}});
  else if (ok)
    std::printf("%s\n", profiler::printableLine(differenceLine(*before, *after)).c_str());
  return ok ? 0 : 1;
}

} // namespace tilescope::app
