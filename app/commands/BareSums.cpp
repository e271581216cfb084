// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BareSums.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <utility>

namespace tilescope::app {

namespace ast = compiler::ast;

BareSums::BareSums(const KernelText &kernel) : m_kernel(kernel) {
  m_kernel.walk([this](const ast::Node &node) {
    if (const auto *sum = ast::as<ast::BinOp>(&node); sum && sum->op == ast::BinaryOpKind::Add)
      readSum(*sum);
  });
  spread();
}

std::vector<ReachedAccess> BareSums::accesses() const {
  std::vector<ReachedAccess> found;
  m_kernel.walk([&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    const std::string_view name = function ? function->attr : std::string_view();
    if ((name == "load" || name == "store" || name.starts_with("atomic_")) && !call->args.empty() &&
        isReached(*call->args.front()))
      found.push_back({call, name, arrayOf(call->args.front())});
  });
  return found;
}

/// What a name stands for where only one statement gives it a value; else the expression.
const ast::Expr *BareSums::valueOf(const ast::Expr *expr) const {
  const std::string_view name = KernelText::nameOf(expr);
  const ast::Assign *assign = name.empty() ? nullptr : m_kernel.onlyAssignment(name);
  return assign ? assign->value : expr;
}

/// A sum is come to before its parts, which are no sums of their own.
void BareSums::readSum(const ast::BinOp &sum) {
  m_inner.insert({sum.left, sum.right});
  if (m_inner.contains(&sum))
    return;
  BareSum found{&sum};
  int numRanges = 0, numNumbers = 0;
  for (const ast::Expr *term : ast::summands(sum)) {
    const ast::Expr *value = valueOf(term);
    const ast::Call *range = KernelText::callOf(value, "arange");
    const ast::Call *program = KernelText::callOf(value, "program_id");
    const auto *begin =
        range && range->args.size() == 2 ? ast::as<ast::Constant>(range->args[0]) : nullptr;
    if (begin && begin->intValue == 0) {
      found.block = m_kernel.text(*range->args[1]);
      ++numRanges;
    }
    const auto *axis = program && program->args.size() == 1
                           ? ast::as<ast::Constant>(program->args.front())
                           : nullptr;
    if (axis && axis->intValue && *axis->intValue >= 0 && *axis->intValue < 3) {
      found.number = term;
      found.axis = static_cast<size_t>(*axis->intValue);
      ++numNumbers;
    }
  }
  if (numRanges == 1 && numNumbers == 1)
    m_sums.push_back(std::move(found));
}

/// What is read from memory is no address any more.
bool BareSums::isReached(const ast::Expr &expr) const {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    found |= (name && m_reached.contains(name->id)) ||
             std::ranges::find(m_sums, &node, [](const BareSum &each) -> const ast::Node * {
               return each.sum;
             }) != m_sums.end();
    return !found && !KernelText::callOf(&node, "load");
  });
  return found;
}

void BareSums::spread() {
  size_t before = 0;
  do {
    before = m_reached.size();
    m_kernel.walk([this](const ast::Node &node) {
      const auto *assign = ast::as<ast::Assign>(&node);
      const std::string_view name =
          assign ? KernelText::nameOf(assign->targets.front()) : std::string_view();
      if (!name.empty() && isReached(*assign->value))
        m_reached.insert(name);
    });
  } while (m_reached.size() > before);
}

/// The first term of an address.
std::string_view BareSums::arrayOf(const ast::Expr *address) const {
  const ast::Expr *first = valueOf(address);
  while (const auto *sum = ast::as<ast::BinOp>(first))
    first = valueOf(sum->left);
  return KernelText::nameOf(first);
}

} // namespace tilescope::app
