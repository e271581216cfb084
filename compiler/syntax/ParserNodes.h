// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How the parser finishes a node, and how it tries what the text may not be. Part of ParserImpl.h,
// which includes it.
#pragma once

#include "compiler/syntax/ParserImpl.h"

#include <algorithm>
#include <type_traits>

namespace tilescope::compiler::ast {

/// Counts the nesting while it lives.
class Parser::Nesting {
public:
  explicit Nesting(Parser &parser);
  ~Nesting() { --m_parser.m_depth; }
  bool tooDeep() const { return m_parser.m_depth > m_parser.m_options.maxDepth; }

private:
  Parser &m_parser;
};

/// More levels than this in one tree are reported, whatever made them.
inline constexpr int kMaxTreeHeight = 1000;

template <typename T> const T *Parser::finishNode(T *node, Begin begin) {
  node->range = rangeFrom(begin);
  if (node->range.end < begin)
    node->range.end = begin;
  int height = 0;
  node->visitFields([&](std::string_view, const auto &field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_pointer_v<Field>) {
      if (field)
        height = std::max<int>(height, field->height);
    } else if constexpr (requires { (*field.begin())->kind; }) {
      for (const auto *child : field)
        if (child)
          height = std::max<int>(height, child->height);
    }
  });
  node->height = static_cast<uint16_t>(height + 1);
  return node;
}

template <typename T> const Expr *Parser::finish(T *node, Begin begin) {
  finishNode(node, begin);
  if (node->height <= kMaxTreeHeight)
    return node;
  report(DiagnosticKind::SyntaxNestedTooDeeply, rangeFrom(begin),
         "expression is nested too deeply");
  return finishNode(make<InvalidExpr>(), begin);
}

template <typename T> const Stmt *Parser::finishStmt(T *node, Begin begin) {
  finishNode(node, begin);
  if (node->height <= kMaxTreeHeight)
    return node;
  report(DiagnosticKind::SyntaxNestedTooDeeply, node->range, "statement is nested too deeply");
  return invalidStmt(begin);
}

template <typename F> bool Parser::speculate(F &&parse) {
  size_t index = m_index;
  Position lastEnd = m_lastEnd;
  bool panic = m_panic;
  std::vector<Token> openBrackets = m_openBrackets;
  ++m_speculating;
  bool ok = parse() && !m_panic;
  --m_speculating;
  m_panic = panic;
  if (!ok) {
    m_index = index;
    m_lastEnd = lastEnd;
    m_openBrackets = std::move(openBrackets);
  }
  return ok;
}

} // namespace tilescope::compiler::ast
