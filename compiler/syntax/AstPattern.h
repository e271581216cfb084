// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Patterns of `match`. See AstExpr.h.
#pragma once

#include "compiler/syntax/AstExpr.h"

namespace tilescope::compiler::ast {

struct MatchValue : Pattern {
  TILESCOPE_AST_KIND(MatchValue)
  const Expr *value;
  TILESCOPE_AST_FIELDS(value)
};
/// None, True or False.
struct MatchSingleton : Pattern {
  TILESCOPE_AST_KIND(MatchSingleton)
  ConstantKind value;
  TILESCOPE_AST_FIELDS(value)
};
struct MatchSequence : Pattern {
  TILESCOPE_AST_KIND(MatchSequence)
  Seq<Pattern> patterns;
  TILESCOPE_AST_FIELDS(patterns)
};
struct MatchMapping : Pattern {
  TILESCOPE_AST_KIND(MatchMapping)
  Seq<Expr> keys;
  Seq<Pattern> patterns;
  /// The name after `**`.
  std::optional<Identifier> rest;
  TILESCOPE_AST_FIELDS(keys, patterns, rest)
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
  TILESCOPE_AST_FIELDS(name)
};
struct MatchAs : Pattern {
  TILESCOPE_AST_KIND(MatchAs)
  /// Null for a capture; both absent for `_`.
  const Pattern *pattern;
  std::optional<Identifier> name;
  TILESCOPE_AST_FIELDS(pattern, name)
};
struct MatchOr : Pattern {
  TILESCOPE_AST_KIND(MatchOr)
  Seq<Pattern> patterns;
  TILESCOPE_AST_FIELDS(patterns)
};
struct InvalidPattern : Pattern {
  TILESCOPE_AST_KIND(InvalidPattern)
  TILESCOPE_AST_FIELDS()
};

struct MatchCase : Node {
  TILESCOPE_AST_KIND(match_case)
  const Pattern *pattern;
  /// May be null.
  const Expr *guard;
  Seq<Stmt> body;
  TILESCOPE_AST_FIELDS(pattern, guard, body)
};

} // namespace tilescope::compiler::ast
