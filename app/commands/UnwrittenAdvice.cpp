// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnwrittenAdvice.h"

#include "app/commands/KernelText.h"
#include "app/commands/SharedTurns.h"
#include "app/commands/ShortAxes.h"
#include "app/commands/SideBySide.h"
#include "compiler/support/Counted.h"
#include "compiler/syntax/DeadStores.h"
#include "compiler/syntax/MaskAxes.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::LaunchBlock;
using profiler::LaunchPlan;
using profiler::OutputResult;

static std::optional<LaunchBlock> blockOf(std::string_view text, const LaunchPlan &plan) {
  for (LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (profiler::isOfPlan(block, plan))
      return std::move(block);
  return std::nullopt;
}

/// Whether the kernel asks for its program's number anywhere, or calls functions that may.
static bool knowsItsProgram(const KernelText &kernel) {
  bool knows = kernel.function() == nullptr;
  kernel.walk([&](const ast::Node &node) {
    const auto *access = ast::as<ast::Attribute>(&node);
    const auto *call = ast::as<ast::Call>(&node);
    knows |= (access && access->attr == "program_id") || (call && ast::is<ast::Name>(call->func));
  });
  return knows;
}

/// Whether it is `tl.arange(0, BLOCK)`, with the block's name.
static bool isRangeOf(const ast::Expr *expr, std::string_view block) {
  const ast::Call *call = KernelText::callOf(expr, "arange");
  const auto *begin =
      call && call->args.size() == 2 ? ast::as<ast::Constant>(call->args[0]) : nullptr;
  const auto *end = begin ? ast::as<ast::Name>(call->args[1]) : nullptr;
  return end && begin->intValue == 0 && end->id == block;
}

/// Lets each program begin where the one before ends: the only `tl.arange(0, BLOCK)` gets the
/// program's number.
static void addProgramNumber(const KernelText &kernel, const std::string &block,
                             compiler::Diagnostic &diagnostic) {
  std::vector<const ast::Call *> ranges;
  kernel.walk([&](const ast::Node &node) {
    if (const auto *call = ast::as<ast::Call>(&node); KernelText::callOf(call, "arange"))
      ranges.push_back(call);
  });
  if (block.empty() || ranges.size() != 1 || !isRangeOf(ranges.front(), block))
    return;
  const ast::Call &range = *ranges.front();
  const auto *function = ast::as<ast::Attribute>(range.func);
  const std::string code = std::string(kernel.text(*function->value)) + ".program_id(0) * " +
                           block + " + " + std::string(kernel.text(range));
  diagnostic.fixes.push_back({range.range, code, "write `" + code + "`"});
}

/// Lets blocks that overlap lie side by side: `pid + tl.arange(0, BLOCK)` begins at `pid * BLOCK`.
/// Nothing: the source does not show such a beginning, or several.
static std::optional<compiler::DiagnosticFix> blockFactor(const KernelText &kernel,
                                                          const std::string &block) {
  std::vector<std::string_view> numbers;
  std::vector<const ast::Expr *> begins;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
    if (target && KernelText::callOf(assign->value, "program_id"))
      numbers.push_back(target->id);
    const auto *sum = ast::as<ast::BinOp>(&node);
    if (!sum || sum->op != ast::BinaryOpKind::Add)
      return;
    const ast::Expr *begin = isRangeOf(sum->right, block)  ? sum->left
                             : isRangeOf(sum->left, block) ? sum->right
                                                           : nullptr;
    const auto *name = ast::as<ast::Name>(begin);
    const bool isNumber = KernelText::callOf(begin, "program_id") ||
                          (name && std::ranges::find(numbers, name->id) != numbers.end());
    if (begin && isNumber)
      begins.push_back(begin);
  });
  if (block.empty() || begins.size() != 1)
    return std::nullopt;
  const std::string code = std::string(kernel.text(*begins.front())) + " * " + block;
  return compiler::DiagnosticFix{begins.front()->range, code, "write `" + code + "`"};
}

/// The constexpr of that value, if there is only one.
static std::string constexprOf(const LaunchPlan &plan, int64_t value) {
  std::string found;
  for (const auto &[name, text] : plan.constexprs) {
    if (text != std::to_string(value))
      continue;
    if (!found.empty())
      return {};
    found = name;
  }
  return found;
}

/// `cdiv(n, BLOCK)`, as far as the block has names for both.
static std::string extentCode(const LaunchBlock &block, const LaunchPlan &plan,
                              const OutputResult &output, int64_t each) {
  const auto argument = std::ranges::find(block.args, output.name, &profiler::LaunchArgument::name);
  const std::string divisor = constexprOf(plan, each);
  return argument == block.args.end() || argument->shape.size() != 1 || divisor.empty()
             ? std::string()
             : "cdiv(" + argument->shape.front().text + ", " + divisor + ")";
}

/// Whether the programs write the beginning of the output, as many elements each, and the rest is that
/// of programs which the launch does not have. Where blocks of all programs would cover a vector, it has
/// enough of them.
static bool lacksPrograms(const KernelText &kernel, const LaunchPlan &plan,
                          const OutputResult &output) {
  const int64_t programs = plan.grid[0] * plan.grid[1] * plan.grid[2];
  const int64_t total = profiler::numElements(output.shape);
  const int64_t written = total - *output.neverWritten;
  // Programs that share out all there is, however many they are.
  bool sharesOut = !sharedTurns(kernel).empty();
  kernel.walk([&](const ast::Node &node) {
    sharesOut |= KernelText::callOf(&node, "num_programs") != nullptr;
  });
  if (sharesOut)
    return false;
  const std::optional<int64_t> size = blockSize(plan);
  if (size && output.shape.size() == 1 && programs * *size >= total)
    return false;
  // Of blocks that lie side by side, whole ones are written where only programs are missing.
  if (size && programs == plan.grid[0])
    for (const SideBySide &each : sideBySide(kernel, plan))
      if (written / programs % each.size != 0)
        return false;
  return written > 0 && written % programs == 0 &&
         profiler::elementIndex(output.firstNeverWritten, output.shape) == written;
}

/// That a vector takes more programs than the launch has, if they write blocks of one size each,
/// side by side.
static void addMorePrograms(const LaunchBlock &block, const LaunchPlan &plan,
                            const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const int64_t total = output.shape.front(), written = total - *output.neverWritten;
  const int64_t each = written / plan.grid[0], needed = (total + each - 1) / each;
  const std::string code = extentCode(block, plan, output, each);
  if (code.empty())
    return;
  diagnostic.notes.push_back("each writes " + std::to_string(each) + ": for " +
                             std::to_string(total) + " it takes " + std::to_string(needed) +
                             ", `grid = [\"" + code + "\"]`");
  if (block.grid.front().text != code)
    diagnostic.fixes.push_back(
        {block.grid.front().range, "\"" + code + "\"", "write `\"" + code + "\"`"});
}

/// That a matrix takes more programs, if each writes one row.
static void addMoreRows(const LaunchBlock &block, const LaunchPlan &plan,
                        const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const int64_t programs = plan.grid[0], rows = output.shape[0];
  const auto argument = std::ranges::find(block.args, output.name, &profiler::LaunchArgument::name);
  const bool isPrefix = output.firstNeverWritten == std::vector<int64_t>{programs, 0} &&
                        *output.neverWritten == (rows - programs) * output.shape[1];
  if (!isPrefix || argument == block.args.end() || argument->shape.size() != 2)
    return;
  const std::string code = profiler::tomlValue(argument->shape[0].text);
  diagnostic.notes.push_back("each writes a row: for " + std::to_string(rows) +
                             " rows it takes as many, `grid = [" + code + "]`");
  diagnostic.fixes.push_back({block.grid.front().range, code, "write `" + code + "`"});
}

/// The first store whose mask lies along other axes than its address; nothing where none does.
static std::optional<compiler::MaskAxes> axesOfStores(const KernelText &kernel,
                                                      const std::vector<SourceRange> &stores) {
  std::optional<compiler::MaskAxes> found;
  kernel.walk([&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && !found && std::ranges::find(stores, call->range) != stores.end())
      found = compiler::maskAxes(kernel.tree(), *kernel.function(), *call);
  });
  return found;
}

/// More programs would not help: what is left out is decided where the kernel writes.
static void placeAtStores(const std::vector<SourceRange> &stores, const OutputResult &output,
                          compiler::Diagnostic &diagnostic) {
  diagnostic.range = stores.front();
  for (size_t i = 1; i < stores.size(); ++i)
    diagnostic.labels.push_back({stores[i], "this writes to `" + output.name + "`, too"});
}

bool explainUnwritten(std::string_view text, const LaunchPlan &plan, const OutputResult &output,
                      const std::vector<SourceRange> &stores, compiler::Diagnostic &diagnostic) {
  const bool isUnwritten = output.neverWritten.value_or(0) > 0 && output.comparison &&
                           output.comparison->firstMismatch == output.firstNeverWritten;
  // What held values before the launch is not known as never written.
  if (output.neverWritten.value_or(0) == 0 && diagnostic.range.empty() && !stores.empty() &&
      output.comparison) {
    placeAtStores(stores, output, diagnostic);
    diagnostic.notes.push_back("it keeps what it held before the launch: a mask, a condition or "
                               "the end of a loop leaves it out, or no address leads to it");
    return false;
  }
  const std::optional<LaunchBlock> block = isUnwritten ? blockOf(text, plan) : std::nullopt;
  const int64_t programs = plan.grid[0] * plan.grid[1] * plan.grid[2];
  if (!block || block->grid.empty())
    return false;
  if (programs == 0) {
    for (size_t axis = 0; axis < block->grid.size() && diagnostic.range.empty(); ++axis)
      if (plan.grid[axis] == 0)
        diagnostic.range = block->grid[axis].range;
    diagnostic.notes.push_back("the grid has no programs: nothing runs");
    return false;
  }
  const int64_t total = profiler::numElements(output.shape);
  const int64_t written = total - *output.neverWritten;
  const KernelText kernel(text, plan.kernel);
  // More programs would not help.
  if (written == 0) {
    if (diagnostic.range.empty())
      if (const ast::Arg *parameter = kernel.parameter(output.name))
        diagnostic.range = parameter->range;
    diagnostic.notes.push_back(
        stores.empty() && kernel.function() && ast::storeBehindReturn(*kernel.function())
            ? "no program stores anything there: the kernel's store stands behind a `return`"
        : stores.empty()
            ? "no program stores anything there: results are written with `tl.store(" +
                  output.name + " + …, value)`"
            : "no program stores anything there, although the kernel does it on line " +
                  std::to_string(stores.front().begin.line + 1) +
                  ": its mask is false everywhere, or no program comes to it");
    return false;
  }
  const bool isOneForAll = programs > 1 && !knowsItsProgram(kernel);
  const std::optional<int64_t> size = blockSize(plan);
  const std::string name = size ? constexprOf(plan, *size) : std::string();
  const bool isLine = programs == plan.grid[0];
  const bool mayOverlap = programs > 1 && isLine && output.shape.size() == 1 && size &&
                          written < std::min(total, programs * *size) && written % *size != 0;
  const std::optional<compiler::DiagnosticFix> factor =
      mayOverlap ? blockFactor(kernel, name) : std::nullopt;
  const bool overlaps = factor.has_value();
  const bool isLacking = lacksPrograms(kernel, plan, output);
  if (diagnostic.range.empty()) {
    const bool isGrid = isLacking && !isOneForAll && !overlaps;
    if (isGrid || stores.empty())
      diagnostic.range = block->grid.front().range;
    else
      placeAtStores(stores, output, diagnostic);
  }
  diagnostic.notes.push_back("the grid has " + counted(programs, "program") +
                             (programs == 1 ? ", which writes " : ", which write ") +
                             std::to_string(written) + " of " + counted(total, "element"));
  if (explainShortAxes(kernel, *block, plan, output, diagnostic))
    return true;
  if (isOneForAll) {
    diagnostic.notes.push_back("the kernel does not use `tl.program_id`: all programs write to the "
                               "same places");
    if (isLine && output.shape.size() == 1)
      addProgramNumber(kernel, name, diagnostic);
  } else if (overlaps) {
    diagnostic.notes.push_back("blocks of " + std::to_string(*size) +
                               " overlap: program `pid` begins at `pid * " + name + "`");
    diagnostic.fixes.push_back(*factor);
  } else if (!stores.empty() && !isLacking) {
    if (const std::optional<compiler::MaskAxes> axes = axesOfStores(kernel, stores)) {
      diagnostic.notes.push_back("the store leaves the others out: " + axes->words);
      if (axes->fix)
        diagnostic.fixes.push_back(*axes->fix);
      return false;
    }
    bool hasLoops = false;
    kernel.walk([&](const ast::Node &node) {
      hasLoops |= ast::is<ast::For>(&node) || ast::is<ast::While>(&node);
    });
    const bool isGridKnown = !sideBySide(kernel, plan).empty();
    diagnostic.notes.push_back(
        std::string("no program stores the others: a mask") +
        (hasLoops ? ", a condition or the end of a loop" : " or a condition") +
        " leaves them out, " +
        (isGridKnown ? "or no address leads to them"
                     : "no address leads to them, or the grid has too few programs"));
  } else if (isLacking && isLine && output.shape.size() == 1) {
    addMorePrograms(*block, plan, output, diagnostic);
    return true;
  } else if (isLine && output.shape.size() == 2) {
    addMoreRows(*block, plan, output, diagnostic);
  }
  return false;
}

} // namespace tilescope::app
