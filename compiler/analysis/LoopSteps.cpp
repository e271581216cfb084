// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LoopSteps.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void noteLoopSteps(FunctionOpInterface kernel, const IndexBounds &bounds,
                   const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes) {
  kernel->walk([&](scf::ForOp loop) {
    const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    const ArgumentSet ends = bounds.endsIn(loop.getUpperBound());
    if (!step || *step <= 1 || ends.size() != 1)
      return;
    const auto needs = std::ranges::find(sizes, parameters[*ends.begin()].name, &SizeNeeds::name);
    if (needs != sizes.end())
      needs->loopStep = std::max(needs->loopStep, *step);
  });
}

/// Whether what a counter is part of, through integers and pointers, is an address: of blocks, or of single elements.
static bool reachesAccess(Value value, bool isOfBlocks, llvm::DenseSet<Value> &seen) {
  return seen.insert(value).second && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(user))
             return user->getOperand(0) == value &&
                    isa<RankedTensorType>(value.getType()) == isOfBlocks;
           const bool isIndex = user->getNumResults() == 1 && !isa<arith::CmpIOp>(user) &&
                                isa<IntegerType, IndexType, tt::PointerType>(
                                    getElementTypeOrSelf(user->getResult(0).getType()));
           return isIndex && reachesAccess(user->getResult(0), isOfBlocks, seen);
         });
}

/// Whether a counter is an index of single elements alone.
static bool isOfSingles(Value counter) {
  llvm::DenseSet<Value> seen, seenOfBlocks;
  return reachesAccess(counter, false, seen) && !reachesAccess(counter, true, seenOfBlocks);
}

static bool isSumOrAddress(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, tt::AddPtrOp>(op);
}

/// Whether a term of an index goes over neighbors: elements of a block, blocks, or programs.
static bool countsNeighbors(Value term) {
  if (auto product = term.getDefiningOp<arith::MulIOp>())
    return (constantOf(product.getRhs()) && countsNeighbors(withoutCasts(product.getLhs()))) ||
           (constantOf(product.getLhs()) && countsNeighbors(withoutCasts(product.getRhs())));
  return isa_and_nonnull<tt::MakeRangeOp, tt::GetProgramIdOp>(term.getDefiningOp());
}

/// Whether a counter is added to what goes over an array: the place in a window.
static bool isPlaceInWindow(FunctionOpInterface kernel, Value counter) {
  const WalkResult found = kernel->walk([&](Operation *op) {
    if (!isSumOrAddress(op))
      return WalkResult::advance();
    const SmallVector<Value> terms = partsOf(op->getResult(0), isSumOrAddress);
    return llvm::is_contained(terms, counter) && llvm::any_of(terms, countsNeighbors)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

void noteFewTurns(FunctionOpInterface kernel, const IndexBounds &bounds,
                  const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes) {
  // Those that end loops as they are; of them those of which blocks take more than a window; and all others.
  ArgumentSet counted, ofBlocks, inSteps;
  kernel->walk([&](scf::ForOp loop) {
    const ArgumentSet ends = bounds.endsIn(loop.getUpperBound());
    const std::optional<LinearEnd> end = bounds.linearEndOf(loop.getUpperBound());
    const bool isByOne = getConstantIntValue(loop.getStep()) == 1 && end && end->argument();
    (isByOne ? counted : inSteps).insert(ends.begin(), ends.end());
    if (!isPlaceInWindow(kernel, loop.getInductionVar()) && !isOfSingles(loop.getInductionVar()))
      ofBlocks.insert(ends.begin(), ends.end());
  });
  const auto isFew = [&](const SizeNeeds &needs) {
    return needs.multipleOf == 1 && llvm::any_of(counted, [&](unsigned end) {
             return parameters[end].name == needs.name && !inSteps.contains(end) &&
                    !bounds.isEnd(end) && (needs.rank <= 1 || !ofBlocks.contains(end));
           });
  };
  const auto isOther = [&](const SizeNeeds &needs) { return needs.rank > 0 && !isFew(needs); };
  if (std::ranges::none_of(sizes, isOther))
    return;
  for (SizeNeeds &needs : sizes)
    needs.isFew |= isFew(needs);
}

/// The number of windows of which a term is the beginning of one, and how far they begin apart.
static std::optional<std::pair<unsigned, int64_t>> windowsBegunBy(Value term,
                                                                  const IndexBounds &bounds) {
  auto product = term.getDefiningOp<arith::MulIOp>();
  const std::optional<int64_t> apart = product ? constantOf(product.getRhs()) : std::nullopt;
  const ArgumentSet ends = apart ? bounds.comparedWith(product.getLhs()) : ArgumentSet();
  if (ends.size() != 1 || *apart <= 1 || !bounds.endsAsItIs(product.getLhs()))
    return std::nullopt;
  return std::pair(*ends.begin(), *apart);
}

void noteWindows(FunctionOpInterface kernel, const IndexBounds &bounds,
                 const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes) {
  kernel->walk([&](arith::CmpIOp compare) {
    const ArgumentSet ends = bounds.comparedWith(compare.getLhs());
    if (ends.size() != 1 || !bounds.endsAsItIs(compare.getLhs()))
      return;
    const auto whole = std::ranges::find(sizes, parameters[*ends.begin()].name, &SizeNeeds::name);
    const SmallVector<Value> terms = partsOf(compare.getLhs(), isSumOrAddress);
    for (Value term : llvm::reverse(terms))
      if (const auto windows = windowsBegunBy(term, bounds);
          windows && whole != sizes.end() && !ends.contains(windows->first)) {
        whole->windows = parameters[windows->first].name;
        whole->apart = std::max(whole->apart, windows->second);
      }
  });
}

void noteDivisors(FunctionOpInterface kernel, const IndexBounds &bounds,
                  const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes) {
  const auto find = [&](unsigned argument) {
    return std::ranges::find(sizes, parameters[argument].name, &SizeNeeds::name);
  };
  kernel->walk([&](Operation *op) {
    if (!isa<arith::DivSIOp, arith::DivUIOp>(op))
      return;
    const std::optional<unsigned> part = bounds.argumentOf(op->getOperand(1));
    std::optional<LinearEnd> whole = bounds.linearEndOf(op->getOperand(0));
    if (!part || !whole)
      return;
    // `n` of `cdiv(n, parts)`, which is `(n + parts - 1) // parts`.
    if (whole->factors.contains(*part))
      whole->add(*part, -whole->factors.at(*part));
    const std::optional<unsigned> divided = whole->argument();
    if (!divided || find(*part) == sizes.end() || find(*divided) == sizes.end() ||
        bounds.isEnd(*part))
      return;
    find(*part)->isFew = true;
    if (find(*divided)->divisor.empty())
      find(*divided)->divisor = parameters[*part].name;
  });
}

} // namespace tilescope::compiler
