// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Expressions. Field names are those of Python's `ast`; each struct lists its fields, from which
// printing, walking and comparing are derived.
#pragma once

#include "compiler/syntax/AstBase.h"

#include <cstdint>
#include <optional>

namespace tilescope::compiler::ast {

struct Arguments;
struct Comprehension;
struct Keyword;

struct BoolOp : Expr {
  TILESCOPE_AST_KIND(BoolOp)
  BoolOpKind op;
  Seq<Expr> values;
  TILESCOPE_AST_FIELDS(op, values)
};

struct NamedExpr : Expr {
  TILESCOPE_AST_KIND(NamedExpr)
  const Expr *target;
  const Expr *value;
  TILESCOPE_AST_FIELDS(target, value)
};

struct BinOp : Expr {
  TILESCOPE_AST_KIND(BinOp)
  const Expr *left;
  BinaryOpKind op;
  const Expr *right;
  TILESCOPE_AST_FIELDS(left, op, right)
};

struct UnaryOp : Expr {
  TILESCOPE_AST_KIND(UnaryOp)
  UnaryOpKind op;
  const Expr *operand;
  TILESCOPE_AST_FIELDS(op, operand)
};

struct Lambda : Expr {
  TILESCOPE_AST_KIND(Lambda)
  const Arguments *args;
  const Expr *body;
  TILESCOPE_AST_FIELDS(args, body)
};

struct IfExp : Expr {
  TILESCOPE_AST_KIND(IfExp)
  const Expr *test;
  const Expr *body;
  const Expr *orelse;
  TILESCOPE_AST_FIELDS(test, body, orelse)
};

struct Dict : Expr {
  TILESCOPE_AST_KIND(Dict)
  /// A null key belongs to a `**` value.
  Seq<Expr> keys;
  Seq<Expr> values;
  TILESCOPE_AST_FIELDS(keys, values)
};

struct Set : Expr {
  TILESCOPE_AST_KIND(Set)
  Seq<Expr> elts;
  TILESCOPE_AST_FIELDS(elts)
};

/// List and set comprehensions and generator expressions; `kind` says which.
struct ListComp : Expr {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::ListComp || node->kind == NodeKind::SetComp ||
           node->kind == NodeKind::GeneratorExp;
  }
  const Expr *elt;
  Seq<Comprehension> generators;
  TILESCOPE_AST_FIELDS(elt, generators)
};

struct DictComp : Expr {
  TILESCOPE_AST_KIND(DictComp)
  const Expr *key;
  const Expr *value;
  Seq<Comprehension> generators;
  TILESCOPE_AST_FIELDS(key, value, generators)
};

struct Await : Expr {
  TILESCOPE_AST_KIND(Await)
  const Expr *value;
  TILESCOPE_AST_FIELDS(value)
};

/// `yield` (value may be null) and `yield from`; `kind` says which.
struct Yield : Expr {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::Yield || node->kind == NodeKind::YieldFrom;
  }
  const Expr *value;
  TILESCOPE_AST_FIELDS(value)
};

struct Compare : Expr {
  TILESCOPE_AST_KIND(Compare)
  const Expr *left;
  std::span<const CompareOpKind> ops;
  Seq<Expr> comparators;
  TILESCOPE_AST_FIELDS(left, ops, comparators)
};

struct Call : Expr {
  TILESCOPE_AST_KIND(Call)
  const Expr *func;
  Seq<Expr> args;
  Seq<Keyword> keywords;
  TILESCOPE_AST_FIELDS(func, args, keywords)
};

/// A replacement field of an f-string.
struct FormattedValue : Expr {
  TILESCOPE_AST_KIND(FormattedValue)
  const Expr *value;
  /// 's', 'r', 'a', or -1 for none.
  int conversion;
  /// A JoinedStr, or null.
  const Expr *formatSpec;
  template <typename F> void visitFields(F &&f) const {
    f("value", value);
    f("conversion", conversion);
    f("format_spec", formatSpec);
  }
};

struct JoinedStr : Expr {
  TILESCOPE_AST_KIND(JoinedStr)
  Seq<Expr> values;
  TILESCOPE_AST_FIELDS(values)
};

enum class ConstantKind : uint8_t { None, False, True, Ellipsis, Int, Float, Complex, Str, Bytes };

struct Constant : Expr {
  TILESCOPE_AST_KIND(Constant)
  ConstantKind constantKind;
  /// Str: the decoded text as UTF-8 (lone surrogates as their three-byte form). Bytes: the bytes.
  /// Int, Float, Complex: the digits as written, without underscores.
  std::string_view text;
  /// Int: the value when it fits.
  std::optional<int64_t> intValue;
  /// Float: the value. Complex: the imaginary part.
  double floatValue;
  /// Whether a string was written with the prefix `u`.
  bool isUnicodePrefixed;
  template <typename F> void visitFields(F &&f) const { f("value", *this); }
};

struct Attribute : Expr {
  TILESCOPE_AST_KIND(Attribute)
  const Expr *value;
  Identifier attr;
  ExprContext ctx;
  /// The place of the name after the dot.
  SourceRange attrRange;
  TILESCOPE_AST_FIELDS(value, attr, ctx)
};

struct Subscript : Expr {
  TILESCOPE_AST_KIND(Subscript)
  const Expr *value;
  const Expr *slice;
  ExprContext ctx;
  TILESCOPE_AST_FIELDS(value, slice, ctx)
};

struct Starred : Expr {
  TILESCOPE_AST_KIND(Starred)
  const Expr *value;
  ExprContext ctx;
  TILESCOPE_AST_FIELDS(value, ctx)
};

struct Name : Expr {
  TILESCOPE_AST_KIND(Name)
  Identifier id;
  ExprContext ctx;
  TILESCOPE_AST_FIELDS(id, ctx)
};

struct List : Expr {
  TILESCOPE_AST_KIND(List)
  Seq<Expr> elts;
  ExprContext ctx;
  TILESCOPE_AST_FIELDS(elts, ctx)
};

struct Tuple : Expr {
  TILESCOPE_AST_KIND(Tuple)
  Seq<Expr> elts;
  ExprContext ctx;
  TILESCOPE_AST_FIELDS(elts, ctx)
};

/// `lower:upper:step` inside brackets; each part may be null.
struct Slice : Expr {
  TILESCOPE_AST_KIND(Slice)
  const Expr *lower;
  const Expr *upper;
  const Expr *step;
  TILESCOPE_AST_FIELDS(lower, upper, step)
};

/// Stands where an expression was expected and something else was found; a diagnostic was given.
struct InvalidExpr : Expr {
  TILESCOPE_AST_KIND(InvalidExpr)
  TILESCOPE_AST_FIELDS()
};

} // namespace tilescope::compiler::ast
