// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Expressions. Field names are those of Python's `ast`; each struct lists its fields in
// `visitFields`, from which printing, walking and comparing are derived.
#pragma once

#include "compiler/syntax/AstBase.h"

#include <cstdint>
#include <optional>

namespace tilescope::compiler::ast {

struct Arguments;
struct Comprehension;
struct Keyword;

/// Declares the kind of a struct that has exactly one, its `classof` and its list of fields.
#define TILESCOPE_AST_KIND(kindName)                                                               \
  static constexpr NodeKind kKind = NodeKind::kindName;                                            \
  static bool classof(const Node *node) { return node->kind == kKind; }

struct BoolOp : Expr {
  TILESCOPE_AST_KIND(BoolOp)
  BoolOpKind op;
  Seq<Expr> values;
  template <typename F> void visitFields(F &&f) const {
    f("op", op);
    f("values", values);
  }
};

struct NamedExpr : Expr {
  TILESCOPE_AST_KIND(NamedExpr)
  const Expr *target;
  const Expr *value;
  template <typename F> void visitFields(F &&f) const {
    f("target", target);
    f("value", value);
  }
};

struct BinOp : Expr {
  TILESCOPE_AST_KIND(BinOp)
  const Expr *left;
  BinaryOpKind op;
  const Expr *right;
  template <typename F> void visitFields(F &&f) const {
    f("left", left);
    f("op", op);
    f("right", right);
  }
};

struct UnaryOp : Expr {
  TILESCOPE_AST_KIND(UnaryOp)
  UnaryOpKind op;
  const Expr *operand;
  template <typename F> void visitFields(F &&f) const {
    f("op", op);
    f("operand", operand);
  }
};

struct Lambda : Expr {
  TILESCOPE_AST_KIND(Lambda)
  const Arguments *args;
  const Expr *body;
  template <typename F> void visitFields(F &&f) const {
    f("args", args);
    f("body", body);
  }
};

struct IfExp : Expr {
  TILESCOPE_AST_KIND(IfExp)
  const Expr *test;
  const Expr *body;
  const Expr *orelse;
  template <typename F> void visitFields(F &&f) const {
    f("test", test);
    f("body", body);
    f("orelse", orelse);
  }
};

struct Dict : Expr {
  TILESCOPE_AST_KIND(Dict)
  /// A null key belongs to a `**` value.
  Seq<Expr> keys;
  Seq<Expr> values;
  template <typename F> void visitFields(F &&f) const {
    f("keys", keys);
    f("values", values);
  }
};

struct Set : Expr {
  TILESCOPE_AST_KIND(Set)
  Seq<Expr> elts;
  template <typename F> void visitFields(F &&f) const { f("elts", elts); }
};

/// List and set comprehensions and generator expressions; `kind` says which.
struct ListComp : Expr {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::ListComp || node->kind == NodeKind::SetComp ||
           node->kind == NodeKind::GeneratorExp;
  }
  const Expr *elt;
  Seq<Comprehension> generators;
  template <typename F> void visitFields(F &&f) const {
    f("elt", elt);
    f("generators", generators);
  }
};

struct DictComp : Expr {
  TILESCOPE_AST_KIND(DictComp)
  const Expr *key;
  const Expr *value;
  Seq<Comprehension> generators;
  template <typename F> void visitFields(F &&f) const {
    f("key", key);
    f("value", value);
    f("generators", generators);
  }
};

struct Await : Expr {
  TILESCOPE_AST_KIND(Await)
  const Expr *value;
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};

/// `yield` (value may be null) and `yield from`; `kind` says which.
struct Yield : Expr {
  static bool classof(const Node *node) {
    return node->kind == NodeKind::Yield || node->kind == NodeKind::YieldFrom;
  }
  const Expr *value;
  template <typename F> void visitFields(F &&f) const { f("value", value); }
};

struct Compare : Expr {
  TILESCOPE_AST_KIND(Compare)
  const Expr *left;
  std::span<const CompareOpKind> ops;
  Seq<Expr> comparators;
  template <typename F> void visitFields(F &&f) const {
    f("left", left);
    f("ops", ops);
    f("comparators", comparators);
  }
};

struct Call : Expr {
  TILESCOPE_AST_KIND(Call)
  const Expr *func;
  Seq<Expr> args;
  Seq<Keyword> keywords;
  template <typename F> void visitFields(F &&f) const {
    f("func", func);
    f("args", args);
    f("keywords", keywords);
  }
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
  template <typename F> void visitFields(F &&f) const { f("values", values); }
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
  template <typename F> void visitFields(F &&f) const {
    f("value", value);
    f("attr", attr);
    f("ctx", ctx);
  }
};

struct Subscript : Expr {
  TILESCOPE_AST_KIND(Subscript)
  const Expr *value;
  const Expr *slice;
  ExprContext ctx;
  template <typename F> void visitFields(F &&f) const {
    f("value", value);
    f("slice", slice);
    f("ctx", ctx);
  }
};

struct Starred : Expr {
  TILESCOPE_AST_KIND(Starred)
  const Expr *value;
  ExprContext ctx;
  template <typename F> void visitFields(F &&f) const {
    f("value", value);
    f("ctx", ctx);
  }
};

struct Name : Expr {
  TILESCOPE_AST_KIND(Name)
  Identifier id;
  ExprContext ctx;
  template <typename F> void visitFields(F &&f) const {
    f("id", id);
    f("ctx", ctx);
  }
};

struct List : Expr {
  TILESCOPE_AST_KIND(List)
  Seq<Expr> elts;
  ExprContext ctx;
  template <typename F> void visitFields(F &&f) const {
    f("elts", elts);
    f("ctx", ctx);
  }
};

struct Tuple : Expr {
  TILESCOPE_AST_KIND(Tuple)
  Seq<Expr> elts;
  ExprContext ctx;
  template <typename F> void visitFields(F &&f) const {
    f("elts", elts);
    f("ctx", ctx);
  }
};

/// `lower:upper:step` inside brackets; each part may be null.
struct Slice : Expr {
  TILESCOPE_AST_KIND(Slice)
  const Expr *lower;
  const Expr *upper;
  const Expr *step;
  template <typename F> void visitFields(F &&f) const {
    f("lower", lower);
    f("upper", upper);
    f("step", step);
  }
};

/// Stands where an expression was expected and something else was found; a diagnostic was given.
struct InvalidExpr : Expr {
  TILESCOPE_AST_KIND(InvalidExpr)
  template <typename F> void visitFields(F &&) const {}
};

} // namespace tilescope::compiler::ast
