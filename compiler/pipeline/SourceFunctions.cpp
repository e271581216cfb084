// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SourceFunctions.h"

#include "compiler/support/Text.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace tilescope::compiler {

/// Longer expressions are not shown in place of a name.
static constexpr uint32_t kMostColumns = 48;

/// The names of a target: one, or those of a tuple.
static std::vector<std::string> namesOf(const ast::Expr *target) {
  std::vector<std::string> names;
  if (const auto *name = ast::as<ast::Name>(target))
    names.emplace_back(name->id);
  if (const auto *tuple = ast::as<ast::Tuple>(target))
    for (const ast::Expr *part : tuple->elts)
      if (const auto *name = ast::as<ast::Name>(part))
        names.emplace_back(name->id);
  return names;
}

SourceFunctions::SourceFunctions(const std::vector<SourceFile> &files, std::string kernel)
    : m_files(files), m_kernel(std::move(kernel)), m_functions(files.size()),
      m_assignments(files.size()), m_calls(files.size()) {
  for (uint32_t file = 0; file < files.size(); ++file)
    if (isOwn({{}, {}, file}))
      read(file, files[file].text);
}

/// Whether an assignment gives names values that are there already.
static bool computesNothing(const ast::Expr *value) {
  if (const auto *tuple = ast::as<ast::Tuple>(value))
    return std::ranges::all_of(tuple->elts, computesNothing);
  return ast::as<ast::Name>(value) || ast::as<ast::Constant>(value);
}

void SourceFunctions::noteBinding(const ast::Expr *target, const ast::Expr *value,
                                  SourceRange place, uint32_t file) {
  place.file = file;
  const std::string function = functionAt(place);
  for (const std::string &name : namesOf(target)) {
    std::string key = std::to_string(file) + ":" + function + "." + name;
    const bool isFirst = m_bound.insert(key).second;
    if (!isFirst && value && computesNothing(value))
      m_rebound.insert(std::move(key));
  }
}

bool SourceFunctions::isRebound(const StepFrame &function, const std::string &name) const {
  return m_rebound.contains(std::to_string(function.range.file) + ":" + function.function + "." +
                            name);
}

static SourceFunctions::Parameter argumentOf(std::string name, const ast::Expr *value,
                                             const ast::SyntaxTree &tree) {
  if (const auto *variable = ast::as<ast::Name>(value))
    return {std::move(name), std::string(variable->id), {}};
  if (ast::as<ast::Constant>(value))
    return {std::move(name), {}, std::string(tree.text(value->range))};
  return {std::move(name), {}, {}};
}

void SourceFunctions::read(uint32_t file, const std::string &text) {
  for (const std::string_view word : wordsIn(text))
    m_words.emplace(word);
  const auto tree = ast::parseModule(text);
  const auto add = [&](const ast::Expr *target, SourceRange value) {
    value.file = file;
    if (std::vector<std::string> names = namesOf(target); !names.empty())
      m_assignments[file].push_back({std::move(names), value});
  };
  const auto visit = [&](const auto &self, const ast::Node &node) -> void {
    if (const auto *function = ast::as<ast::FunctionDef>(&node)) {
      Function &added =
          m_functions[file].emplace_back(Function{std::string(function->name), node.range, {}});
      for (const ast::Arg *parameter : function->args->args)
        added.parameters.emplace_back(parameter->arg);
    }
    if (const auto *call = ast::as<ast::Call>(&node))
      if (const auto *callee = ast::as<ast::Name>(call->func)) {
        Call &added = m_calls[file].emplace_back(
            Call{{node.range.begin, node.range.end, file}, std::string(callee->id), {}});
        for (const ast::Expr *argument : call->args)
          added.arguments.push_back(argumentOf({}, argument, *tree));
        for (const ast::Keyword *keyword : call->keywords)
          if (keyword->arg)
            added.arguments.push_back(
                argumentOf(std::string(*keyword->arg), keyword->value, *tree));
      }
    if (const auto *assign = ast::as<ast::Assign>(&node); assign && !assign->targets.empty())
      noteBinding(assign->targets.front(), assign->value, node.range, file);
    if (const auto *loop = ast::as<ast::For>(&node))
      noteBinding(loop->target, nullptr, node.range, file);
    if (const auto *augmented = ast::as<ast::AugAssign>(&node))
      noteBinding(augmented->target, nullptr, node.range, file);
    if (const auto *assign = ast::as<ast::Assign>(&node); assign && !assign->targets.empty())
      add(assign->targets.front(), assign->value->range);
    // What it computes is the whole statement.
    if (const auto *augmented = ast::as<ast::AugAssign>(&node))
      add(augmented->target, node.range);
    if (const auto *annotated = ast::as<ast::AnnAssign>(&node); annotated && annotated->value)
      add(annotated->target, annotated->value->range);
    ast::forEachChild(node, [&](const ast::Node &child) { self(self, child); });
  };
  visit(visit, *tree->module);
}

const SourceFunctions::Assignment *SourceFunctions::assignmentAt(const SourceRange &place) const {
  const Assignment *found = nullptr;
  if (place.file < m_assignments.size())
    for (const Assignment &each : m_assignments[place.file])
      if (each.value.begin <= place.begin && place.end <= each.value.end)
        found = &each;
  return found;
}

SourceFunctions::~SourceFunctions() = default;

std::vector<SourceFunctions::Parameter>
SourceFunctions::parametersOf(const StepFrame &function, const StepFrame &caller) const {
  std::vector<Parameter> parameters;
  const auto &functions = m_functions[function.range.file];
  const auto called = std::ranges::find(functions, function.function, &Function::name);
  const auto &calls = m_calls[caller.range.file];
  const auto call = std::ranges::find_if(calls, [&](const Call &each) {
    return each.range == caller.range && each.function == function.function;
  });
  if (called == functions.end() || call == calls.end())
    return parameters;
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    Parameter argument = call->arguments[i];
    if (argument.name.empty() && i < called->parameters.size())
      argument.name = called->parameters[i];
    if (!argument.name.empty() && (!argument.variable.empty() || !argument.constant.empty()))
      parameters.push_back(std::move(argument));
  }
  return parameters;
}

std::vector<SourceRange> SourceFunctions::ownFunctions() const {
  std::vector<SourceRange> ranges;
  if (!m_functions.empty())
    for (const Function &each : m_functions.front())
      ranges.push_back(each.range);
  return ranges;
}

bool SourceFunctions::isOwn(const SourceRange &range) const {
  return range.file < m_files.size() && !m_files[range.file].path.starts_with("<tilescope>/") &&
         (range.file == 0 || !m_files[range.file].text.empty());
}

std::string SourceFunctions::functionAt(const SourceRange &range) const {
  // The innermost comes last.
  const Function *found = nullptr;
  for (const Function &each : m_functions[range.file])
    if (each.range.begin <= range.begin && range.begin < each.range.end)
      found = &each;
  return found ? found->name : m_kernel;
}

std::vector<StepFrame> SourceFunctions::callsTo(const std::vector<SourceRange> &places) const {
  std::vector<StepFrame> calls;
  for (const SourceRange &place : places) {
    if (!isOwn(place))
      continue;
    StepFrame frame{functionAt(place), place};
    const bool isKnown = std::ranges::any_of(calls, [&](const StepFrame &each) {
      return each.function == frame.function && each.range.file == place.file;
    });
    if (!isKnown)
      calls.push_back(std::move(frame));
  }
  return calls;
}

std::string SourceFunctions::variableOf(std::string ssa) const {
  if (ssa.starts_with('%'))
    ssa.erase(0, 1);
  if (ssa.empty() || std::isdigit(static_cast<unsigned char>(ssa[0])))
    return {};
  if (const size_t number = ssa.find('#'); number != std::string::npos)
    ssa.resize(number);
  if (m_words.contains(ssa))
    return ssa;
  const size_t end = ssa.find_last_not_of("0123456789");
  if (end == std::string::npos || end + 1 == ssa.size() || ssa[end] != '_')
    return {};
  ssa.resize(end);
  return m_words.contains(ssa) ? ssa : std::string();
}

std::string SourceFunctions::textOf(const SourceRange &range) const {
  if (!isOwn(range) || range.begin.line != range.end.line ||
      range.end.column > range.begin.column + kMostColumns)
    return {};
  const std::string &text = m_files[range.file].text;
  size_t begin = 0;
  for (uint32_t line = 0; line < range.begin.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos)
      return {};
    ++begin;
  }
  return begin + range.end.column <= text.size()
             ? text.substr(begin + range.begin.column, range.end.column - range.begin.column)
             : std::string();
}

} // namespace tilescope::compiler
