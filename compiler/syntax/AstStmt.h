// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Statements, patterns and the parts they are made of. See AstExpr.h.
#pragma once

#include "compiler/syntax/AstExpr.h"

namespace tilescope::compiler::ast {

struct Alias;
struct Arg;
struct ExceptHandler;
struct MatchCase;
struct TypeParam;
struct WithItem;

struct Module : Node {
  TILESCOPE_AST_KIND(Module)
  Seq<Stmt> body;
  template <typename F> void visitFields(F &&f) const { f("body", body); }
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
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};

struct Delete : Stmt {
  TILESCOPE_AST_KIND(Delete)
  Seq<Expr> targets;
  template <typename F> void visitFields(F &&f) const { f("targets", targets); }
};

struct Assign : Stmt {
  TILESCOPE_AST_KIND(Assign)
  Seq<Expr> targets;
  const Expr *value;
  template <typename F> void visitFields(F &&f) const {
    f("targets", targets);
    f("value", value);
  }
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
  template <typename F> void visitFields(F &&f) const {
    f("target", target);
    f("op", op);
    f("value", value);
  }
};

struct AnnAssign : Stmt {
  TILESCOPE_AST_KIND(AnnAssign)
  const Expr *target;
  const Expr *annotation;
  /// Null for a declaration without value.
  const Expr *value;
  /// Whether the target is a bare name (not in parentheses).
  bool simple;
  template <typename F> void visitFields(F &&f) const {
    f("target", target);
    f("annotation", annotation);
    f("value", value);
    f("simple", simple);
  }
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
  template <typename F> void visitFields(F &&f) const {
    f("target", target);
    f("iter", iter);
    f("body", body);
    f("orelse", orelse);
  }
};

struct While : Stmt {
  TILESCOPE_AST_KIND(While)
  const Expr *test;
  Seq<Stmt> body;
  Seq<Stmt> orelse;
  template <typename F> void visitFields(F &&f) const {
    f("test", test);
    f("body", body);
    f("orelse", orelse);
  }
};

/// An `elif` is an If as the only statement of `orelse`.
struct If : Stmt {
  TILESCOPE_AST_KIND(If)
  const Expr *test;
  Seq<Stmt> body;
  Seq<Stmt> orelse;
  template <typename F> void visitFields(F &&f) const {
    f("test", test);
    f("body", body);
    f("orelse", orelse);
  }
};

/// `with` and `async with`; `kind` says which.
struct With : Stmt {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::With || node->kind == NodeKind::AsyncWith;
  }
  Seq<WithItem> items;
  Seq<Stmt> body;
  template <typename F> void visitFields(F &&f) const {
    f("items", items);
    f("body", body);
  }
};

struct Match : Stmt {
  TILESCOPE_AST_KIND(Match)
  const Expr *subject;
  Seq<MatchCase> cases;
  template <typename F> void visitFields(F &&f) const {
    f("subject", subject);
    f("cases", cases);
  }
};

struct Raise : Stmt {
  TILESCOPE_AST_KIND(Raise)
  /// Both may be null.
  const Expr *exc;
  const Expr *cause;
  template <typename F> void visitFields(F &&f) const {
    f("exc", exc);
    f("cause", cause);
  }
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
  template <typename F> void visitFields(F &&f) const {
    f("body", body);
    f("handlers", handlers);
    f("orelse", orelse);
    f("finalbody", finalbody);
  }
};

struct Assert : Stmt {
  TILESCOPE_AST_KIND(Assert)
  const Expr *test;
  /// May be null.
  const Expr *msg;
  template <typename F> void visitFields(F &&f) const {
    f("test", test);
    f("msg", msg);
  }
};

struct Import : Stmt {
  TILESCOPE_AST_KIND(Import)
  Seq<Alias> names;
  template <typename F> void visitFields(F &&f) const { f("names", names); }
};

struct ImportFrom : Stmt {
  TILESCOPE_AST_KIND(ImportFrom)
  /// Dotted; absent in `from . import x`.
  std::optional<Identifier> module;
  Seq<Alias> names;
  /// Number of leading dots.
  int level;
  template <typename F> void visitFields(F &&f) const {
    f("module", module);
    f("names", names);
    f("level", level);
  }
};

struct Global : Stmt {
  TILESCOPE_AST_KIND(Global)
  std::span<const Identifier> names;
  template <typename F> void visitFields(F &&f) const { f("names", names); }
};

struct Nonlocal : Stmt {
  TILESCOPE_AST_KIND(Nonlocal)
  std::span<const Identifier> names;
  template <typename F> void visitFields(F &&f) const { f("names", names); }
};

/// An expression as a statement (Python's `ast.Expr`).
struct ExprStmt : Stmt {
  TILESCOPE_AST_KIND(Expr)
  const Expr *value;
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};

struct Pass : Stmt {
  TILESCOPE_AST_KIND(Pass)
  template <typename F> void visitFields(F &&) const {}
};
struct Break : Stmt {
  TILESCOPE_AST_KIND(Break)
  template <typename F> void visitFields(F &&) const {}
};
struct Continue : Stmt {
  TILESCOPE_AST_KIND(Continue)
  template <typename F> void visitFields(F &&) const {}
};

/// Source text that no statement could be made of; a diagnostic was given.
struct InvalidStmt : Stmt {
  TILESCOPE_AST_KIND(InvalidStmt)
  template <typename F> void visitFields(F &&) const {}
};

struct MatchValue : Pattern {
  TILESCOPE_AST_KIND(MatchValue)
  const Expr *value;
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};
/// None, True or False.
struct MatchSingleton : Pattern {
  TILESCOPE_AST_KIND(MatchSingleton)
  ConstantKind value;
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};
struct MatchSequence : Pattern {
  TILESCOPE_AST_KIND(MatchSequence)
  Seq<Pattern> patterns;
  template <typename F> void visitFields(F &&f) const { f("patterns", patterns); }
};
struct MatchMapping : Pattern {
  TILESCOPE_AST_KIND(MatchMapping)
  Seq<Expr> keys;
  Seq<Pattern> patterns;
  /// The name after `**`.
  std::optional<Identifier> rest;
  template <typename F> void visitFields(F &&f) const {
    f("keys", keys);
    f("patterns", patterns);
    f("rest", rest);
  }
};
struct MatchClass : Pattern {
  TILESCOPE_AST_KIND(MatchClass)
  const Expr *cls;
  Seq<Pattern> patterns;
  std::span<const Identifier> kwdAttrs;
  Seq<Pattern> kwdPatterns;
  template <typename F> void visitFields(F &&f) const {
    f("cls", cls);
    f("patterns", patterns);
    f("kwd_attrs", kwdAttrs);
    f("kwd_patterns", kwdPatterns);
  }
};
struct MatchStar : Pattern {
  TILESCOPE_AST_KIND(MatchStar)
  /// Absent for `*_`.
  std::optional<Identifier> name;
  template <typename F> void visitFields(F &&f) const { f("name", name); }
};
struct MatchAs : Pattern {
  TILESCOPE_AST_KIND(MatchAs)
  /// Null for a capture; both absent for `_`.
  const Pattern *pattern;
  std::optional<Identifier> name;
  template <typename F> void visitFields(F &&f) const {
    f("pattern", pattern);
    f("name", name);
  }
};
struct MatchOr : Pattern {
  TILESCOPE_AST_KIND(MatchOr)
  Seq<Pattern> patterns;
  template <typename F> void visitFields(F &&f) const { f("patterns", patterns); }
};
struct InvalidPattern : Pattern {
  TILESCOPE_AST_KIND(InvalidPattern)
  template <typename F> void visitFields(F &&) const {}
};

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
  template <typename F> void visitFields(F &&f) const {
    f("type", type);
    f("name", name);
    f("body", body);
  }
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
  template <typename F> void visitFields(F &&f) const {
    f("arg", arg);
    f("annotation", annotation);
  }
};

struct Keyword : Node {
  TILESCOPE_AST_KIND(keyword)
  /// Absent for `**value`.
  std::optional<Identifier> arg;
  const Expr *value;
  template <typename F> void visitFields(F &&f) const {
    f("arg", arg);
    f("value", value);
  }
};

struct Alias : Node {
  TILESCOPE_AST_KIND(alias)
  /// Dotted, or `*`.
  Identifier name;
  std::optional<Identifier> asname;
  template <typename F> void visitFields(F &&f) const {
    f("name", name);
    f("asname", asname);
  }
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

struct MatchCase : Node {
  TILESCOPE_AST_KIND(match_case)
  const Pattern *pattern;
  /// May be null.
  const Expr *guard;
  Seq<Stmt> body;
  template <typename F> void visitFields(F &&f) const {
    f("pattern", pattern);
    f("guard", guard);
    f("body", body);
  }
};

} // namespace tilescope::compiler::ast
