// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Ends that follow from another form of an index: of one that is padded, and of one that a multiple of it is compared.
#include "compiler/analysis/IndexBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <utility>

using namespace mlir;

namespace tilescope::compiler {

static bool isCast(Operation *user) {
  return user->getNumResults() == 1 && withoutCasts(user->getResult(0)) != user->getResult(0);
}

/// Whether a comparison asks that a value is above a number from 0 on.
static bool asksForMore(arith::CmpIOp compare, Value value) {
  using enum arith::CmpIPredicate;
  const bool isLeft = compare.getLhs() == value;
  const std::optional<int64_t> least = constantOf(isLeft ? compare.getRhs() : compare.getLhs());
  const arith::CmpIPredicate predicate = compare.getPredicate();
  const bool isAtLeast = predicate == (isLeft ? sge : sle);
  const bool isAbove = predicate == (isLeft ? sgt : slt);
  return least && ((isAtLeast && *least > 0) || (isAbove && *least >= 0));
}

bool isCompared(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<arith::CmpIOp>(user) || (isCast(user) && isCompared(user->getResult(0)));
  });
}

/// Whether an index begins behind 0, or is compared when something was taken from it: `o >= 2`, `o - 2 >= 0`.
static bool beginsLater(Value index) {
  return llvm::any_of(index.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto compare = dyn_cast<arith::CmpIOp>(user))
      return asksForMore(compare, index);
    if (isCast(user))
      return beginsLater(user->getResult(0));
    if (isa<arith::SubIOp>(user))
      return use.getOperandNumber() == 0 && isCompared(user->getResult(0));
    return isa<arith::AddIOp>(user) &&
           constantOf(user->getOperand(1 - use.getOperandNumber())).value_or(0) < 0 &&
           isCompared(user->getResult(0));
  });
}

std::optional<LinearEnd> IndexBounds::paddedBy(Value index, Value end) const {
  std::optional<LinearEnd> sum = linearEndOf(end);
  const bool isLonger = sum && sum->argument() && sum->constant > 0;
  return isLonger && beginsLater(withoutCasts(index)) ? sum : std::nullopt;
}

void IndexBounds::noteMultiple(Operation *compare, Value below, Value end) {
  int64_t added = 0;
  Value multiple = withoutCasts(below);
  while (auto sum = multiple.getDefiningOp<arith::AddIOp>()) {
    const std::optional<int64_t> constant = constantOf(sum.getRhs());
    if (!constant)
      return;
    added += *constant;
    multiple = withoutCasts(sum.getLhs());
  }
  auto product = multiple.getDefiningOp<arith::MulIOp>();
  const std::optional<LinearEnd> whole = linearEndOf(end);
  if (!product || !whole || whole->constant != 0 || !whole->quotients.empty() ||
      whole->factors.size() != 1)
    return;
  const auto [argument, factor] = *whole->factors.begin();
  for (const auto &[multiplier, index] : {std::pair(product.getLhs(), product.getRhs()),
                                          std::pair(product.getRhs(), product.getLhs())}) {
    const std::optional<int64_t> times = constantOf(multiplier);
    if (!times || *times < 2 || added < 0 || added >= *times || isOfArguments(index))
      continue;
    if (factor == *times)
      m_multiples.push_back({compare, withoutCasts(index), {}, argument});
    if (factor != 1)
      continue;
    EndQuotient quotient{*whole, {}};
    quotient.dividend.constant = *times - 1 - added;
    quotient.divisor.constant = *times;
    LinearEnd part;
    part.quotients.push_back(std::move(quotient));
    m_multiples.push_back({compare, withoutCasts(index), std::move(part)});
  }
}

void IndexBounds::endMultiples() {
  for (Multiples &each : m_multiples) {
    const bool isKnown = m_compared.contains(each.index) || m_products.contains(each.index) ||
                         m_constantEnds.contains(each.index) || m_begins.contains(each.index);
    if (isKnown)
      continue;
    if (each.whole) {
      m_compared[each.index].insert(*each.whole);
      m_comparisons[each.index].emplace_back(each.compare, ArgumentSet{*each.whole});
      m_wholeEnds.insert(each.index);
      addWhole(each.index, {*each.whole});
    } else {
      addSum(each.compare, each.index, std::move(each.end));
    }
  }
}

void IndexBounds::addSum(Operation *compare, Value below, LinearEnd end) {
  m_sumEnds[withoutCasts(below)].emplace_back(compare, std::move(end));
  if (SmallVector<Value> parts = partsOfSum(below); parts.size() > 1)
    m_sums.push_back({withoutCasts(below), std::move(parts), {}});
}

void IndexBounds::addWhole(Value below, const ArgumentSet &ends) {
  const Value whole = withoutCasts(below);
  auto difference = whole.getDefiningOp<arith::SubIOp>();
  SmallVector<Value> parts = partsOfSum(difference ? difference.getLhs() : whole);
  if (difference)
    m_sums.push_back({whole, std::move(parts), ends, withoutCasts(difference.getRhs())});
  else if (parts.size() > 1)
    m_sums.push_back({whole, std::move(parts), ends});
}

bool IndexBounds::takesAway(Value part, const Sum &sum) {
  if (!sum.taken)
    return false;
  if (const std::optional<int64_t> constant = constantOf(sum.taken))
    return constantOf(part) == -*constant;
  auto difference = withoutCasts(part).getDefiningOp<arith::SubIOp>();
  return difference && constantOf(difference.getLhs()) == 0 &&
         withoutCasts(difference.getRhs()) == sum.taken;
}

bool IndexBounds::endsAtSum(const LinearEnd &sum) const {
  return llvm::any_of(m_sumEnds, [&](const auto &ends) {
    return llvm::any_of(ends.second, [&](const auto &entry) { return entry.second == sum; });
  });
}

} // namespace tilescope::compiler
