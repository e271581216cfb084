// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BlocksAlone.h"

#include "app/commands/SideBySide.h"

#include <bit>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;

namespace {
/// A function of the language, and what stands for it in `expected`.
struct WholeFunction {
  std::string_view name;
  std::vector<std::string_view> expected;
  bool isReduction = true;
};
} // namespace

static const std::vector<WholeFunction> &wholeFunctions() {
  static const std::vector<WholeFunction> kAll = {
      {"flip", {"[::-1]", "flip("}, false},
      {"sort", {"sort("}, false},
      {"softmax", {"sum("}, false},
      {"max", {"max("}},
      {"min", {"min("}},
      {"sum", {"sum(", "mean(", "norm(", "std(", "var("}},
  };
  return kAll;
}

/// Whether programs, or turns of a loop, pass on to others what they reduce, or a block has several axes, of which
/// one may be whole.
static bool mayPassOn(const KernelText &kernel) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const auto *member = ast::as<ast::Attribute>(&node);
    const auto *constant = ast::as<ast::Constant>(&node);
    found |= ast::is<ast::For>(&node) || ast::is<ast::While>(&node) ||
             (member && member->attr.find("atomic") != std::string_view::npos) ||
             (constant && constant->constantKind == ast::ConstantKind::None);
  });
  return found;
}

void explainBlocksAlone(const KernelText &kernel, const profiler::LaunchPlan &plan,
                        const profiler::PlanArgument &argument,
                        const profiler::OutputResult &output, compiler::Diagnostic &diagnostic) {
  const std::string &expected = argument.tensor() ? argument.tensor()->expected : std::string();
  if (expected.find("reshape") != std::string::npos || output.shape.empty() || mayPassOn(kernel))
    return;
  std::string names;
  size_t numNames = 0;
  for (const WholeFunction &each : wholeFunctions()) {
    bool isCalled = false, isExpected = false;
    kernel.walk([&](const ast::Node &node) {
      isCalled |= KernelText::callOf(&node, each.name) != nullptr;
    });
    for (const std::string_view word : each.expected)
      isExpected |= expected.find(word) != std::string::npos;
    if (!isCalled || !isExpected)
      continue;
    names += (names.empty() ? "`tl." : " and `tl.") + std::string(each.name) + "`";
    ++numNames;
  }
  if (names.empty())
    return;
  const int64_t extent = output.shape.back();
  for (const SideBySide &each : sideBySide(kernel, plan)) {
    if (plan.grid[each.axis] < 2 || each.size >= extent)
      continue;
    diagnostic.notes.push_back(fmt::format(
        "{} {} one block alone, `{}` = {} elements of the {} here: {} programs do that, each with "
        "its own, and what the others hold takes no part in it; a block of {} in one program has "
        "all of them",
        names, numNames > 1 ? "know" : "knows", each.block, each.size, extent, plan.grid[each.axis],
        std::bit_ceil(static_cast<uint64_t>(extent))));
    return;
  }
}

} // namespace tilescope::app
