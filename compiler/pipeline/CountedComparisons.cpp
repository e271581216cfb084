// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountedComparisons.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/RealConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <bit>
#include <string>

using namespace mlir;

namespace tilescope::compiler {

bool wasFilled(const std::vector<SourceRange> &places, const Interpretation &run) {
  return std::ranges::any_of(places, [&](const SourceRange &place) {
    return std::ranges::find(run.filledLoads, place, &FilledLoad::range) != run.filledLoads.end();
  });
}

/// The number that all elements of a value hold, with its sign: a constant, or an argument of the launch.
static std::optional<double> numberOf(Value value, const ScalarArguments &arguments) {
  while (Operation *wider = withoutShape(value).getDefiningOp<arith::ExtSIOp>())
    value = wider->getOperand(0);
  value = withoutShape(value);
  if (const std::optional<double> constant = numberConstant(value))
    return constant;
  auto argument = dyn_cast<BlockArgument>(value);
  const Type type = value.getType();
  if (!argument || !(type.isF32() || type.isInteger(32) || type.isInteger(64)) ||
      !isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ||
      argument.getArgNumber() >= arguments.size() || !arguments[argument.getArgNumber()])
    return std::nullopt;
  const uint64_t bits = *arguments[argument.getArgNumber()];
  if (type.isF32())
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return type.isInteger(32) ? static_cast<double>(static_cast<int32_t>(bits))
                            : static_cast<double>(static_cast<int64_t>(bits));
}

static bool holds(arith::CmpFPredicate predicate, double left, double right) {
  using Predicate = arith::CmpFPredicate;
  switch (predicate) {
  case Predicate::OEQ:
    return left == right;
  case Predicate::OGT:
    return left > right;
  case Predicate::OGE:
    return left >= right;
  case Predicate::OLT:
    return left < right;
  case Predicate::OLE:
    return left <= right;
  case Predicate::UNE:
  case Predicate::ONE:
    return left != right;
  default:
    return false;
  }
}

/// Those without a sign are known of numbers that have none.
static bool holds(arith::CmpIPredicate predicate, double left, double right) {
  using Predicate = arith::CmpIPredicate;
  const bool haveSigns = left < 0 || right < 0;
  switch (predicate) {
  case Predicate::eq:
    return left == right;
  case Predicate::ne:
    return left != right;
  case Predicate::sgt:
    return left > right;
  case Predicate::sge:
    return left >= right;
  case Predicate::slt:
    return left < right;
  case Predicate::sle:
    return left <= right;
  case Predicate::ugt:
    return !haveSigns && left > right;
  case Predicate::uge:
    return !haveSigns && left >= right;
  case Predicate::ult:
    return !haveSigns && left < right;
  case Predicate::ule:
    return !haveSigns && left <= right;
  }
  return false;
}

static bool holds(Operation *compare, double left, double right) {
  if (auto floats = dyn_cast<arith::CmpFOp>(compare))
    return holds(floats.getPredicate(), left, right);
  return holds(cast<arith::CmpIOp>(compare).getPredicate(), left, right);
}

/// The comparison whose truths a reduction adds up; null where there is none.
static Operation *summedComparison(tt::ReduceOp reduce) {
  Operation *combiner = reduce.getSingleCombiner();
  if (!isa_and_nonnull<arith::AddIOp, arith::AddFOp>(combiner))
    return nullptr;
  Value value = reduce.getSrcs().front();
  while (Operation *op = value.getDefiningOp()) {
    if (isa<arith::CmpFOp, arith::CmpIOp>(op))
      return op;
    // `tl.where(x == 0, 1, 0)`
    if (auto choice = dyn_cast<arith::SelectOp>(op); choice &&
                                                     numberConstant(choice.getTrueValue()) == 1 &&
                                                     numberConstant(choice.getFalseValue()) == 0) {
      value = choice.getCondition();
      continue;
    }
    if (!isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::UIToFPOp, arith::SIToFPOp,
             arith::ExtFOp, arith::TruncFOp, tt::ReshapeOp, tt::TransOp>(op))
      break;
    value = op->getOperand(0);
  }
  return nullptr;
}

/// The comparison of the text that begins at a place.
static const ast::Compare *compareAt(const ast::SyntaxTree &tree, const SourceRange &place) {
  const ast::Compare *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *compare = ast::as<ast::Compare>(&node);
    if (compare && compare->ops.size() == 1 && compare->range.begin == place.begin)
      found = compare;
    return !found;
  });
  return found;
}

/// The load that a value is, of which the bits may be more.
static tt::LoadOp loadOf(Value value) {
  while (Operation *wider = withoutShape(value).getDefiningOp<arith::ExtSIOp>())
    value = wider->getOperand(0);
  return withoutShape(value).getDefiningOp<tt::LoadOp>();
}

/// The load that one side of a comparison is, and the number that the other side is.
static std::optional<Diagnostic> countedAt(Operation *compare, bool isLeft,
                                           const ast::SyntaxTree &tree,
                                           const ScalarArguments &arguments,
                                           const Interpretation &run, FileTable &files) {
  auto load = loadOf(compare->getOperand(isLeft ? 0 : 1));
  const std::optional<double> bound = numberOf(compare->getOperand(isLeft ? 1 : 0), arguments);
  const std::optional<double> other =
      load && load.getOther() ? numberOf(load.getOther(), arguments) : std::nullopt;
  if (!bound || !other || !holds(compare, isLeft ? *other : *bound, isLeft ? *bound : *other) ||
      !wasFilled(sourceRanges(load.getLoc(), files), run))
    return std::nullopt;
  const std::vector<SourceRange> places = sourceRanges(compare->getLoc(), files);
  const std::vector<SourceRange> loads = sourceRanges(load.getLoc(), files);
  const ast::Compare *code =
      !places.empty() && places.front().file == 0 ? compareAt(tree, places.front()) : nullptr;
  const ast::Call *access =
      !loads.empty() && loads.front().file == 0 ? findAccess(tree, loads.front()) : nullptr;
  const ast::Expr *filler = access ? argument(*access, 2, "other") : nullptr;
  const ast::Expr *mask = access ? argument(*access, 1, "mask") : nullptr;
  if (!code || !filler || !mask)
    return std::nullopt;
  const std::string compared(tree.text(code->range)), masked(tree.text(mask->range));
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunOtherCounted;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = code->range;
  diagnostic.message = "the elements that the mask of the load leaves out are counted, since `" +
                       compared + "` holds for `other=" + std::string(tree.text(filler->range)) +
                       "`: `(" + compared + ") & (" + masked + ")`";
  diagnostic.labels.push_back({filler->range, "stands for the elements that are left out"});
  return diagnostic;
}

std::vector<Diagnostic> countedComparisons(tt::ReduceOp reduce, const ast::SyntaxTree &tree,
                                           const ScalarArguments &arguments,
                                           const Interpretation &run, FileTable &files) {
  std::vector<Diagnostic> found;
  Operation *compare = summedComparison(reduce);
  for (const bool isLeft : {true, false})
    if (std::optional<Diagnostic> counted =
            compare ? countedAt(compare, isLeft, tree, arguments, run, files) : std::nullopt)
      found.push_back(std::move(*counted));
  return found;
}

} // namespace tilescope::compiler
