// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tilescope::app {

/// The function of a kernel in the text that was run, for advice that is read off it.
class KernelText {
public:
  /// `kernel`: empty for the first one.
  KernelText(std::string_view text, const std::string &kernel);

  /// Null: it is not of this text.
  const compiler::ast::FunctionDef *function() const { return m_function; }
  const compiler::ast::SyntaxTree &tree() const { return *m_tree; }
  std::string_view text(const compiler::ast::Node &node) const;
  /// Visits every node of the function's body.
  void walk(const std::function<void(const compiler::ast::Node &)> &visit) const;
  /// The parameter of that name; null: there is none.
  const compiler::ast::Arg *parameter(std::string_view name) const;
  /// What a name is assigned, if that is only one statement of the function; null for all others.
  const compiler::ast::Assign *onlyAssignment(std::string_view name) const;
  /// What a name stands for, if it is given that once; else the expression itself.
  const compiler::ast::Expr *valueOf(const compiler::ast::Expr *expr) const;
  /// Whether any part of an expression, or of what its names stand for, is so.
  bool isMadeOf(const compiler::ast::Expr &expr,
                const std::function<bool(const compiler::ast::Node &)> &isPart,
                int depth = 0) const;

  /// The call of a function of the language, `tl.NAME(…)`; null for everything else.
  static const compiler::ast::Call *callOf(const compiler::ast::Node *node, std::string_view name);
  static std::string_view nameOf(const compiler::ast::Expr *expr);

private:
  std::shared_ptr<const compiler::ast::SyntaxTree> m_tree;
  const compiler::ast::FunctionDef *m_function = nullptr;
};

} // namespace tilescope::app
