// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/step/ConditionProblem.h"

#include "compiler/stepping/BlockExpression.h"
#include "compiler/stepping/BlockFunctions.h"
#include "compiler/syntax/Parser.h"

#include <QCoreApplication>

#include <algorithm>
#include <cctype>

namespace tilescope::app {

using namespace compiler;

static QString tr(const char *text) { return QCoreApplication::translate("Condition", text); }

/// Of variables and parameters, not of words in comments.
static bool hasName(const std::string &source, const std::string &name) {
  const std::shared_ptr<const ast::SyntaxTree> tree = ast::parseModule(source);
  bool found = false;
  ast::walk(*tree->module, [&](const ast::Node &node) {
    if (const auto *used = ast::as<ast::Name>(&node))
      found = found || used->id == name;
    else if (const auto *parameter = ast::as<ast::Arg>(&node))
      found = found || parameter->arg == name;
    return !found;
  });
  return found;
}

static bool isPartOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

/// `%acc` is no part of `%acc_1`; `%acc#1` is the second result of `%acc:2`.
static bool hasValue(const std::string &ir, const std::string &name) {
  const std::string value = name.substr(0, name.find('#'));
  for (size_t at = ir.find(value); at != std::string::npos; at = ir.find(value, at + 1))
    if (at + value.size() == ir.size() || !isPartOfName(ir[at + value.size()]))
      return true;
  return false;
}

QString conditionProblem(const QString &condition, const ConditionNames &names) {
  if (condition.isEmpty())
    return {};
  const auto parsed = stepping::BlockExpression::parse(condition.toStdString());
  if (!parsed)
    return tr("This cannot be read: %1.").arg(QString::fromStdString(parsed.error().message));
  if (const std::string unknown = parsed->unknownFunction(); !unknown.empty())
    return tr("Conditions have no function %1. They have %2.")
        .arg(QString::fromStdString(unknown), QString::fromStdString(stepping::functionNames()));
  for (const std::string &name : parsed->names()) {
    const QString shown = QString::fromStdString(name);
    if (name.starts_with('%')) {
      if (!names.ir.empty() && !hasValue(names.ir, name))
        return tr("%1 has no value %2.").arg(QString::fromStdString(names.irTitle), shown);
    } else if (!names.sources.empty() &&
               std::ranges::none_of(names.sources, [&](const std::string &source) {
                 return hasName(source, name);
               })) {
      return tr("The source has no variable %1.").arg(shown);
    }
  }
  return {};
}

} // namespace tilescope::app
