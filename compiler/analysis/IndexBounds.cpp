// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/IndexBounds.h"

#include "compiler/analysis/AccessMask.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <functional>
#include <iterator>

using namespace mlir;

namespace tilescope::compiler {

Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, tt::SplatOp,
             tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

SmallVector<Value> partsOf(Value value, llvm::function_ref<bool(Operation *)> isSum) {
  SmallVector<Value> parts, waiting = {value};
  while (!waiting.empty()) {
    const Value next = withoutCasts(waiting.pop_back_val());
    Operation *op = next.getDefiningOp();
    if (op && isSum(op))
      waiting.append({op->getOperand(0), op->getOperand(1)});
    else
      parts.push_back(next);
  }
  return parts;
}

SmallVector<Value> partsOfSum(Value value) {
  return partsOf(value, [](Operation *op) { return isa<arith::AddIOp>(op); });
}

std::optional<int64_t> constantOf(Value value) {
  value = withoutCasts(value);
  APInt constant;
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      elements.getElementType().isInteger())
    constant = elements.getSplatValue<APInt>();
  else if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSignificantBits() > 32 ? std::nullopt : std::optional(constant.getSExtValue());
}

static bool isConstant(Value value) { return matchPattern(withoutCasts(value), m_Constant()); }

static bool isInclusive(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = compare.getPredicate();
  return predicate == Predicate::sle || predicate == Predicate::ule ||
         predicate == Predicate::sge || predicate == Predicate::uge;
}

/// `if row >= n_rows: return`: what holds for the rest of the kernel is the opposite.
static bool isExit(arith::CmpIOp compare) {
  return !compare->use_empty() && llvm::all_of(compare->getUsers(), [](Operation *user) {
    auto branch = dyn_cast<scf::IfOp>(user);
    return branch && branch.elseBlock() && llvm::hasSingleElement(*branch.thenBlock());
  });
}

/// Whether an end is computed from arguments of the kernel alone: `n + 2 * m`.
bool IndexBounds::isOfArguments(Value end, int depth) const {
  static constexpr int kMaxDepth = 6;
  end = withoutCasts(end);
  if (constantOf(end))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(end))
    return argument.getOwner() == &m_entry;
  return depth < kMaxDepth &&
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp>(
             end.getDefiningOp()) &&
         llvm::all_of(
             end.getDefiningOp()->getOperands(),
             [&](Value part) { return isOfArguments(part, depth + 1); });
}

/// Whether anything but constants is taken away: `n - k`, `n - k + 1`.
static bool isDifference(Value end) {
  Operation *op = withoutCasts(end).getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return false;
  return constantOf(op->getOperand(1)) ? isDifference(op->getOperand(0)) : isa<arith::SubIOp>(op);
}

IndexBounds::IndexBounds(FunctionOpInterface kernel) : m_entry(kernel.getFunctionBody().front()) {
  kernel.walk([&](arith::CmpIOp compare) {
    using Predicate = arith::CmpIPredicate;
    Value below = compare.getLhs(), end = compare.getRhs();
    switch (compare.getPredicate()) {
    case Predicate::slt:
    case Predicate::sle:
    case Predicate::ult:
    case Predicate::ule:
      break;
    case Predicate::sgt:
    case Predicate::sge:
    case Predicate::ugt:
    case Predicate::uge:
      std::swap(below, end);
      break;
    default:
      return;
    }
    const bool isLeft = isExit(compare);
    if (isLeft)
      std::swap(below, end);
    if (const std::optional<int64_t> constant = constantOf(end))
      m_constantEnds[withoutCasts(below)] = *constant + (isInclusive(compare) != isLeft ? 1 : 0);
    if (const std::optional<int64_t> constant = constantOf(below);
        constant && *constant + (isInclusive(compare) != isLeft ? 0 : 1) > 0)
      m_beginLater.insert(withoutCasts(end));
    if (isOfArguments(below) && !constantOf(below) && !isOfArguments(end))
      if (std::optional<LinearEnd> begin = linearEnd(below, m_entry))
        m_begins[withoutCasts(end)] = {compare, std::move(*begin)};
    std::optional<ProductEnd> product = productOf(end);
    const bool isProduct = product && product->arguments.size() > 1;
    if (isProduct) {
      m_products[withoutCasts(below)] = std::move(product->arguments);
      m_productTimes[withoutCasts(below)] = product->times;
      if (SmallVector<Value> parts = partsOfSum(below); parts.size() > 1)
        m_sums.push_back({withoutCasts(below), std::move(parts), {}});
    }
    if (isInclusive(compare) == isLeft)
      noteMultiple(compare, below, end);
    if (std::optional<LinearEnd> padded = paddedBy(below, end))
      return addSum(compare, below, std::move(*padded));
    ArgumentSet arguments = endsIn(end);
    if (const std::optional<Multiple> multiple = multipleIn(end)) {
      arguments = {multiple->argument};
      int64_t &factor = m_endFactors[withoutCasts(below)];
      factor = std::max(factor, multiple->factor);
    }
    if (arguments.empty()) {
      if (!isProduct && !constantOf(end) && isOfArguments(end)) {
        m_endElsewhere.insert(withoutCasts(below));
        m_hasOtherEnd = true;
        if (std::optional<LinearEnd> sum = linearEnd(end, m_entry))
          addSum(compare, below, std::move(*sum));
      }
      return;
    }
    readEnd(withoutCasts(below), withoutCasts(end));
    if (isDifference(end) && isOfArguments(end))
      m_endElsewhere.insert(withoutCasts(below));
    if (!argumentOf(end)) {
      m_beside.insert(arguments.begin(), arguments.end());
      m_partly.insert(withoutCasts(below));
    }
    m_compared[withoutCasts(below)].insert(arguments.begin(), arguments.end());
    m_comparisons[withoutCasts(below)].emplace_back(compare, arguments);
    addWhole(below, arguments);
  });
  endMultiples();
  kernel.walk([&](Operation *access) {
    if (const Value mask = maskOf(access)) {
      m_masks.push_back(mask);
      if (isa<tt::StoreOp>(access))
        m_storeMasks.push_back(mask);
    }
  });
  // `i + 1 < n` says more of `x_ptr + i + 1` than `i < n` does.
  std::ranges::stable_sort(m_sums, std::greater(), [](const Sum &sum) { return sum.parts.size(); });
  kernel.walk([&](scf::ForOp loop) {
    if (!argumentOf(loop.getUpperBound()))
      m_beside.merge(endsIn(loop.getUpperBound()));
  });
}

void IndexBounds::readEnd(Value below, Value end) {
  if (argumentOf(end))
    m_wholeEnds.insert(below);
  Operation *op = end.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || !argumentOf(op->getOperand(0)))
    return;
  const std::optional<int64_t> constant = constantOf(op->getOperand(1));
  // Of two ends the farther one counts.
  const auto note = [below](llvm::DenseMap<Value, int64_t> &ends, int64_t value, bool isFarther) {
    const auto [known, isNew] = ends.try_emplace(below, value);
    if (!isNew && isFarther == (value > known->second))
      known->second = value;
  };
  if (constant && isa<arith::AddIOp>(op))
    note(m_endShifts, *constant, true);
  else if (constant && isa<arith::SubIOp>(op))
    note(m_endShifts, -*constant, true);
  else if (constant && *constant > 1 && isa<arith::DivSIOp, arith::DivUIOp>(op))
    note(m_endDivisors, *constant, false);
}

ArgumentSet IndexBounds::comparedWith(Value value) const {
  return m_compared.lookup(withoutCasts(value));
}

ArgumentSet IndexBounds::askedIn(Value mask, Value value) const {
  ArgumentSet asked;
  const auto found = m_comparisons.find(withoutCasts(value));
  if (mask && found != m_comparisons.end())
    for (const auto &[compare, ends] : found->second)
      if (isPartOf(compare, mask))
        asked.insert(ends.begin(), ends.end());
  return asked;
}

ArgumentSet IndexBounds::comparedIn(Value mask, Value value) const {
  ArgumentSet own = comparedWith(value).size() > 1 ? askedIn(mask, value) : ArgumentSet();
  if (own.size() > 1)
    for (const Value other : m_masks)
      if (const ArgumentSet shared = askedIn(other, value); shared.size() == 1 && own.size() > 1)
        own.erase(*shared.begin());
  return own;
}

ArgumentSet IndexBounds::comparedInStores(Value value) const {
  const ArgumentSet all = comparedWith(value);
  ArgumentSet stored;
  for (const Value mask : m_storeMasks)
    stored.merge(askedIn(mask, value));
  return all.size() > 1 && !stored.empty() ? stored : all;
}

bool IndexBounds::endsAsItIs(Value value) const {
  value = withoutCasts(value);
  return m_compared.contains(value) && !m_partly.contains(value);
}

int64_t IndexBounds::endShift(Value value) const {
  return std::max<int64_t>(m_endShifts.lookup(withoutCasts(value)), 0);
}

int64_t IndexBounds::endLess(Value value) const {
  value = withoutCasts(value);
  const bool isWhole = m_beginLater.contains(value) || m_wholeEnds.contains(value);
  return isWhole ? 0 : std::max<int64_t>(-m_endShifts.lookup(value), 0);
}

int64_t IndexBounds::endDivisor(Value value) const {
  value = withoutCasts(value);
  return m_wholeEnds.contains(value) ? 1 : std::max<int64_t>(m_endDivisors.lookup(value), 1);
}

int64_t IndexBounds::endFactor(Value value) const {
  return std::max<int64_t>(m_endFactors.lookup(withoutCasts(value)), 1);
}

std::optional<IndexBounds::Multiple> IndexBounds::multipleIn(Value value) const {
  auto product = withoutCasts(value).getDefiningOp<arith::MulIOp>();
  if (!product)
    return std::nullopt;
  for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                               std::pair(product.getRhs(), product.getLhs())})
    if (const std::optional<int64_t> constant = constantOf(factor); constant && *constant > 1)
      if (const std::optional<unsigned> argument = argumentOf(other))
        return Multiple{*argument, *constant};
  return std::nullopt;
}

bool IndexBounds::endsElsewhere(Value value) const {
  return m_endElsewhere.contains(withoutCasts(value));
}

bool isPartOf(Operation *compare, Value mask) {
  Operation *op = mask ? withoutCasts(mask).getDefiningOp() : nullptr;
  return op &&
         (op == compare ||
          (isa<arith::AndIOp, arith::OrIOp>(op) &&
           llvm::any_of(op->getOperands(), [&](Value part) { return isPartOf(compare, part); })));
}

std::optional<LinearEnd> IndexBounds::sumIn(Value mask, Value value) const {
  const auto found = m_sumEnds.find(withoutCasts(value));
  if (found == m_sumEnds.end())
    return std::nullopt;
  for (const auto &[compare, sum] : found->second)
    if (isPartOf(compare, mask) || isExit(cast<arith::CmpIOp>(compare)))
      return sum;
  return std::nullopt;
}

std::optional<LinearEnd> IndexBounds::farthestSum(Value value) const {
  const auto found = m_sumEnds.find(withoutCasts(value));
  if (found == m_sumEnds.end())
    return std::nullopt;
  LinearEnd farthest = found->second.front().second;
  for (const auto &[compare, sum] : found->second)
    if (!farthest.contains(sum) || (sum.contains(farthest) && sum.constant > farthest.constant))
      farthest = sum;
  LinearEnd single;
  for (const unsigned argument : comparedWith(value))
    single.factors[argument] = 1;
  const bool isFarthest =
      farthest.contains(single) && llvm::all_of(found->second, [&](const auto &entry) {
        return farthest.contains(entry.second);
      });
  return isFarthest ? std::optional(farthest) : std::nullopt;
}

std::optional<LinearEnd> IndexBounds::linearEndOf(Value value) const {
  return linearEnd(value, m_entry);
}

std::vector<unsigned> IndexBounds::comparedWithProduct(Value value) const {
  return m_products.lookup(withoutCasts(value));
}

ArgumentSet IndexBounds::endsOfQuotient(Value value, Value divisor) const {
  if (productTimes(value) > 1)
    return {};
  std::vector<unsigned> whole = comparedWithProduct(value);
  Operation *rest = withoutCasts(value).getDefiningOp();
  if (isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(rest))
    whole = factorsOf(rest->getOperand(1));
  const std::vector<unsigned> part = factorsOf(divisor);
  std::vector<unsigned> left;
  std::ranges::set_difference(whole, part, std::back_inserter(left));
  const bool isPart = !part.empty() && std::ranges::includes(whole, part);
  return isPart && left.size() == 1 ? ArgumentSet{left.front()} : ArgumentSet();
}

std::optional<int64_t> IndexBounds::constantEnd(Value value) const {
  const auto found = m_constantEnds.find(withoutCasts(value));
  return found == m_constantEnds.end() ? std::nullopt : std::optional(found->second);
}

ArgumentSet IndexBounds::takeSums(SmallVectorImpl<Value> &parts, SmallVectorImpl<Value> &bounded,
                                  SmallVectorImpl<Value> &wholes) const {
  ArgumentSet ends;
  for (const Sum &sum : m_sums) {
    const auto isTaken = [&](Value part) { return takesAway(part, sum); };
    const auto isPart = [&](Value part) {
      return llvm::is_contained(sum.parts, part) || isTaken(part);
    };
    const bool isWhole =
        llvm::all_of(sum.parts, [&](Value part) { return llvm::is_contained(parts, part); });
    if (!isWhole || (sum.taken && llvm::none_of(parts, isTaken)))
      continue;
    ends.insert(sum.ends.begin(), sum.ends.end());
    wholes.push_back(sum.whole);
    llvm::copy_if(parts, std::back_inserter(bounded), isPart);
    llvm::erase_if(parts, isPart);
  }
  return ends;
}

bool IndexBounds::isEnd(unsigned argument) const {
  return llvm::any_of(m_compared,
                      [&](const auto &entry) { return entry.second.contains(argument); });
}

std::optional<unsigned> IndexBounds::argumentOf(Value value) const {
  auto argument = dyn_cast<BlockArgument>(withoutCasts(value));
  if (!argument || argument.getOwner() != &m_entry || !argument.getType().isInteger())
    return std::nullopt;
  return argument.getArgNumber();
}

ArgumentSet IndexBounds::endsIn(Value end) const {
  end = withoutCasts(end);
  if (const std::optional<unsigned> argument = argumentOf(end))
    return {*argument};
  Operation *op = end.getDefiningOp();
  if (!op)
    return {};
  if (isa<arith::MinSIOp, arith::MinUIOp>(op)) {
    ArgumentSet both = endsIn(op->getOperand(0));
    both.merge(endsIn(op->getOperand(1)));
    return both;
  }
  const bool keepsEnd =
      isa<arith::SubIOp>(op) || (isa<arith::AddIOp, arith::DivSIOp, arith::DivUIOp,
                                     arith::CeilDivSIOp, arith::CeilDivUIOp, arith::ShRSIOp>(op) &&
                                 isConstant(op->getOperand(1)));
  return keepsEnd ? endsIn(op->getOperand(0)) : ArgumentSet();
}

} // namespace tilescope::compiler
