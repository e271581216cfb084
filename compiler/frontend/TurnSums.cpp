// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/TurnSums.h"

#include "compiler/frontend/LastAssignment.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/StartValue.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// `tl.sum(x)`, `x.sum()` or `sum(x)`; null: another expression.
static const ast::Call *sumCall(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *member = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  const auto *plain = call ? ast::as<ast::Name>(call->func) : nullptr;
  const std::string_view callee = member ? member->attr : plain ? plain->id : std::string_view();
  return callee == "sum" ? call : nullptr;
}

static int countUses(const ast::Node &node, std::string_view name) {
  int numUses = 0;
  ast::walk(node, [&](const ast::Node &each) {
    const auto *use = ast::as<ast::Name>(&each);
    numUses += use && use->id == name;
    return true;
  });
  return numUses;
}

static int countUses(const ast::FunctionDef &function, std::string_view name) {
  int numUses = 0;
  for (const ast::Stmt *statement : function.body)
    numUses += countUses(*statement, name);
  return numUses;
}

/// The only assignment to a name; null: there are others, or none.
static const ast::Assign *onlyAssignment(const Frame &frame, std::string_view name) {
  const ast::Assign *only = nullptr;
  int numFound = 0;
  forEachAssignment(frame, name, [&](const ast::Assign &assign) {
    only = &assign;
    ++numFound;
  });
  return numFound == 1 ? only : nullptr;
}

std::optional<DiagnosticFix> sumOfTurns(const Frame &frame, std::string_view name) {
  const ast::Assign *assign = frame.function ? onlyAssignment(frame, name) : nullptr;
  if (!assign || !sumCall(*assign->value))
    return std::nullopt;
  for (const ast::Stmt *statement : frame.function->body) {
    const auto *loop = ast::as<ast::For>(statement);
    if (!loop || std::ranges::find(loop->body, assign) == loop->body.end())
      continue;
    const SourceRange before{loop->range.begin, assign->range.begin, 0};
    const std::string_view header = sourceText(frame, before);
    const std::string subject(name), code = startOfSum(frame, *assign->value);
    if (header.empty() || code.empty() || countUses(*loop, name) != 1)
      return std::nullopt;
    const std::string start = subject + " = " + code;
    return DiagnosticFix{{loop->range.begin, assign->value->range.begin, 0},
                         start + "\n" + std::string(loop->range.begin.column, ' ') +
                             std::string(header) + subject + " += ",
                         "add up the sums of all turns: `" + start + "` before the loop, `" +
                             subject + " +=` in it"};
  }
  return std::nullopt;
}

/// The name that a call sums up alone; null: it is another call.
static const ast::Name *summedName(const ast::Node &node) {
  const ast::Call *sum = sumCall(node);
  return sum && sum->args.size() == 1 && sum->keywords.empty()
             ? ast::as<ast::Name>(sum->args.front())
             : nullptr;
}

/// The calls that sum a name up, where it is used in nothing else beside its assignment and its `append`.
static std::vector<const ast::Call *> onlySums(const ast::FunctionDef &function,
                                               std::string_view name) {
  std::vector<const ast::Call *> sums;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const ast::Name *summed = summedName(node); summed && summed->id == name)
        sums.push_back(sumCall(node));
      return true;
    });
  if (countUses(function, name) != int(sums.size()) + 2)
    sums.clear();
  return sums;
}

bool sumsList(const Frame &frame, const SourceRange &callee) {
  bool isList = false;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const ast::Name *summed = summedName(node);
      if (!summed || sumCall(node)->func->range.begin != callee.begin)
        return true;
      const ast::Assign *made = onlyAssignment(frame, summed->id);
      isList |= made && ast::is<ast::List>(made->value);
      return true;
    });
  return isList;
}

std::optional<DiagnosticFix> sumInsteadOfList(const Frame &frame, const SourceRange &member) {
  const ast::Call *append = nullptr;
  for (size_t i = 0; frame.function && i < frame.function->body.size(); ++i)
    ast::walk(*frame.function->body[i], [&](const ast::Node &node) {
      const auto *statement = ast::as<ast::ExprStmt>(&node);
      const auto *call = statement ? ast::as<ast::Call>(statement->value) : nullptr;
      if (call && call->func->range.end == member.end)
        append = call;
      return !append;
    });
  const auto *callee = append ? ast::as<ast::Attribute>(append->func) : nullptr;
  const auto *list =
      callee && callee->attr == "append" ? ast::as<ast::Name>(callee->value) : nullptr;
  const ast::Assign *made = list ? onlyAssignment(frame, list->id) : nullptr;
  const auto *empty = made ? ast::as<ast::List>(made->value) : nullptr;
  if (!empty || !empty->elts.empty() || append->args.size() != 1)
    return std::nullopt;
  const std::vector<const ast::Call *> sums = onlySums(*frame.function, list->id);
  // Python's `sum` adds the elements of a list, each a block, which then has been done.
  const auto isPythons = [](const ast::Call *sum) { return ast::is<ast::Name>(sum->func); };
  const ast::Call *done = sums.size() == 1 && isPythons(sums.front()) ? sums.front() : nullptr;
  if (sums.empty() || (!done && std::ranges::any_of(sums, isPythons)) ||
      (done && done->range.begin < append->range.end))
    return std::nullopt;
  const std::string name(list->id), start = startOfSum(frame, *append->args.front());
  const std::string_view between =
      sourceText(frame, {made->range.end, append->range.begin, member.file});
  const std::string_view value = sourceText(
      frame, {append->args.front()->range.begin, append->args.front()->range.end, member.file});
  if (start.empty() || between.empty() || value.empty())
    return std::nullopt;
  std::string text = start + std::string(between) + name + " += " + std::string(value);
  if (done)
    text +=
        std::string(sourceText(frame, {append->range.end, done->range.begin, member.file})) + name;
  return DiagnosticFix{{made->value->range.begin, (done ? done : append)->range.end, 0},
                       std::move(text),
                       "add up in place of a list: begin with `" + name + " = " + start +
                           "`, then `" + name + " += …`"};
}

} // namespace tilescope::compiler::frontend
