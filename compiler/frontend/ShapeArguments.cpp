// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ShapeArguments.h"

#include "compiler/frontend/Remedies.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

static bool isExtent(const CallArgument &argument) {
  const constant::Value *constant = argument.value.constant();
  return constant && constant->isInt();
}

/// The first arguments that are more than the one of the shape; 0 where it is one.
static size_t countExtents(std::span<const std::string_view> parameters,
                           const std::vector<CallArgument> &arguments) {
  const auto isKeyword = [&](std::string_view parameter) {
    return std::ranges::find(arguments, parameter, &CallArgument::keyword) != arguments.end();
  };
  const auto numOthers = std::ranges::count_if(
      parameters.subspan(1), [&](std::string_view parameter) { return !isKeyword(parameter); });
  const auto numPositional = std::ranges::count_if(
      arguments, [](const CallArgument &argument) { return argument.keyword.empty(); });
  const auto numExtents = numPositional - numOthers;
  const bool areExtents =
      numExtents > 1 && !isKeyword(parameters.front()) &&
      std::ranges::all_of(std::span(arguments).first(static_cast<size_t>(numExtents)), isExtent);
  return areExtents ? static_cast<size_t>(numExtents) : 0;
}

void checkShapeArguments(Emitter &emitter, const std::string &callee,
                         std::span<const std::string_view> parameters,
                         const std::vector<CallArgument> &arguments) {
  if (parameters.empty() || parameters.front() != "shape")
    return;
  const size_t numExtents = countExtents(parameters, arguments);
  if (numExtents == 0)
    return;
  std::string shape;
  for (size_t i = 0; i < numExtents; ++i) {
    const std::string_view text = sourceText(emitter.frame(), arguments[i].range);
    (shape += i ? ", " : "") +=
        text.empty() ? std::to_string(arguments[i].value.constant()->toInt64().value_or(0))
                     : std::string(text);
  }
  shape = "(" + shape + ")";
  const SourceRange first = arguments.front().range, last = arguments[numExtents - 1].range;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = {first.begin, last.end, first.file};
  diagnostic.message = callee + " takes the shape as one argument, a tuple: `" + shape + "`";
  diagnostic.fixes = rewriteFix(emitter.frame(), first, last, std::move(shape));
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
