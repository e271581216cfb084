// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ForeignNames.h"

#include "compiler/frontend/ArrayNames.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/frontend/Suggestions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace tilescope::compiler::frontend {

static constexpr std::string_view kThreadNames[] = {"blockDim", "blockIdx", "gridDim", "threadIdx"};

static bool isThreadName(std::string_view name) {
  return std::ranges::find(kThreadNames, name) != std::end(kThreadNames);
}

/// The names of threads and their blocks that an expression uses.
static std::set<std::string_view> threadNamesIn(const ast::Expr &expr) {
  std::set<std::string_view> names;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (name && isThreadName(name->id))
      names.insert(name->id);
    return true;
  });
  return names;
}

/// The right side of the assignment around a place; null where there is none.
static const ast::Expr *assignedAround(const ast::FunctionDef &function, const SourceRange &range) {
  const ast::Expr *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      if (assign && assign->value->range.begin <= range.begin &&
          range.end <= assign->value->range.end)
        found = assign->value;
      return true;
    });
  return found;
}

/// Threads are no part of the language: a program works on a whole block.
static void explainThreads(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  const ArrayName block = frame.function ? blockName(frame) : ArrayName{"BLOCK", true};
  const std::string code =
      "tl.program_id(0) * " + block.name + " + tl.arange(0, " + block.name + ")";
  diagnostic.message = "`" + std::string(name) +
                       "` is CUDA's: a kernel has no threads, and each of its programs works on a "
                       "block of elements, `" +
                       code + "`";
  diagnostic.notes = newNameNotes({}, {}, block);
  const ast::Expr *index =
      frame.function ? assignedAround(*frame.function, diagnostic.range) : nullptr;
  if (!index || !hasLanguageName(frame) ||
      threadNamesIn(*index) != std::set<std::string_view>{"blockDim", "blockIdx", "threadIdx"})
    return;
  SourceRange range = index->range;
  range.file = diagnostic.range.file;
  diagnostic.fixes = rewriteFix(frame, range, range, code);
}

bool explainForeign(Diagnostic &diagnostic, std::string_view name, const Frame &frame) {
  static constexpr std::pair<std::string_view, std::string_view> kValues[] = {
      {"true", "True"}, {"false", "False"},  {"null", "None"},
      {"NULL", "None"}, {"nullptr", "None"}, {"none", "None"}};
  if (isThreadName(name)) {
    explainThreads(diagnostic, name, frame);
    return true;
  }
  for (const auto &[foreign, own] : kValues)
    if (name == foreign) {
      suggest(diagnostic, own);
      return true;
    }
  return false;
}

} // namespace tilescope::compiler::frontend
