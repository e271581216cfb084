// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Ast.h"
#include "compiler/syntax/PythonText.h"

namespace tilescope::compiler::ast {

static std::string constantText(const Constant &constant) {
  switch (constant.constantKind) {
  case ConstantKind::None:
    return "None";
  case ConstantKind::False:
    return "False";
  case ConstantKind::True:
    return "True";
  case ConstantKind::Ellipsis:
    return "Ellipsis";
  case ConstantKind::Int:
    return constant.intValue ? std::to_string(*constant.intValue) : std::string(constant.text);
  case ConstantKind::Float:
    return pythonRepr(constant.floatValue);
  case ConstantKind::Complex:
    return pythonRepr(constant.floatValue) + "j";
  case ConstantKind::Str:
    return (constant.isUnicodePrefixed ? "u" : "") + pythonRepr(constant.text);
  case ConstantKind::Bytes:
    return pythonBytesRepr(constant.text);
  }
  return {};
}

static std::string scalarText(Identifier name) { return pythonRepr(name); }
static std::string scalarText(const std::optional<Identifier> &name) {
  return name ? pythonRepr(*name) : "";
}
static std::string scalarText(bool value) { return value ? "True" : "False"; }
static std::string scalarText(int value) { return std::to_string(value); }
static std::string scalarText(BoolOpKind op) { return std::string(opName(op)); }
static std::string scalarText(BinaryOpKind op) { return std::string(opName(op)); }
static std::string scalarText(UnaryOpKind op) { return std::string(opName(op)); }
static std::string scalarText(ExprContext context) { return std::string(contextName(context)); }
static std::string scalarText(const Constant &constant) { return constantText(constant); }
static std::string scalarText(ConstantKind kind) {
  Constant constant{};
  constant.constantKind = kind;
  return constantText(constant);
}
static std::string scalarText(std::span<const CompareOpKind> ops) {
  std::string result;
  for (CompareOpKind op : ops)
    result += (result.empty() ? "" : ",") + std::string(opName(op));
  return result;
}
static std::string scalarText(std::span<const Identifier> names) {
  std::string result;
  for (Identifier name : names)
    result += (result.empty() ? "" : ",") + pythonRepr(name);
  return result;
}

/// Nodes that have no position in Python.
static bool lacksPosition(NodeKind kind) {
  return kind == NodeKind::Module || kind == NodeKind::comprehension ||
         kind == NodeKind::arguments || kind == NodeKind::withitem || kind == NodeKind::match_case;
}

namespace {

template <typename T> constexpr bool kIsChild = std::is_pointer_v<T>;
template <typename T> constexpr bool kIsChildList = requires(const T &field) {
  (*field.begin())->kind;
};

class Dumper {
public:
  explicit Dumper(const AstDumpOptions &options) : m_options(options) {}

  void dump(std::string_view label, const Node *node, int depth) {
    m_dump.text.append(static_cast<size_t>(depth) * 2, ' ');
    if (!label.empty())
      (m_dump.text += label) += ": ";
    if (!node) {
      m_dump.text += "None\n";
      ++m_line;
      return;
    }
    m_dump.text += nodeKindName(node->kind);
    visit(*node, [&](const auto &typed) { dumpScalars(typed); });
    if (m_options.positions && !lacksPosition(node->kind))
      appendPosition(node->range);
    m_dump.text += '\n';
    m_dump.sourceMap.lines.push_back({m_line++, {node->range}});
    visit(*node, [&](const auto &typed) { dumpChildren(typed, depth + 1); });
  }

  AstDump take() { return std::move(m_dump); }

private:
  template <typename T> void dumpScalars(const T &node) {
    node.visitFields([&](std::string_view name, const auto &field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (!kIsChild<Field> && !kIsChildList<Field>) {
        // The context follows from the place of the node; it would only repeat itself.
        if constexpr (std::is_same_v<Field, ExprContext>)
          if (field == ExprContext::Load)
            return;
        std::string text = scalarText(field);
        if (text.empty())
          return;
        ((((m_dump.text += ' ') += name) += '=') += text);
      }
    });
  }

  template <typename T> void dumpChildren(const T &node, int depth) {
    node.visitFields([&](std::string_view name, const auto &field) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (kIsChild<Field>) {
        if (field)
          dump(name, field, depth);
      } else if constexpr (kIsChildList<Field>) {
        for (const auto *child : field)
          dump(name, child, depth);
      }
    });
  }

  void appendPosition(const SourceRange &range) {
    auto append = [&](Position position) {
      m_dump.text += std::to_string(position.line + 1) + ":" + std::to_string(position.column);
    };
    m_dump.text += " @";
    append(range.begin);
    m_dump.text += '-';
    append(range.end);
  }

  AstDumpOptions m_options;
  AstDump m_dump;
  uint32_t m_line = 0;
};

} // namespace

AstDump dumpAst(const Node &root, const AstDumpOptions &options) {
  Dumper dumper(options);
  dumper.dump("", &root, 0);
  return dumper.take();
}

} // namespace tilescope::compiler::ast
