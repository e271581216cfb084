// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnmaskedUpdates.h"

#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/IndexMasks.h"

#include <algorithm>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The mask that an atomic update lacks; empty: it has one, or needs none.
static std::string missingMask(const KernelText &kernel, const ast::Call &call) {
  if (call.args.size() != 2 || compiler::maskOf(call))
    return {};
  const compiler::IndexMasks found =
      compiler::masksOfIndex(kernel.tree(), *call.args.front(), call.range);
  return found.masks.size() == 1 && !found.haveOtherAxes ? std::string(*found.masks.begin())
                                                         : std::string();
}

void explainUnmaskedUpdates(const KernelText &kernel, const profiler::OutputResult &output,
                            const std::vector<SourceRange> &stores,
                            compiler::Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (!function || !function->attr.starts_with("atomic_") || function->attr == "atomic_cas" ||
        std::ranges::find(stores, call->range) == stores.end())
      return;
    const std::string mask = missingMask(kernel, *call);
    if (mask.empty())
      return;
    const std::string argument = "mask=" + mask;
    diagnostic.notes.push_back(
        "`" + std::string(kernel.text(*function)) + "` in line " +
        std::to_string(call->range.begin.line + 1) + " has no mask: what `" + mask +
        "` leaves out of the load of its index updates an element of `" + output.name + "`, too");
    SourceRange behind = call->args.back()->range;
    behind.begin = behind.end;
    diagnostic.fixes.push_back({behind, ", " + argument, "add `" + argument + "`"});
  });
}

} // namespace tilescope::app
