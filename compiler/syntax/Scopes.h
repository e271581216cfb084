// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// A name of one scope with every place where it is used.
struct Symbol {
  std::string_view name;
  /// Where it is bound, in source order: parameters, assignments, imports, definitions …
  std::vector<SourceRange> bindings;
  std::vector<SourceRange> uses;
  bool isParameter = false;
  /// The parameter's or variable's annotation; null when there is none.
  const Expr *annotation = nullptr;
};

/// A module, class, function, lambda or comprehension.
struct Scope {
  const Node *owner = nullptr;
  Scope *parent = nullptr;
  std::map<std::string_view, Symbol> symbols;
  std::vector<std::unique_ptr<Scope>> children;
  /// Names declared `global` or `nonlocal`.
  std::map<std::string_view, bool> outerNames;
};

/// The scopes of a file, by Python's rules. Refers to the tree.
class ScopeTable {
public:
  explicit ScopeTable(const Module &module);

  const Scope &moduleScope() const { return *m_module; }
  /// The innermost function, lambda, comprehension, class or module around a position. A position
  /// behind the last line of a function's body still belongs to it when it is indented deeper than
  /// `def`.
  const Scope &scopeAt(Position position) const;
  /// The symbol at a position, or null.
  const Symbol *symbolAt(Position position) const;
  /// What `name` means when it is read in `scope`, or null.
  static const Symbol *lookUp(const Scope &scope, std::string_view name);

private:
  std::unique_ptr<Scope> m_module;
};

} // namespace tilescope::compiler::ast
