// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SortedFillers.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/FillerTrial.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/RealConstant.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// A load whose elements are sorted, and used for nothing else.
struct SortedLoad {
  const ast::Call *load = nullptr;
  const ast::Call *sort = nullptr;
  bool isDescending = false;
};
} // namespace

/// `tl.sort(x)`, `tl.topk(x, k)`; null for all else.
static const ast::Call *sortOf(const ast::Node &node) {
  const auto *call = ast::as<ast::Call>(&node);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return function && (function->attr == "sort" || function->attr == "topk") && !call->args.empty()
             ? call
             : nullptr;
}

/// Nothing where the source does not show it.
static std::optional<bool> isDescending(const ast::Call &sort) {
  const bool isTopk = ast::as<ast::Attribute>(sort.func)->attr == "topk";
  const ast::Expr *order = argument(sort, isTopk ? 3 : 2, "descending");
  if (!order)
    return isTopk;
  const auto *constant = ast::as<ast::Constant>(order);
  if (!constant)
    return std::nullopt;
  return constant->constantKind == ast::ConstantKind::True;
}

static std::vector<SortedLoad> sortedLoads(const ast::SyntaxTree &tree) {
  std::vector<SortedLoad> found;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const ast::Call *sort = sortOf(node);
    const auto *name = sort ? ast::as<ast::Name>(sort->args[0]) : nullptr;
    const std::optional<bool> order = name ? isDescending(*sort) : std::nullopt;
    if (!order)
      return true;
    const ast::Node &function = functionAround(tree, sort->range);
    const auto *load = ast::as<ast::Call>(lastValue(function, name->id, sort->range.begin));
    size_t numUses = 0;
    ast::walk(function, [&](const ast::Node &other) {
      const auto *use = ast::as<ast::Name>(&other);
      numUses += use && use->id == name->id && use->ctx == ast::ExprContext::Load;
      return true;
    });
    if (load && numUses == 1 && argument(*load, 2, "other") && maskOf(*load))
      found.push_back({load, sort, *order});
    return true;
  });
  return found;
}

static bool comparesWithoutSign(ModuleOp module, const SourceRange &sort, FileTable &files) {
  using Predicate = arith::CmpIPredicate;
  const auto visit = [&](arith::CmpIOp compare) {
    static constexpr std::array kWithoutSign = {Predicate::ugt, Predicate::uge, Predicate::ult,
                                                Predicate::ule};
    return llvm::is_contained(kWithoutSign, compare.getPredicate()) &&
                   llvm::is_contained(sourceRanges(compare.getLoc(), files), sort)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return module.walk(visit).wasInterrupted();
}

std::vector<Diagnostic> sortedFillers(ModuleOp module, const ast::SyntaxTree &tree,
                                      const InterpreterLaunch &launch,
                                      const InterpreterOptions &options, FileTable &files) {
  std::vector<Diagnostic> found;
  for (const SortedLoad &sorted : sortedLoads(tree)) {
    const Filler order = sorted.isDescending ? Filler::MinusInfinity : Filler::Infinity;
    const Filler wanted =
        comparesWithoutSign(module, sorted.sort->range, files) ? withoutSign(order) : order;
    tt::LoadOp load;
    module.walk([&](tt::LoadOp each) {
      if (llvm::is_contained(sourceRanges(each.getLoc(), files), sorted.load->range))
        load = each;
    });
    const std::optional<double> other =
        load && load.getOther() ? numberConstant(load.getOther()) : std::nullopt;
    if (!other || fits(*other, wanted) || !dependsOnOther(module, launch, options, load, wanted))
      continue;
    const ast::Expr *filler = argument(*sorted.load, 2, "other");
    const std::string neutral = fillerCode(wanted, load.getResult());
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunOtherCounted;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = filler->range;
    diagnostic.message = "`other=" + std::string(tree.text(filler->range)) +
                         "` is sorted among the elements that are loaded: `other=" + neutral +
                         "` comes behind them";
    diagnostic.labels.push_back({sorted.sort->range, "sorts what the mask leaves out, too"});
    diagnostic.fixes = {{filler->range, neutral, "write `other=" + neutral + "`"}};
    found.push_back(std::move(diagnostic));
  }
  return found;
}

} // namespace tilescope::compiler
