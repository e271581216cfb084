// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilescope::compiler::ast {

/// Every kind of node; the enumerators are Python's own class names.
enum class NodeKind : uint8_t {
#define TILESCOPE_NODE(kind, type) kind,
#include "compiler/syntax/NodeKinds.def"
#undef TILESCOPE_NODE
};

/// The name of Python's class, e.g. `BinOp`.
std::string_view nodeKindName(NodeKind kind);

/// A name in the source, normalized as Python does (NFKC). Lives as long as the tree.
using Identifier = std::string_view;

/// What every node has. Nodes are immutable once parsed and live in the tree's arena.
/// `static bool classof(const Node *)` of the derived structs makes both `is<T>`/`as<T>` below and
/// LLVM's casts work.
struct Node {
  NodeKind kind;
  /// Levels of nodes in this subtree, at least 1. Bounded by the parser, so that recursion over a
  /// tree cannot exhaust the stack.
  uint16_t height;
  /// As Python counts: columns in UTF-8 bytes; a function begins at `def`, not at its decorators.
  SourceRange range;
};

/// The groups of Python's grammar.
struct Stmt : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::FunctionDef && node->kind <= NodeKind::InvalidStmt;
  }
};
struct Expr : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::BoolOp && node->kind <= NodeKind::InvalidExpr;
  }
};
struct Pattern : Node {
  static bool classof(const Node *node) {
    return node->kind >= NodeKind::MatchValue && node->kind <= NodeKind::InvalidPattern;
  }
};

/// A list of children. Elements are null only where the field says so.
template <typename T> using Seq = std::span<const T *const>;

template <typename T> bool is(const Node *node) { return T::classof(node); }
/// The node as a T, or null when it is something else or null itself.
template <typename T> const T *as(const Node *node) {
  return node && T::classof(node) ? static_cast<const T *>(node) : nullptr;
}

/// Declares the kind of a struct that has exactly one, and its `classof`.
#define TILESCOPE_AST_KIND(kindName)                                                               \
  static constexpr NodeKind kKind = NodeKind::kindName;                                            \
  static bool classof(const Node *node) { return node->kind == kKind; }

/// Lists the fields of a struct: `visitFields` calls `f` with the name and the value of each. A struct
/// in which Python's names are others than ours has a `visitFields` of its own.
#define TILESCOPE_AST_FIELDS(...)                                                                  \
  template <typename F> void visitFields([[maybe_unused]] F &&f) const {                           \
    __VA_OPT__(TILESCOPE_AST_SCAN8(TILESCOPE_AST_FIELD(__VA_ARGS__)))                              \
  }
// The macro that ends in itself is expanded once more by each scan: eight fields are the most.
#define TILESCOPE_AST_FIELD(field, ...)                                                            \
  f(#field, field);                                                                                \
  __VA_OPT__(TILESCOPE_AST_AGAIN TILESCOPE_AST_PARENTHESES(__VA_ARGS__))
#define TILESCOPE_AST_AGAIN() TILESCOPE_AST_FIELD
#define TILESCOPE_AST_PARENTHESES ()
#define TILESCOPE_AST_SCAN8(...) TILESCOPE_AST_SCAN4(TILESCOPE_AST_SCAN4(__VA_ARGS__))
#define TILESCOPE_AST_SCAN4(...) TILESCOPE_AST_SCAN2(TILESCOPE_AST_SCAN2(__VA_ARGS__))
#define TILESCOPE_AST_SCAN2(...) TILESCOPE_AST_SCAN1(TILESCOPE_AST_SCAN1(__VA_ARGS__))
#define TILESCOPE_AST_SCAN1(...) __VA_ARGS__

enum class ExprContext : uint8_t { Load, Store, Del };
enum class BoolOpKind : uint8_t { And, Or };
enum class BinaryOpKind : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};
enum class UnaryOpKind : uint8_t { Invert, Not, UAdd, USub };
enum class CompareOpKind : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };

/// Python's class name, e.g. `FloorDiv`.
std::string_view opName(BoolOpKind op);
std::string_view opName(BinaryOpKind op);
std::string_view opName(UnaryOpKind op);
std::string_view opName(CompareOpKind op);
std::string_view contextName(ExprContext context);

/// As written in source, e.g. `//`, `is not`.
std::string_view opText(BoolOpKind op);
std::string_view opText(BinaryOpKind op);
std::string_view opText(UnaryOpKind op);
std::string_view opText(CompareOpKind op);

} // namespace tilescope::compiler::ast
