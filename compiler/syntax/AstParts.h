// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The parts of statements and expressions that are neither: parameters, arguments, names that are
// imported. See AstExpr.h.
#pragma once

#include "compiler/syntax/AstBase.h"

#include <optional>

namespace tilescope::compiler::ast {

struct Arg;

/// `T: bound = default`, `**P`, `*Ts`; `kind` says which.
struct TypeParam : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::TypeVar && node->kind <= NodeKind::TypeVarTuple;
  }
  Identifier name;
  /// Only for TypeVar; may be null.
  const Expr *bound;
  /// May be null.
  const Expr *defaultValue;
  template <typename F> void visitFields(F &&f) const {
    f("name", name);
    if (kind == NodeKind::TypeVar)
      f("bound", bound);
    f("default_value", defaultValue);
  }
};

/// `for target in iter if ...` of a comprehension. Has a range here, unlike in Python.
struct Comprehension : Node {
  TILESCOPE_AST_KIND(comprehension)
  const Expr *target;
  const Expr *iter;
  Seq<Expr> ifs;
  bool isAsync;
  template <typename F> void visitFields(F &&f) const {
    f("target", target);
    f("iter", iter);
    f("ifs", ifs);
    f("is_async", isAsync);
  }
};

struct ExceptHandler : Node {
  TILESCOPE_AST_KIND(ExceptHandler)
  /// May be null.
  const Expr *type;
  std::optional<Identifier> name;
  Seq<Stmt> body;
  TILESCOPE_AST_FIELDS(type, name, body)
};

/// Parameters of a function. Has a range here (empty at the closing parenthesis when there are
/// none).
struct Arguments : Node {
  TILESCOPE_AST_KIND(arguments)
  Seq<Arg> posonlyargs;
  Seq<Arg> args;
  /// `*args`, or null.
  const Arg *vararg;
  Seq<Arg> kwonlyargs;
  /// One per `kwonlyargs`, null where there is no default.
  Seq<Expr> kwDefaults;
  /// `**kwargs`, or null.
  const Arg *kwarg;
  /// For the last parameters of `posonlyargs` + `args`.
  Seq<Expr> defaults;
  template <typename F> void visitFields(F &&f) const {
    f("posonlyargs", posonlyargs);
    f("args", args);
    f("vararg", vararg);
    f("kwonlyargs", kwonlyargs);
    f("kw_defaults", kwDefaults);
    f("kwarg", kwarg);
    f("defaults", defaults);
  }
};

struct Arg : Node {
  TILESCOPE_AST_KIND(arg)
  Identifier arg;
  /// May be null.
  const Expr *annotation;
  TILESCOPE_AST_FIELDS(arg, annotation)
};

struct Keyword : Node {
  TILESCOPE_AST_KIND(keyword)
  /// Absent for `**value`.
  std::optional<Identifier> arg;
  const Expr *value;
  TILESCOPE_AST_FIELDS(arg, value)
};

struct Alias : Node {
  TILESCOPE_AST_KIND(alias)
  /// Dotted, or `*`.
  Identifier name;
  std::optional<Identifier> asname;
  TILESCOPE_AST_FIELDS(name, asname)
};

struct WithItem : Node {
  TILESCOPE_AST_KIND(withitem)
  const Expr *contextExpr;
  /// May be null.
  const Expr *optionalVars;
  template <typename F> void visitFields(F &&f) const {
    f("context_expr", contextExpr);
    f("optional_vars", optionalVars);
  }
};

} // namespace tilescope::compiler::ast
