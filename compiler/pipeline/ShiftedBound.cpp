// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ShiftedBound.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/support/WholeNumber.h"

namespace tilescope::compiler {

std::optional<DiagnosticFix> shiftedBound(const ast::SyntaxTree &tree, const ast::Call &access,
                                          const ast::Expr &mask, const std::string &offsets) {
  constexpr std::string_view kMinus = " - ";
  const size_t minus = offsets.rfind(kMinus);
  const std::optional<int64_t> by = minus == std::string::npos
                                        ? std::nullopt
                                        : wholeNumber(offsets.substr(minus + kMinus.size()));
  if (!by || *by <= 0)
    return std::nullopt;
  const std::string index = offsets.substr(0, minus);
  const ast::Expr *value = &mask;
  for (const ast::Assign *assign : assignmentsOf(tree, access, mask))
    if (assign->range.begin < access.range.begin)
      value = assign->value;
  std::optional<DiagnosticFix> fix;
  ast::walk(*value, [&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(&node);
    using enum ast::CompareOpKind;
    if (!compare || compare->ops.size() != 1 || (compare->ops[0] != GtE && compare->ops[0] != Gt) ||
        tree.text(compare->left->range) != index)
      return true;
    const std::optional<int64_t> bound = wholeNumber(tree.text(compare->comparators[0]->range));
    if (!bound || *bound + (compare->ops[0] == Gt ? 1 : 0) >= *by)
      return true;
    const std::string code = index + " >= " + std::to_string(*by);
    fix = DiagnosticFix{compare->range, code, "write `" + code + "`"};
    return false;
  });
  return fix;
}

} // namespace tilescope::compiler
