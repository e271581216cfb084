// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements. See AstExpr.h.
#pragma once

#include "compiler/syntax/AstExpr.h"
#include "compiler/syntax/AstParts.h"
#include "compiler/syntax/AstPattern.h"

namespace tilescope::compiler::ast {

struct Module : Node {
  TILESCOPE_AST_KIND(Module)
  Seq<Stmt> body;
  TILESCOPE_AST_FIELDS(body)
};

/// `def` and `async def`; `kind` says which.
struct FunctionDef : Stmt {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::FunctionDef || node->kind == NodeKind::AsyncFunctionDef;
  }
  Identifier name;
  const Arguments *args;
  Seq<Stmt> body;
  Seq<Expr> decoratorList;
  /// The annotation after `->`, or null.
  const Expr *returns;
  Seq<TypeParam> typeParams;
  SourceRange nameRange;
  template <typename F> void visitFields(F &&f) const {
    f("name", name);
    f("args", args);
    f("body", body);
    f("decorator_list", decoratorList);
    f("returns", returns);
    f("type_params", typeParams);
  }
};

struct ClassDef : Stmt {
  TILESCOPE_AST_KIND(ClassDef)
  Identifier name;
  Seq<Expr> bases;
  Seq<Keyword> keywords;
  Seq<Stmt> body;
  Seq<Expr> decoratorList;
  Seq<TypeParam> typeParams;
  SourceRange nameRange;
  template <typename F> void visitFields(F &&f) const {
    f("name", name);
    f("bases", bases);
    f("keywords", keywords);
    f("body", body);
    f("decorator_list", decoratorList);
    f("type_params", typeParams);
  }
};

struct Return : Stmt {
  TILESCOPE_AST_KIND(Return)
  /// Null for a bare `return`.
  const Expr *value;
  TILESCOPE_AST_FIELDS(value)
};

struct Delete : Stmt {
  TILESCOPE_AST_KIND(Delete)
  Seq<Expr> targets;
  TILESCOPE_AST_FIELDS(targets)
};

struct Assign : Stmt {
  TILESCOPE_AST_KIND(Assign)
  Seq<Expr> targets;
  const Expr *value;
  TILESCOPE_AST_FIELDS(targets, value)
};

/// `type NAME[...] = value`
struct TypeAlias : Stmt {
  TILESCOPE_AST_KIND(TypeAlias)
  const Expr *name;
  Seq<TypeParam> typeParams;
  const Expr *value;
  template <typename F> void visitFields(F &&f) const {
    f("name", name);
    f("type_params", typeParams);
    f("value", value);
  }
};

struct AugAssign : Stmt {
  TILESCOPE_AST_KIND(AugAssign)
  const Expr *target;
  BinaryOpKind op;
  const Expr *value;
  TILESCOPE_AST_FIELDS(target, op, value)
};

struct AnnAssign : Stmt {
  TILESCOPE_AST_KIND(AnnAssign)
  const Expr *target;
  const Expr *annotation;
  /// Null for a declaration without value.
  const Expr *value;
  /// Whether the target is a bare name (not in parentheses).
  bool simple;
  TILESCOPE_AST_FIELDS(target, annotation, value, simple)
};

/// `for` and `async for`; `kind` says which.
struct For : Stmt {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::For || node->kind == NodeKind::AsyncFor;
  }
  const Expr *target;
  const Expr *iter;
  Seq<Stmt> body;
  Seq<Stmt> orelse;
  TILESCOPE_AST_FIELDS(target, iter, body, orelse)
};

struct While : Stmt {
  TILESCOPE_AST_KIND(While)
  const Expr *test;
  Seq<Stmt> body;
  Seq<Stmt> orelse;
  TILESCOPE_AST_FIELDS(test, body, orelse)
};

/// An `elif` is an If as the only statement of `orelse`.
struct If : Stmt {
  TILESCOPE_AST_KIND(If)
  const Expr *test;
  Seq<Stmt> body;
  Seq<Stmt> orelse;
  TILESCOPE_AST_FIELDS(test, body, orelse)
};

/// `with` and `async with`; `kind` says which.
struct With : Stmt {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::With || node->kind == NodeKind::AsyncWith;
  }
  Seq<WithItem> items;
  Seq<Stmt> body;
  TILESCOPE_AST_FIELDS(items, body)
};

struct Match : Stmt {
  TILESCOPE_AST_KIND(Match)
  const Expr *subject;
  Seq<MatchCase> cases;
  TILESCOPE_AST_FIELDS(subject, cases)
};

struct Raise : Stmt {
  TILESCOPE_AST_KIND(Raise)
  /// Both may be null.
  const Expr *exc;
  const Expr *cause;
  TILESCOPE_AST_FIELDS(exc, cause)
};

/// `try` with `except` or with `except*`; `kind` says which.
struct Try : Stmt {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::Try || node->kind == NodeKind::TryStar;
  }
  Seq<Stmt> body;
  Seq<ExceptHandler> handlers;
  Seq<Stmt> orelse;
  Seq<Stmt> finalbody;
  TILESCOPE_AST_FIELDS(body, handlers, orelse, finalbody)
};

struct Assert : Stmt {
  TILESCOPE_AST_KIND(Assert)
  const Expr *test;
  /// May be null.
  const Expr *msg;
  TILESCOPE_AST_FIELDS(test, msg)
};

struct Import : Stmt {
  TILESCOPE_AST_KIND(Import)
  Seq<Alias> names;
  TILESCOPE_AST_FIELDS(names)
};

struct ImportFrom : Stmt {
  TILESCOPE_AST_KIND(ImportFrom)
  /// Dotted; absent in `from . import x`.
  std::optional<Identifier> module;
  Seq<Alias> names;
  /// Number of leading dots.
  int level;
  TILESCOPE_AST_FIELDS(module, names, level)
};

struct Global : Stmt {
  TILESCOPE_AST_KIND(Global)
  std::span<const Identifier> names;
  TILESCOPE_AST_FIELDS(names)
};

struct Nonlocal : Stmt {
  TILESCOPE_AST_KIND(Nonlocal)
  std::span<const Identifier> names;
  TILESCOPE_AST_FIELDS(names)
};

/// An expression as a statement (Python's `ast.Expr`).
struct ExprStmt : Stmt {
  TILESCOPE_AST_KIND(Expr)
  const Expr *value;
  TILESCOPE_AST_FIELDS(value)
};

struct Pass : Stmt {
  TILESCOPE_AST_KIND(Pass)
  TILESCOPE_AST_FIELDS()
};
struct Break : Stmt {
  TILESCOPE_AST_KIND(Break)
  TILESCOPE_AST_FIELDS()
};
struct Continue : Stmt {
  TILESCOPE_AST_KIND(Continue)
  TILESCOPE_AST_FIELDS()
};

/// Source text that no statement could be made of; a diagnostic was given.
struct InvalidStmt : Stmt {
  TILESCOPE_AST_KIND(InvalidStmt)
  TILESCOPE_AST_FIELDS()
};

} // namespace tilescope::compiler::ast
