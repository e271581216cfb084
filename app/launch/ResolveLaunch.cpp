// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ResolveLaunch.h"

#include "compiler/constant/Evaluate.h"
#include "compiler/constant/Operators.h"
#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <charconv>

namespace tilescope::app {

namespace {

using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::Severity;
namespace constant = compiler::constant;

constant::Value toConstant(const profiler::LaunchValue &value) {
  struct Visitor {
    const std::string &text;
    constant::Value operator()(std::monostate) const { return constant::Value::none(); }
    constant::Value operator()(bool flag) const { return constant::Value::boolean(flag); }
    constant::Value operator()(int64_t number) const { return constant::Value::integer(number); }
    constant::Value operator()(uint64_t number) const {
      return constant::Value::integer(constant::Int::fromUint64(number));
    }
    constant::Value operator()(double number) const { return constant::Value::real(number); }
    constant::Value operator()(const std::string &string) const {
      return constant::Value::string(string);
    }
    constant::Value operator()(profiler::LaunchValue::Opaque) const {
      // Dtypes and tuples come back from their text.
      constant::ValueOrError again = constant::evaluateText(text, {});
      return again ? *again : constant::Value::none();
    }
  };
  return std::visit(Visitor{value.text}, value.value);
}

Result<profiler::LaunchValue> fromConstant(const constant::Value &value) {
  profiler::LaunchValue result;
  result.text = value.isDType() ? "tl." + value.dtype().languageName() : constant::repr(value);
  switch (value.kind()) {
  case constant::Value::Kind::None:
    break;
  case constant::Value::Kind::Bool:
    result.value = value.boolean();
    break;
  case constant::Value::Kind::Int:
    if (std::optional<int64_t> small = value.toInt64())
      result.value = *small;
    else if (std::optional<uint64_t> large = value.integer().toUint64())
      result.value = *large;
    else
      return Error{ErrorCode::InvalidInput, "`" + result.text + "` does not fit 64 bits", ""};
    break;
  case constant::Value::Kind::Float:
    result.value = value.real();
    break;
  case constant::Value::Kind::Str:
    result.value = value.str();
    break;
  default:
    result.value = profiler::LaunchValue::Opaque{};
  }
  return result;
}

/// The block that `wanted` means; -1 when there is none, with a diagnostic if one was asked for.
int chooseBlock(const std::vector<profiler::LaunchBlock> &blocks, const compiler::Selection &wanted,
                std::vector<Diagnostic> &diagnostics) {
  int numBlocks = static_cast<int>(blocks.size());
  if (!wanted.launch.empty()) {
    for (int i = 0; i < numBlocks; ++i)
      if (blocks[i].name == wanted.launch)
        return i;
    int position = -1;
    const char *end = wanted.launch.data() + wanted.launch.size();
    auto [last, error] = std::from_chars(wanted.launch.data(), end, position);
    if (error == std::errc() && last == end && position >= 0 && position < numBlocks)
      return position;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::LaunchUnknown;
    diagnostic.message = "there is no launch block `" + wanted.launch + "`; the file has " +
                         std::to_string(numBlocks);
    diagnostics.push_back(std::move(diagnostic));
    return -1;
  }
  for (int i = 0; i < numBlocks; ++i)
    if (wanted.kernel.empty() || blocks[i].kernel.empty() || blocks[i].kernel == wanted.kernel)
      return i;
  return -1;
}

Diagnostic toDiagnostic(const profiler::LaunchProblem &problem) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
  diagnostic.severity = problem.isError ? Severity::Error : Severity::Warning;
  diagnostic.range = problem.range;
  diagnostic.message = problem.message;
  if (!problem.hint.empty())
    diagnostic.notes.push_back(problem.hint);
  return diagnostic;
}

/// Keeps what the person said and adds what only the plan says.
void complete(std::map<std::string, std::string> &chosen,
              const std::map<std::string, std::string> &planned) {
  chosen.insert(planned.begin(), planned.end());
}

} // namespace

Result<profiler::LaunchValue> evaluateLaunchExpression(const std::string &text,
                                                       const profiler::LaunchNames &names) {
  std::map<std::string, constant::Value, std::less<>> values;
  for (const auto &[name, value] : names)
    values.emplace(name, toConstant(value));
  constant::ValueOrError value = constant::evaluateText(text, values);
  if (!value)
    return Error{ErrorCode::InvalidInput, value.error().text(), ""};
  return fromConstant(*value);
}

std::vector<std::string> launchNames(std::string_view text) {
  std::vector<std::string> names;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks) {
    // Results of a launch get its name.
    const bool usable = profiler::isFileName(block.name) &&
                        std::find(names.begin(), names.end(), block.name) == names.end();
    names.push_back(usable ? block.name : std::to_string(names.size()));
  }
  return names;
}

ResolvedLaunch resolveLaunch(std::string_view text, const compiler::Selection &wanted) {
  ResolvedLaunch resolved;
  resolved.selection = wanted;
  profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(text);
  for (const profiler::LaunchProblem &problem : blocks.problems)
    resolved.diagnostics.push_back(toDiagnostic(problem));

  resolved.block = chooseBlock(blocks.blocks, wanted, resolved.diagnostics);
  if (resolved.block < 0)
    return resolved;

  const profiler::LaunchBlock &block = blocks.blocks[resolved.block];
  profiler::LaunchOverrides overrides{wanted.sizes, wanted.constexprs, wanted.options};
  profiler::LaunchEvaluation evaluation =
      profiler::evaluateLaunch(block, overrides, evaluateLaunchExpression);
  for (const profiler::LaunchProblem &problem : evaluation.problems)
    resolved.diagnostics.push_back(toDiagnostic(problem));
  if (resolved.selection.kernel.empty())
    resolved.selection.kernel = block.kernel;
  if (!evaluation.plan)
    return resolved;

  resolved.plan = std::move(evaluation.plan);
  complete(resolved.selection.signature, profiler::launchSignature(*resolved.plan));
  complete(resolved.selection.constexprs, resolved.plan->constexprs);
  complete(resolved.selection.options, resolved.plan->options);
  return resolved;
}

} // namespace tilescope::app
