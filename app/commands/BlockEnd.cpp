// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BlockEnd.h"

#include "app/commands/SideBySide.h"
#include "compiler/support/WholeNumber.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::OutputResult;

/// The axis along which elements are left out to its end, whatever the others are. Nothing: it is not so.
static std::optional<size_t> unwrittenAxis(const OutputResult &output) {
  const std::vector<int64_t> &shape = output.shape, &first = output.firstNeverWritten;
  if (first.size() != shape.size() ||
      std::ranges::count_if(first, [](int64_t index) { return index != 0; }) != 1)
    return std::nullopt;
  const auto axis = static_cast<size_t>(
      std::ranges::find_if(first, [](int64_t index) { return index != 0; }) - first.begin());
  const int64_t others = profiler::numElements(shape) / shape[axis];
  return *output.neverWritten == others * (shape[axis] - first[axis]) ? std::optional(axis)
                                                                      : std::nullopt;
}

/// Whether a block of the kernel is `tl.arange(0, NAME)`, and no program or loop goes on by NAME.
static bool isWholeBlock(const KernelText &kernel, const profiler::LaunchPlan &plan,
                         const std::string &name) {
  bool isRange = false, goesOn = false;
  kernel.walk([&](const ast::Node &node) {
    if (const ast::Call *range = KernelText::callOf(&node, "arange"))
      isRange |= range->args.size() == 2 && KernelText::nameOf(range->args[1]) == name;
    if (const auto *loop = ast::as<ast::For>(&node))
      goesOn |= ast::mentions(*loop->iter, name);
    const auto *product = ast::as<ast::BinOp>(&node);
    goesOn |= product && product->op == ast::BinaryOpKind::Mult && ast::mentions(*product, name);
  });
  return isRange && !goesOn &&
         std::ranges::none_of(sideBySide(kernel, plan),
                              [&](const SideBySide &each) { return each.block == name; });
}

void explainBlockEnd(const KernelText &kernel, std::string_view text,
                     const profiler::LaunchPlan &plan, const OutputResult &output,
                     compiler::Diagnostic &diagnostic) {
  const std::optional<size_t> axis =
      output.neverWritten.value_or(0) > 0 ? unwrittenAxis(output) : std::nullopt;
  if (!axis)
    return;
  const int64_t end = output.firstNeverWritten[*axis], extent = output.shape[*axis];
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks) {
    if (!profiler::isOfPlan(block, plan))
      continue;
    for (const profiler::LaunchEntry &entry : block.constexprs) {
      if (wholeNumber(entry.value.text) != end || !isWholeBlock(kernel, plan, entry.name))
        continue;
      const uint64_t enough = std::bit_ceil(static_cast<uint64_t>(extent));
      diagnostic.notes.push_back(fmt::format(
          "`{}` is {}: a block ends there, and no program goes on behind it; for {} it takes {}",
          entry.name, end, extent, enough));
      diagnostic.fixes.push_back({entry.value.range, std::to_string(enough),
                                  fmt::format("write `{} = {}`", entry.name, enough)});
    }
  }
}

} // namespace tilescope::app
