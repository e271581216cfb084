// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Ast.h"

#include <algorithm>

namespace tilescope::compiler::ast {

std::string_view nodeKindName(NodeKind kind) {
  switch (kind) {
#define TILESCOPE_NODE(kindName, type)                                                             \
  case NodeKind::kindName:                                                                         \
    return #kindName;
#include "compiler/syntax/NodeKinds.def"
#undef TILESCOPE_NODE
  }
  return {};
}

namespace {
struct OpSpelling {
  std::string_view name;
  std::string_view text;
};
} // namespace

static constexpr OpSpelling kBoolOps[] = {{"And", "and"}, {"Or", "or"}};
static constexpr OpSpelling kBinaryOps[] = {
    {"Add", "+"},    {"Sub", "-"},    {"Mult", "*"},     {"MatMult", "@"}, {"Div", "/"},
    {"Mod", "%"},    {"Pow", "**"},   {"LShift", "<<"},  {"RShift", ">>"}, {"BitOr", "|"},
    {"BitXor", "^"}, {"BitAnd", "&"}, {"FloorDiv", "//"}};
static constexpr OpSpelling kUnaryOps[] = {
    {"Invert", "~"}, {"Not", "not "}, {"UAdd", "+"}, {"USub", "-"}};
static constexpr OpSpelling kCompareOps[] = {
    {"Eq", "=="},  {"NotEq", "!="}, {"Lt", "<"},         {"LtE", "<="}, {"Gt", ">"},
    {"GtE", ">="}, {"Is", "is"},    {"IsNot", "is not"}, {"In", "in"},  {"NotIn", "not in"}};

std::string_view opName(BoolOpKind op) { return kBoolOps[static_cast<int>(op)].name; }
std::string_view opName(BinaryOpKind op) { return kBinaryOps[static_cast<int>(op)].name; }
std::string_view opName(UnaryOpKind op) { return kUnaryOps[static_cast<int>(op)].name; }
std::string_view opName(CompareOpKind op) { return kCompareOps[static_cast<int>(op)].name; }
std::string_view opText(BoolOpKind op) { return kBoolOps[static_cast<int>(op)].text; }
std::string_view opText(BinaryOpKind op) { return kBinaryOps[static_cast<int>(op)].text; }
std::string_view opText(UnaryOpKind op) { return kUnaryOps[static_cast<int>(op)].text; }
std::string_view opText(CompareOpKind op) { return kCompareOps[static_cast<int>(op)].text; }

std::string_view contextName(ExprContext context) {
  switch (context) {
  case ExprContext::Load:
    return "Load";
  case ExprContext::Store:
    return "Store";
  case ExprContext::Del:
    return "Del";
  }
  return {};
}

bool SyntaxTree::hasErrors() const {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

std::string_view SyntaxTree::text(SourceRange range) const {
  auto offset = [&](Position position) -> size_t {
    if (position.line >= lineOffsets.size())
      return source.size();
    return std::min<size_t>(lineOffsets[position.line] + position.column, source.size());
  };
  size_t begin = offset(range.begin);
  size_t end = std::max(begin, offset(range.end));
  return std::string_view(source).substr(begin, end - begin);
}

void walk(const Node &root, const std::function<bool(const Node &)> &enter) {
  if (!enter(root))
    return;
  forEachChild(root, [&](const Node &child) { walk(child, enter); });
}

} // namespace tilescope::compiler::ast
