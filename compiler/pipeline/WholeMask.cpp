// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/WholeMask.h"

#include "compiler/pipeline/AccessCalls.h"

namespace tilescope::compiler {

/// Whether a mask only compares what the whole one compares, too: nothing else is lost with it.
static bool isPartOf(const ast::Expr &mask, const std::string &whole, const KernelSizes &sizes) {
  bool isPart = true;
  ast::walk(mask, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const bool isKnown = !name || sizes.arguments.contains(std::string(name->id)) ||
                         whole.find(std::string(name->id)) != std::string::npos;
    // `rows < n - 1` means to leave something out.
    const auto *constant = ast::as<ast::Constant>(&node);
    isPart &= isKnown && !ast::is<ast::Call>(&node) && !(constant && constant->intValue);
    return isPart;
  });
  return isPart;
}

std::optional<MaskAdvice> wholeMask(const ast::SyntaxTree &tree, const ast::Call &access,
                                    const ast::Expr &mask, const RowMask &rows,
                                    const KernelSizes &sizes) {
  const std::vector<const ast::Assign *> assignments = assignmentsOf(tree, access, mask);
  const ast::Expr &code = assignments.size() == 1 ? *assignments.front()->value : mask;
  if (!rows.isMatrix || rows.condition.empty() || tree.text(code.range) == rows.condition ||
      (ast::is<ast::Name>(&mask) && assignments.size() != 1) ||
      !isPartOf(code, rows.condition, sizes))
    return std::nullopt;
  // A mask that fits strides which are wrong would hide that.
  if (!rows.exchanged.empty())
    return MaskAdvice{"its `mask` must be `" + rows.condition + "`, unless the values of `" +
                          rows.exchanged[0] + "` and `" + rows.exchanged[1] + "` are exchanged",
                      {},
                      {}};
  return MaskAdvice{"its `mask` must be `" + rows.condition + "`",
                    {{code.range, rows.condition, "write `" + rows.condition + "`"}},
                    {}};
}

} // namespace tilescope::compiler
