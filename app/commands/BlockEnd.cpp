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

namespace {
/// Rows of which the first elements are written, and no others: axes that lie side by side.
struct ShortRows {
  size_t firstAxis = 0;
  size_t endAxis = 0;
  /// Of a row, and what is written of it.
  int64_t extent = 1;
  int64_t end = 0;
};
} // namespace

/// Along one axis, whatever the others are, or along several that are the last ones. Nothing: it is not so.
static std::optional<ShortRows> shortRows(const OutputResult &output) {
  const std::vector<int64_t> &shape = output.shape, &first = output.firstNeverWritten;
  if (first.size() != shape.size() || output.neverWritten.value_or(0) <= 0)
    return std::nullopt;
  const int64_t total = profiler::numElements(shape);
  const auto isShort = [&](const ShortRows &rows) {
    return rows.end > 0 && rows.end < rows.extent &&
           *output.neverWritten == total / rows.extent * (rows.extent - rows.end);
  };
  const auto axis = static_cast<size_t>(
      std::ranges::find_if(first, [](int64_t index) { return index != 0; }) - first.begin());
  if (std::ranges::count_if(first, [](int64_t index) { return index != 0; }) == 1)
    if (const ShortRows rows{axis, axis + 1, shape[axis], first[axis]}; isShort(rows))
      return rows;
  ShortRows rows{shape.size(), shape.size()};
  while (rows.firstAxis > 0) {
    --rows.firstAxis;
    rows.end += first[rows.firstAxis] * rows.extent;
    rows.extent *= shape[rows.firstAxis];
    if (rows.firstAxis <= axis && isShort(rows))
      return rows;
  }
  return std::nullopt;
}

/// `width * channels`, as the launch block has the axes of the rows; empty where it is one of them, or not names alone.
static std::string extentCode(const profiler::LaunchBlock &block, const OutputResult &output,
                              const ShortRows &rows) {
  const auto argument = std::ranges::find(block.args, output.name, &profiler::LaunchArgument::name);
  if (argument == block.args.end() || argument->shape.size() != output.shape.size() ||
      rows.endAxis - rows.firstAxis < 2)
    return {};
  std::string code;
  for (size_t axis = rows.firstAxis; axis < rows.endAxis; ++axis) {
    const std::string &text = argument->shape[axis].text;
    if (text.find_first_of(" +-*/(") != std::string::npos)
      return {};
    code += (code.empty() ? "" : " * ") + text;
  }
  return code;
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

/// What is said of each constexpr that is the end of the block, with what is large enough as a fix.
static void addBlockEnds(const KernelText &kernel, std::string_view text,
                         const profiler::LaunchPlan &plan, const OutputResult &output,
                         std::vector<std::string> &notes,
                         std::vector<compiler::DiagnosticFix> &fixes) {
  const std::optional<ShortRows> rows = shortRows(output);
  if (!rows)
    return;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks) {
    if (!profiler::isOfPlan(block, plan))
      continue;
    const std::string code = extentCode(block, output, *rows);
    for (const profiler::LaunchEntry &entry : block.constexprs) {
      if (wholeNumber(entry.value.text) != rows->end || !isWholeBlock(kernel, plan, entry.name))
        continue;
      const uint64_t enough = std::bit_ceil(static_cast<uint64_t>(rows->extent));
      const std::string needed = code.empty()
                                     ? std::to_string(rows->extent)
                                     : fmt::format("a row of {}, `{}`,", rows->extent, code);
      notes.push_back(fmt::format(
          "`{}` is {}: a block ends there, and no program goes on behind it; for {} it takes {}",
          entry.name, rows->end, needed, enough));
      fixes.push_back({entry.value.range, std::to_string(enough),
                       fmt::format("write `{} = {}`", entry.name, enough)});
    }
  }
}

void explainBlockEnd(const KernelText &kernel, std::string_view text,
                     const profiler::LaunchPlan &plan, const OutputResult &output,
                     compiler::Diagnostic &diagnostic) {
  addBlockEnds(kernel, text, plan, output, diagnostic.notes, diagnostic.fixes);
}

std::optional<compiler::Diagnostic>
shortBlock(std::string_view text, const profiler::LaunchPlan &plan, const OutputResult &output) {
  const profiler::PlanArgument *argument = plan.argument(output.name);
  if (!argument || !argument->tensor() || !argument->tensor()->expected.empty())
    return std::nullopt;
  std::vector<std::string> notes;
  compiler::Diagnostic diagnostic;
  addBlockEnds(KernelText(text, plan.kernel), text, plan, output, notes, diagnostic.fixes);
  if (notes.empty())
    return std::nullopt;
  diagnostic.kind = compiler::DiagnosticKind::RunUndefined;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.cause.subject = output.name;
  diagnostic.range = diagnostic.fixes.front().range;
  diagnostic.message =
      fmt::format("{} of {} elements of `{}` were never written: {}", *output.neverWritten,
                  profiler::numElements(output.shape), output.name, notes.front());
  return diagnostic;
}

} // namespace tilescope::app
