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

/// `tl.zeros(M, N)`: the last extent stands in the place of the type.
static void checkUntyped(const Frame &frame, const std::string &callee,
                         std::span<const std::string_view> parameters,
                         const std::vector<CallArgument> &arguments) {
  const bool areExtents = parameters.size() == 2 && parameters[1] == "dtype" &&
                          arguments.size() > 1 &&
                          std::ranges::all_of(arguments, [](const CallArgument &argument) {
                            return argument.keyword.empty() && isExtent(argument);
                          });
  if (!areExtents)
    return;
  std::string shape;
  for (const CallArgument &argument : arguments) {
    const std::string_view text = sourceText(frame, argument.range);
    shape += (shape.empty() ? "" : ", ") + std::string(text.empty() ? "BLOCK" : text);
  }
  const std::string code = "[" + shape + "], dtype=tl.float32";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  const SourceRange first = arguments.front().range, last = arguments.back().range;
  diagnostic.range = {first.begin, last.end, first.file};
  diagnostic.message =
      callee + " takes the shape as a list, and the type of the elements: `" + code + "`";
  if (hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, first, last, code);
  throw Failure{std::move(diagnostic)};
}

/// The argument for a parameter; null where the call has none.
static const CallArgument *argumentFor(std::string_view parameter,
                                       std::span<const std::string_view> parameters,
                                       const std::vector<CallArgument> &arguments) {
  const auto index =
      static_cast<size_t>(std::ranges::find(parameters, parameter) - parameters.begin());
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].keyword == parameter || (arguments[i].keyword.empty() && i == index))
      return &arguments[i];
  return nullptr;
}

/// `tl.zeros(BLOCK)`: a shape that is a number, and elements without a type.
static void checkOneExtent(Emitter &emitter, const std::string &callee,
                           std::span<const std::string_view> parameters,
                           const std::vector<CallArgument> &arguments) {
  const Frame &frame = emitter.frame();
  const CallArgument *shape = argumentFor("shape", parameters, arguments);
  const bool isTyped = std::ranges::find(parameters, "dtype") == parameters.end() ||
                       argumentFor("dtype", parameters, arguments);
  const bool isNumber = shape && isExtent(*shape);
  if (!shape || (isTyped && !isNumber))
    return;
  const std::string_view written = sourceText(frame, shape->range);
  const std::string list = "[" + std::string(written.empty() ? "BLOCK" : written) + "]";
  const std::string type = "dtype=tl.float32";
  const SourceRange last = arguments.back().range;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.range = shape->range;
  if (isTyped) {
    diagnostic.message = callee + " takes the shape as a list: `" + list + "`";
    diagnostic.fixes = rewriteFix(frame, shape->range, shape->range, list);
  } else if (isNumber) {
    diagnostic.message = callee + " takes the shape as a list, and the type of the elements: `" +
                         list + ", " + type + "`";
    if (arguments.size() == 1 && hasLanguageName(frame))
      diagnostic.fixes = rewriteFix(frame, shape->range, shape->range, list + ", " + type);
  } else {
    diagnostic.range = emitter.currentRange();
    diagnostic.message =
        callee + " is missing the argument `dtype`, the type of the elements: `" + type + "`";
    if (!sourceText(frame, last).empty() && hasLanguageName(frame))
      diagnostic.fixes.push_back(
          {{last.end, last.end, last.file}, ", " + type, "add `" + type + "`"});
  }
  throw Failure{std::move(diagnostic)};
}

void checkShapeArguments(Emitter &emitter, const std::string &callee,
                         std::span<const std::string_view> parameters,
                         const std::vector<CallArgument> &arguments) {
  if (parameters.empty() || parameters.front() != "shape")
    return;
  checkUntyped(emitter.frame(), callee, parameters, arguments);
  const size_t numExtents = countExtents(parameters, arguments);
  if (numExtents == 0)
    return checkOneExtent(emitter, callee, parameters, arguments);
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
