// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/TunedList.h"

#include "compiler/inference/AutotuneConfigs.h"
#include "compiler/support/TextOffset.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <map>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Configuration;

/// The list itself, or what the name of a global stands for.
static const ast::List *writtenList(const ast::ModuleIndex &index, const ast::Expr &configs) {
  const ast::Expr *expr = &configs;
  if (const auto *name = ast::as<ast::Name>(expr))
    if (const ast::ModuleConstant *global = index.findConstant(name->id))
      expr = global->value;
  return ast::as<ast::List>(expr);
}

static bool hasAll(const std::map<std::string, std::string> &all,
                   const std::map<std::string, std::string> &some) {
  return std::ranges::all_of(some, [&](const auto &each) {
    const auto found = all.find(each.first);
    return found != all.end() && found->second == each.second;
  });
}

static std::string configText(std::string_view callee, const Configuration &configuration) {
  std::string text(callee);
  text += "({";
  for (const auto &[name, value] : configuration.constexprs)
    text += (text.ends_with('{') ? "\"" : ", \"") + name + "\": " + value;
  text += "}";
  for (const auto &[name, value] : configuration.options)
    text += ", " + name + "=" + value;
  return text + ")";
}

std::optional<std::string> withConfiguration(const std::string &text, std::string_view kernel,
                                             const Configuration &chosen) {
  const auto tree = ast::parseModule(text);
  const ast::ModuleIndex index = ast::indexModule(*tree);
  const ast::JitFunction *function = index.findFunction(kernel);
  if (!function || !function->autotuneConfigs)
    return std::nullopt;
  const ast::List *list = writtenList(index, *function->autotuneConfigs);
  const std::vector<Configuration> known = compiler::inference::configurationsOf(index, *function);
  if (!list || list->elts.empty() || known.empty())
    return std::nullopt;
  for (const Configuration &each : known)
    if (hasAll(each.constexprs, chosen.constexprs) && hasAll(each.options, chosen.options))
      return std::nullopt;
  const auto *first = ast::as<ast::Call>(list->elts[0]);
  if (!first)
    return std::nullopt;
  Configuration added = chosen;
  added.constexprs.insert(known.front().constexprs.begin(), known.front().constexprs.end());
  added.options.insert(known.front().options.begin(), known.front().options.end());
  const size_t begin = offsetOf(text, first->func->range.begin);
  const size_t end = offsetOf(text, first->func->range.end);
  const size_t place = offsetOf(text, list->elts[list->elts.size() - 1]->range.end);
  std::string result = text;
  result.insert(place, ", " + configText(std::string_view(text).substr(begin, end - begin), added));
  return result;
}

} // namespace tilescope::app
