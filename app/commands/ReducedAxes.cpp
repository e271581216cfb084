// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ReducedAxes.h"

#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/VectorAxes.h"

#include <string>
#include <string_view>

namespace tilescope::app {

namespace ast = compiler::ast;

/// Whether any block of the kernel has rows and columns.
static bool hasMatrices(const KernelText &kernel) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const auto *index = ast::as<ast::Subscript>(&node);
    found |= index && ast::axisOf(*index).has_value();
  });
  return found;
}

/// The axis of a reduction or a scan, as it is written; null: none is.
static const ast::Constant *axisIn(const ast::Node &node) {
  for (const std::string_view function : {"sum", "max", "min", "argmax", "argmin", "cumsum"})
    if (const ast::Call *call = KernelText::callOf(&node, function))
      return ast::as<ast::Constant>(compiler::argument(*call, 1, "axis"));
  return nullptr;
}

void explainReducedAxes(const KernelText &kernel, compiler::Diagnostic &diagnostic) {
  if (!hasMatrices(kernel))
    return;
  // Each is a run of the whole launch.
  constexpr size_t kMost = 4;
  const size_t most = diagnostic.fixes.size() + kMost;
  kernel.walk([&](const ast::Node &node) {
    const ast::Constant *axis = axisIn(node);
    if (!axis || !axis->intValue || *axis->intValue < 0 || *axis->intValue > 1 ||
        diagnostic.fixes.size() >= most)
      return;
    const bool isFirst = *axis->intValue == 0;
    const std::string other = isFirst ? "1" : "0";
    diagnostic.labels.push_back(
        {axis->range, isFirst
                          ? "axis 0 goes down the columns of the block, axis 1 along its rows"
                          : "axis 1 goes along the rows of the block, axis 0 down its columns"});
    diagnostic.fixes.push_back(
        {axis->range, other,
         "take axis " + other + " in line " + std::to_string(axis->range.begin.line + 1)});
  });
}

} // namespace tilescope::app
