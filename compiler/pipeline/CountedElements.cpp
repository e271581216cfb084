// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountedElements.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/CountedComparisons.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/RealConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using namespace mlir;

namespace tilescope::compiler {

ScalarArguments scalarsOf(const InterpreterLaunch &launch) {
  ScalarArguments scalars;
  for (const InterpreterArgument &argument : launch.arguments)
    scalars.push_back(argument.data ? std::nullopt : std::optional(argument.bits));
  return scalars;
}

/// No `other` suits all reductions of a load; nothing where one does.
static std::optional<Diagnostic> contestedFill(const ast::SyntaxTree &tree,
                                               const CountedFiller &filler) {
  const ast::Call *access =
      filler.neutral.empty() && filler.range.file == 0 ? findAccess(tree, filler.range) : nullptr;
  const ast::Expr *other = access ? argument(*access, 2, "other") : nullptr;
  if (!other)
    return std::nullopt;
  std::string needs;
  for (const std::string &each : filler.needs)
    needs += (needs.empty() ? "`" : " and `") + each + "`";
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunOtherCounted;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = other->range;
  const std::string own = "`other=" + std::string(tree.text(other->range)) + "` takes part in ";
  diagnostic.message =
      filler.needs.size() > 1
          ? own + "reductions that need different values, " + needs +
                ": mask what each of them takes with `tl.where`"
          : own + "a reduction that needs " + needs +
                ", which does not suit the other uses of the load: mask what it takes with "
                "`tl.where`";
  diagnostic.notes = {"the elements that the mask leaves out count as if they had been loaded"};
  return diagnostic;
}

/// Where the `other` of a load that only maxima take in, or only minima, makes a difference; empty: elsewhere, too.
static std::string differenceNote(const CountedFiller &filler, std::string_view other) {
  const auto isTakenIn = [](const UnfitReduction &unfit) {
    return isInfinite(fillerOf(unfit.reduction)) &&
           withoutShape(unfit.reduction->getOperand(0)) == unfit.load->getResult(0) &&
           isa<FloatType>(getElementTypeOrSelf(unfit.load->getResult(0)));
  };
  if (filler.unfit.empty() || !std::ranges::all_of(filler.unfit, isTakenIn))
    return {};
  const bool isMaximum = filler.unfit.front().needed == Filler::MinusInfinity;
  return "it makes a difference where all elements that are loaded are " +
         std::string(isMaximum ? "below `" : "above `") + std::string(other) + "`";
}

static std::vector<Diagnostic> countedFills(const ast::SyntaxTree &tree,
                                            const std::vector<CountedFiller> &fillers,
                                            const Interpretation &run) {
  std::vector<CountedFiller> seen;
  std::ranges::copy_if(fillers, std::back_inserter(seen), [&](const CountedFiller &each) {
    return each.isCertain && wasFilled(each.places, run);
  });
  std::vector<Diagnostic> found;
  for (const CountedFiller &each : seen)
    if (std::optional<Diagnostic> contested = contestedFill(tree, each))
      found.push_back(std::move(*contested));
  for (const DiagnosticFix &fix : fillerFixes(tree, seen)) {
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunOtherCounted;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = fix.range;
    diagnostic.message = fix.title;
    diagnostic.notes = {"the elements that the mask leaves out count as if they had been loaded"};
    const auto filler = std::ranges::find_if(seen, [&](const CountedFiller &each) {
      return each.range.begin <= fix.range.begin && fix.range.end <= each.range.end;
    });
    if (std::string note =
            filler == seen.end() ? std::string() : differenceNote(*filler, tree.text(fix.range));
        !note.empty())
      diagnostic.notes.push_back(std::move(note));
    diagnostic.fixes = {{fix.range, fix.replacement, "write `other=" + fix.replacement + "`"}};
    found.push_back(std::move(diagnostic));
  }
  return found;
}

/// Whether a load's mask left elements out of lines along the axis of the reduction.
static bool wasSplit(const LostFiller &lost, const Interpretation &run) {
  return lost.axis >= 0 && std::ranges::any_of(run.filledLoads, [&](const FilledLoad &load) {
           return std::ranges::find(lost.loadPlaces, load.range) != lost.loadPlaces.end() &&
                  ((load.splitAxes >> lost.axis) & 1) != 0;
         });
}

/// The mean was subtracted from elements that are none, and their squares were summed.
static std::vector<Diagnostic> countedDifferences(const ast::SyntaxTree &tree,
                                                  const std::vector<LostFiller> &places,
                                                  const Interpretation &run) {
  std::vector<Diagnostic> found;
  for (const LostFiller &lost : places) {
    std::optional<DiagnosticFix> fix =
        lost.isCertain && wasSplit(lost, run) ? lostFix(tree, lost) : std::nullopt;
    if (!fix)
      continue;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunOtherCounted;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = fix->range;
    diagnostic.message = fix->title;
    diagnostic.labels.push_back({lost.load, "`other` stands for what the mask leaves out"});
    diagnostic.fixes = {{fix->range, fix->replacement, "write `" + fix->replacement + "`"}};
    found.push_back(std::move(diagnostic));
  }
  return found;
}

/// Whether a number is stored as it is, or as the difference of two such.
static bool isStored(Value value, int depth = 0) {
  static constexpr int kMaxDepth = 6;
  return depth < kMaxDepth && llvm::any_of(
                                  value.getUsers(),
                                  [&](Operation *user) {
                                    if (auto store = dyn_cast<tt::StoreOp>(user))
                                      return store.getValue() == value;
                                    if (auto update = dyn_cast<tt::AtomicRMWOp>(user))
                                      return update.getVal() == value;
                                    return (keepsElements(user) || combinesExtremes(user) ||
                                            isa<tt::BitcastOp, arith::BitcastOp>(user)) &&
                                           isStored(user->getResult(0), depth + 1);
                                  });
}

/// `tl.min(tl.where(c < w, v, 0))` with the mask of the load: 0 is counted for what it left out.
static std::optional<Diagnostic> chosenFill(tt::ReduceOp reduce, const ast::SyntaxTree &tree,
                                            const Interpretation &run, FileTable &files) {
  const Filler filler = fillerOf(reduce);
  auto choice = withoutShape(reduce.getSrcs().front()).getDefiningOp<arith::SelectOp>();
  if (!isInfinite(filler) || !choice || reduce.getNumResults() != 1 ||
      !isStored(reduce->getResult(0)))
    return std::nullopt;
  auto load = withoutShape(choice.getTrueValue()).getDefiningOp<tt::LoadOp>();
  const std::optional<double> number = realConstant(choice.getFalseValue());
  if (!load || !load.getMask() || !number || fits(*number, filler) ||
      withoutShape(choice.getCondition()) != withoutShape(load.getMask()) ||
      !wasFilled(sourceRanges(load.getLoc(), files), run))
    return std::nullopt;
  const std::vector<SourceRange> places = sourceRanges(choice.getLoc(), files);
  const ast::Call *where =
      !places.empty() && places.front().file == 0 ? findAccess(tree, places.front()) : nullptr;
  const ast::Expr *filled = where ? argument(*where, 2, "y") : nullptr;
  if (!filled)
    return std::nullopt;
  const std::string neutral = fillerCode(filler, choice.getResult());
  const std::string own(tree.text(filled->range));
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunOtherCounted;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = filled->range;
  diagnostic.message = "`" + own +
                       "` stands for what the mask leaves out, and takes part in a "
                       "reduction: `" +
                       neutral + "` leaves it as it is";
  diagnostic.fixes = {{filled->range, neutral, "write `" + neutral + "`"}};
  return diagnostic;
}

/// Whether counts are stored as they are, or added up and stored.
static bool areCountsStored(Value counts, std::set<void *> &seen) {
  return seen.insert(counts.getAsOpaquePointer()).second &&
         llvm::any_of(counts.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (auto store = dyn_cast<tt::StoreOp>(user))
             return store.getValue() == counts;
           if (auto update = dyn_cast<tt::AtomicRMWOp>(user))
             return update.getVal() == counts;
           auto loop =
               isa<scf::YieldOp>(user) ? dyn_cast<scf::ForOp>(user->getParentOp()) : scf::ForOp();
           if (loop)
             return areCountsStored(loop.getResult(use.getOperandNumber()), seen);
           return (keepsElements(user) ||
                   isa<arith::AddIOp, arith::SIToFPOp, arith::UIToFPOp>(user)) &&
                  areCountsStored(user->getResult(0), seen);
         });
}

/// The load whose `other` is counted by `tl.histogram(x, n)` without a mask; null: there is none.
static tt::LoadOp loadInBins(tt::HistogramOp histogram) {
  Value source = withoutShape(histogram.getSrc());
  bool isUnsigned = false;
  while (Operation *conversion = source.getDefiningOp<arith::TruncIOp>()
                                     ? source.getDefiningOp()
                                     : source.getDefiningOp<arith::ExtUIOp>()) {
    isUnsigned |= isa<arith::ExtUIOp>(conversion);
    source = withoutShape(conversion->getOperand(0));
  }
  auto load = source.getDefiningOp<tt::LoadOp>();
  std::optional<double> other =
      load && load.getOther() ? numberConstant(load.getOther()) : std::nullopt;
  if (other && *other < 0 && isUnsigned)
    *other += std::exp2(getElementTypeOrSelf(load.getType()).getIntOrFloatBitWidth());
  const auto numBins =
      static_cast<double>(cast<RankedTensorType>(histogram.getResult().getType()).getNumElements());
  std::set<void *> seen;
  const bool isCounted = !histogram.getMask() && other && *other >= 0 && *other < numBins;
  return isCounted && areCountsStored(histogram.getResult(), seen) ? load : tt::LoadOp();
}

bool countsInBins(Operation *module) {
  const auto visit = [](tt::HistogramOp histogram) {
    return loadInBins(histogram) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return module->walk(visit).wasInterrupted();
}

/// Such a histogram whose load left elements out.
static std::optional<Diagnostic> countedBin(tt::HistogramOp histogram, const ast::SyntaxTree &tree,
                                            const Interpretation &run, FileTable &files) {
  tt::LoadOp load = loadInBins(histogram);
  if (!load || !wasFilled(sourceRanges(load.getLoc(), files), run))
    return std::nullopt;
  const std::vector<SourceRange> places = sourceRanges(histogram.getLoc(), files);
  const std::vector<SourceRange> loads = sourceRanges(load.getLoc(), files);
  if (places.empty() || places.front().file != 0 || loads.front().file != 0)
    return std::nullopt;
  const ast::Call *call = findAccess(tree, places.front());
  const ast::Call *access = findAccess(tree, loads.front());
  const ast::Expr *filler = access ? argument(*access, 2, "other") : nullptr;
  if (!call || !filler)
    return std::nullopt;
  const std::string mask = maskCodeAt(tree, *access, call->range);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunOtherCounted;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = call->range;
  diagnostic.message = "`" + std::string(tree.text(call->func->range)) +
                       "` counts what the mask of the load leaves out as " +
                       std::string(tree.text(filler->range)) + "; give it that mask, too" +
                       (mask.empty() ? std::string() : ": `mask=" + mask + "`");
  diagnostic.labels.push_back({filler->range, "stands for the elements that are left out"});
  if (!mask.empty())
    diagnostic.fixes = {addArgument(*call, "mask=" + mask)};
  return diagnostic;
}

std::vector<Diagnostic> countedElements(Operation *module, const ast::SyntaxTree &tree,
                                        const std::vector<CountedFiller> &fillers,
                                        const std::vector<LostFiller> &lost,
                                        const ScalarArguments &arguments, const Interpretation &run,
                                        FileTable &files) {
  std::vector<Diagnostic> found = countedFills(tree, fillers, run);
  std::ranges::move(countedDifferences(tree, lost, run), std::back_inserter(found));
  std::set<SourceRange> seen;
  module->walk([&](tt::ReduceOp reduce) {
    std::optional<Diagnostic> chosen = chosenFill(reduce, tree, run, files);
    if (chosen && seen.insert(chosen->range).second)
      found.push_back(std::move(*chosen));
    for (Diagnostic &counted : countedComparisons(reduce, tree, arguments, run, files))
      if (seen.insert(counted.range).second)
        found.push_back(std::move(counted));
  });
  module->walk([&](tt::HistogramOp histogram) {
    std::optional<Diagnostic> counted = countedBin(histogram, tree, run, files);
    if (counted && seen.insert(counted->range).second)
      found.push_back(std::move(*counted));
  });
  return found;
}

} // namespace tilescope::compiler
