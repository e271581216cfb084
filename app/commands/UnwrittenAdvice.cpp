// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnwrittenAdvice.h"

#include "compiler/support/Counted.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::LaunchBlock;
using profiler::LaunchPlan;
using profiler::OutputResult;

static std::optional<LaunchBlock> blockOf(std::string_view text, const LaunchPlan &plan) {
  for (LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (block.name == plan.name && (block.kernel == plan.kernel || block.kernel.empty()))
      return std::move(block);
  return std::nullopt;
}

/// Whether the kernel asks for its program's number anywhere, or calls functions that may.
static bool knowsItsProgram(std::string_view text, const std::string &kernel) {
  const auto tree = ast::parseModule(std::string(text));
  const ast::ModuleIndex index = ast::indexModule(*tree);
  const ast::JitFunction *function = index.findFunction(kernel);
  bool knows = function == nullptr;
  for (size_t i = 0; function && i < function->def->body.size(); ++i)
    ast::walk(*function->def->body[i], [&](const ast::Node &node) {
      const auto *access = ast::as<ast::Attribute>(&node);
      const auto *call = ast::as<ast::Call>(&node);
      knows |= (access && access->attr == "program_id") || (call && ast::is<ast::Name>(call->func));
      return !knows;
    });
  return knows;
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

/// The number of elements in a program's block, where the launch states one number for it.
static std::optional<int64_t> blockSize(const LaunchPlan &plan) {
  std::optional<int64_t> size;
  for (const auto &[name, text] : plan.constexprs) {
    const bool isNumber =
        !text.empty() && text.size() < 8 && text.find_first_not_of("0123456789") == text.npos;
    if (size || !isNumber)
      return std::nullopt;
    size = std::stoll(text);
  }
  return size;
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

/// That a vector takes more programs than the launch has, if they write blocks of one size each,
/// side by side.
static void addMorePrograms(const LaunchBlock &block, const LaunchPlan &plan,
                            const OutputResult &output, compiler::Diagnostic &diagnostic) {
  const int64_t programs = plan.grid[0], total = output.shape.front();
  const int64_t written = total - *output.neverWritten;
  const bool isPrefix = output.firstNeverWritten == std::vector<int64_t>{written};
  if (!isPrefix || written == 0 || written % programs != 0)
    return;
  const int64_t each = written / programs, needed = (total + each - 1) / each;
  const std::string code = extentCode(block, plan, output, each);
  if (code.empty())
    return;
  diagnostic.notes.push_back("each writes " + std::to_string(each) + ": for " +
                             std::to_string(total) + " it takes " + std::to_string(needed) +
                             ", `grid = [\"" + code + "\"]`");
  if (block.grid.front().text != code)
    diagnostic.fixes.push_back({diagnostic.range, "\"" + code + "\"", "write `\"" + code + "\"`"});
}

void explainUnwritten(std::string_view text, const LaunchPlan &plan, const OutputResult &output,
                      compiler::Diagnostic &diagnostic) {
  const bool isUnwritten = output.neverWritten.value_or(0) > 0 && output.comparison &&
                           output.comparison->firstMismatch == output.firstNeverWritten;
  const std::optional<LaunchBlock> block = isUnwritten ? blockOf(text, plan) : std::nullopt;
  const int64_t programs = plan.grid[0] * plan.grid[1] * plan.grid[2];
  if (!block || block->grid.empty() || programs == 0)
    return;
  if (diagnostic.range.empty())
    diagnostic.range = block->grid.front().range;
  const int64_t total =
      std::accumulate(output.shape.begin(), output.shape.end(), int64_t(1), std::multiplies<>());
  const int64_t written = total - *output.neverWritten;
  diagnostic.notes.push_back("the grid has " + counted(programs, "program") +
                             (programs == 1 ? ", which writes " : ", which write ") +
                             std::to_string(written) + " of " + counted(total, "element"));
  const std::optional<int64_t> size = blockSize(plan);
  if (programs > 1 && !knowsItsProgram(text, plan.kernel))
    diagnostic.notes.push_back("the kernel does not use `tl.program_id`: all programs write to the "
                               "same places");
  else if (programs == plan.grid[0] && output.shape.size() == 1 && size &&
           written < std::min(total, programs * *size) && written % *size != 0)
    diagnostic.notes.push_back("blocks of " + std::to_string(*size) +
                               " overlap: program `pid` begins at `pid * " +
                               constexprOf(plan, *size) + "`");
  else if (programs == plan.grid[0] && output.shape.size() == 1)
    addMorePrograms(*block, plan, output, diagnostic);
}

} // namespace tilescope::app
