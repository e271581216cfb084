// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/EndlessLoops.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

using Names = std::set<std::string_view>;

/// The names that are given values in code.
static Names storedNames(const Node &code) {
  Names names;
  walk(code, [&](const Node &node) {
    const auto *name = as<Name>(&node);
    if (name && name->ctx == ExprContext::Store)
      names.insert(name->id);
    return true;
  });
  return names;
}

/// The variables of a function: what it is handed at run time, and what it computes.
static Names variablesOf(const JitFunction &function) {
  Names names = storedNames(*function.def);
  for (const ParameterInfo &parameter : function.parameters)
    if (parameter.annotationKind != AnnotationKind::Constexpr)
      names.insert(parameter.name);
  return names;
}

/// The names in the condition of a loop; none where something else than numbers decides.
static std::vector<std::string_view> namesIn(const Expr &test) {
  std::vector<std::string_view> names;
  bool isPlain = true;
  walk(test, [&](const Node &node) {
    isPlain &= !is<Call>(&node) && !is<Attribute>(&node) && !is<Subscript>(&node);
    const auto *name = as<Name>(&node);
    if (name && std::ranges::find(names, name->id) == names.end())
      names.push_back(name->id);
    return isPlain;
  });
  return isPlain ? names : std::vector<std::string_view>();
}

/// Whether the body leaves the loop in another way.
static bool isLeft(const While &loop) {
  bool found = false;
  for (const Stmt *statement : loop.body)
    walk(*statement, [&](const Node &node) {
      found |= is<Break>(&node) || is<Return>(&node);
      return !found;
    });
  return found;
}

static bool changesAny(const While &loop, const std::vector<std::string_view> &names) {
  for (const Stmt *statement : loop.body)
    for (const std::string_view name : storedNames(*statement))
      if (std::ranges::find(names, name) != names.end())
        return true;
  return false;
}

static Diagnostic endless(const While &loop, const std::vector<std::string_view> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += std::string(i == 0                  ? ""
                        : i + 1 == names.size() ? " or "
                                                : ", ") +
            "`" + std::string(names[i]) + "`";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::EndlessLoop;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = loop.test->range;
  diagnostic.message =
      "this loop does not end once it has begun: nothing in its body changes " + text;
  return diagnostic;
}

std::vector<Diagnostic> endlessLoops(const ModuleIndex &index) {
  std::vector<Diagnostic> found;
  for (const JitFunction &function : index.functions) {
    const Names variables = variablesOf(function);
    walk(*function.def, [&](const Node &node) {
      const auto *loop = as<While>(&node);
      if (!loop)
        return true;
      const std::vector<std::string_view> names = namesIn(*loop->test);
      const bool isRunTime = std::ranges::any_of(
          names, [&](std::string_view name) { return variables.contains(name); });
      if (isRunTime && !isLeft(*loop) && !changesAny(*loop, names))
        found.push_back(endless(*loop, names));
      return true;
    });
  }
  return found;
}

} // namespace tilescope::compiler::ast
