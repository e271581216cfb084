// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RowMask.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::compiler {
namespace {

using Sizes = std::map<std::string, int64_t>;

/// What a number of a row is multiplied by, and the row's own code.
struct RowTerm {
  const ast::Expr *row = nullptr;
  std::string length;
  int64_t value = 0;
};

class Walk {
public:
  Walk(const ast::SyntaxTree &tree, const ast::Node &function, const InterpreterFinding &finding,
       const Sizes &sizes)
      : m_tree(tree), m_function(function), m_finding(finding), m_sizes(sizes) {}

  RowMask run(const ast::Expr &address) {
    addTerms(address, 0);
    RowMask mask;
    if (!m_hasPointer || m_numRows != 1)
      return mask;
    mask.isMatrix = true;
    const std::string columns = columnsText();
    if (columns.empty() || m_row.value <= 1 || m_finding.extent % m_row.value != 0)
      return mask;
    const std::string inRow = columns + " < " + m_row.length;
    const int64_t numRows = m_finding.extent / m_row.value;
    const std::string row(m_tree.text(m_row.row->range));
    if (isKnownRow(*m_row.row, numRows)) {
      mask.condition = inRow;
    } else if (const std::string end = sizeOf(numRows);
               !end.empty() && row.find('[') != row.npos && row.find('\n') == row.npos) {
      mask.condition = "(" + row + " < " + end + ") & (" + inRow + ")";
    }
    return mask;
  }

private:
  /// What the function last gave a name before the access; null where it does not.
  const ast::Expr *valueOf(const ast::Name &name) const {
    const ast::Expr *found = nullptr;
    ast::walk(m_function, [&](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const auto *target = assign && assign->targets.size() == 1
                               ? ast::as<ast::Name>(assign->targets.front())
                               : nullptr;
      if (target && target->id == name.id && assign->range.end <= m_finding.range.begin)
        found = assign->value;
      return true;
    });
    return found;
  }

  /// The size that one factor of a product is.
  std::optional<RowTerm> rowOf(const ast::BinOp &product) const {
    for (const auto &[row, length] :
         {std::pair(product.left, product.right), std::pair(product.right, product.left)})
      if (const auto *name = ast::as<ast::Name>(length))
        if (const auto size = m_sizes.find(std::string(name->id)); size != m_sizes.end())
          return RowTerm{row, size->first, size->second};
    return std::nullopt;
  }

  void addTerms(const ast::Expr &expr, int depth) {
    constexpr int kMaxDepth = 6;
    const auto *operation = ast::as<ast::BinOp>(&expr);
    if (operation && operation->op == ast::BinaryOpKind::Add) {
      addTerms(*operation->left, depth);
      return addTerms(*operation->right, depth);
    }
    if (operation && operation->op == ast::BinaryOpKind::Mult)
      if (std::optional<RowTerm> row = rowOf(*operation)) {
        m_row = *row;
        ++m_numRows;
        return;
      }
    const auto *name = ast::as<ast::Name>(&expr);
    const ast::Expr *value = name ? valueOf(*name) : nullptr;
    if (!value && name && name->id == m_finding.argument)
      m_hasPointer = true;
    else if (value && depth < kMaxDepth && holdsRow(*value, depth + 1))
      addTerms(*value, depth + 1);
    else
      m_columns.push_back(&expr);
  }

  /// Whether a sum has the pointer or a row among its terms, so that it is taken apart.
  bool holdsRow(const ast::Expr &expr, int depth) const {
    Walk inner(m_tree, m_function, m_finding, m_sizes);
    inner.addTerms(expr, depth);
    return inner.m_hasPointer || inner.m_numRows > 0;
  }

  std::string columnsText() const {
    std::string text;
    for (const ast::Expr *term : m_columns)
      text += (text.empty() ? "" : " + ") + std::string(m_tree.text(term->range));
    return text.find('\n') == text.npos ? text : std::string();
  }

  /// Whether it is one row, which the array has.
  bool isKnownRow(const ast::Expr &row, int64_t numRows) const {
    const auto *name = ast::as<ast::Name>(&row);
    const ast::Expr *value = name ? valueOf(*name) : &row;
    const auto *call = value ? ast::as<ast::Call>(value) : nullptr;
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (callee && callee->attr == "program_id")
      return m_finding.programId[axisOf(*call)] < numRows;
    return name && !value && countsUpTo(name->id, numRows);
  }

  static size_t axisOf(const ast::Call &call) {
    const ast::Expr *axis = !call.args.empty()       ? call.args.front()
                            : !call.keywords.empty() ? call.keywords.front()->value
                                                     : nullptr;
    const auto *number = axis ? ast::as<ast::Constant>(axis) : nullptr;
    const int64_t value = number ? number->intValue.value_or(0) : 0;
    return value == 1 || value == 2 ? static_cast<size_t>(value) : 0;
  }

  /// Whether a loop `for name in range(N)` ends within the rows.
  bool countsUpTo(std::string_view name, int64_t numRows) const {
    bool ends = false;
    ast::walk(m_function, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *target = loop ? ast::as<ast::Name>(loop->target) : nullptr;
      const auto *range = target && target->id == name ? ast::as<ast::Call>(loop->iter) : nullptr;
      const auto *end =
          range && range->args.size() == 1 ? ast::as<ast::Name>(range->args.front()) : nullptr;
      const auto size = end ? m_sizes.find(std::string(end->id)) : m_sizes.end();
      ends |= size != m_sizes.end() && size->second <= numRows;
      return true;
    });
    return ends;
  }

  /// The argument of that value, rather another than the length of the rows.
  std::string sizeOf(int64_t value) const {
    std::string found;
    for (const auto &[name, size] : m_sizes)
      if (size == value && (found.empty() || found == m_row.length))
        found = name;
    return found;
  }

  const ast::SyntaxTree &m_tree;
  const ast::Node &m_function;
  const InterpreterFinding &m_finding;
  const Sizes &m_sizes;
  bool m_hasPointer = false;
  int m_numRows = 0;
  RowTerm m_row;
  std::vector<const ast::Expr *> m_columns;
};

} // namespace

RowMask rowMask(const ast::SyntaxTree &tree, const ast::Node &function, const ast::Expr &address,
                const InterpreterFinding &finding, const Sizes &sizes) {
  return Walk(tree, function, finding, sizes).run(address);
}

} // namespace tilescope::compiler
