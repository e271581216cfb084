// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/Stage.h"
#include "compiler/syntax/Arena.h"
#include "compiler/syntax/AstStmt.h"

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace tilescope::compiler::ast {

/// A source text, its syntax tree, and what was wrong with it. Immutable; share it by pointer.
struct SyntaxTree {
  std::string source;
  /// Never null: broken source becomes a tree with `Invalid...` nodes.
  const Module *module = nullptr;
  /// `#` to the end of the line, in source order.
  std::vector<SourceRange> comments;
  std::vector<Diagnostic> diagnostics;
  Arena arena;

  /// Whether any diagnostic is an error.
  bool hasErrors() const;
  /// The source text of a range of this file.
  std::string_view text(SourceRange range) const;
  /// Byte offset of each line's first character; at least one entry.
  std::vector<uint32_t> lineOffsets;
};

/// Calls `visitor(const T &node)` with the struct that the node's kind stands for.
template <typename Visitor> decltype(auto) visit(const Node &node, Visitor &&visitor) {
  switch (node.kind) {
#define TILESCOPE_NODE(kindName, type)                                                             \
  case NodeKind::kindName:                                                                         \
    return visitor(static_cast<const type &>(node));
#include "compiler/syntax/NodeKinds.def"
#undef TILESCOPE_NODE
  }
  __builtin_unreachable();
}

/// Calls `visitor(const Node &)` for each direct child, in the order of Python's fields (which for
/// a few nodes, such as decorators, is not the order of the text).
template <typename Visitor> void forEachChild(const Node &node, Visitor &&visitor) {
  visit(node, [&](const auto &typed) {
    typed.visitFields([&](std::string_view, const auto &field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (std::is_pointer_v<Field>) {
        if (field)
          visitor(static_cast<const Node &>(*field));
      } else if constexpr (requires { (*field.begin())->kind; }) {
        for (const auto *child : field)
          if (child)
            visitor(static_cast<const Node &>(*child));
      }
    });
  });
}

/// Visits `root` and everything below it, parents first. Children of a node for which `enter`
/// returns false are skipped.
void walk(const Node &root, const std::function<bool(const Node &)> &enter);

/// The text of the AST stage: one line per node, indented by depth, with the source range of each
/// line.
struct AstDump {
  std::string text;
  SourceMap sourceMap;
};

struct AstDumpOptions {
  /// Appends `@line:column-line:column` to every node, one-based lines as in Python.
  bool positions = false;
};
AstDump dumpAst(const Node &root, const AstDumpOptions &options = {});

} // namespace tilescope::compiler::ast
