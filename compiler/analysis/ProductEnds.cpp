// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Ends that are products of arguments, and sums of them that serve as one number.
#include "compiler/analysis/IndexBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <iterator>

using namespace mlir;

namespace tilescope::compiler {

/// Behind the numbers of all arguments.
static constexpr unsigned kFirstPrograms = 1U << 20;
static constexpr unsigned kFirstSum = kFirstPrograms + 3;

int64_t IndexBounds::productTimes(Value value) const {
  return std::max<int64_t>(m_productTimes.lookup(withoutCasts(value)), 1);
}

std::optional<ProductEnd> IndexBounds::productOf(Value value) const {
  value = withoutCasts(value);
  if (const std::optional<int64_t> constant = constantOf(value))
    return *constant > 0 ? std::optional(ProductEnd{*constant, {}}) : std::nullopt;
  if (const std::optional<unsigned> argument = argumentOf(value))
    return ProductEnd{1, {*argument}};
  auto product = value.getDefiningOp<arith::MulIOp>();
  std::optional<ProductEnd> left = product ? productOf(product.getLhs()) : std::nullopt;
  const std::optional<ProductEnd> right = left ? productOf(product.getRhs()) : std::nullopt;
  if (!right || llvm::MulOverflow(left->times, right->times, left->times))
    return std::nullopt;
  llvm::append_range(left->arguments, right->arguments);
  std::ranges::sort(left->arguments);
  return left;
}

std::vector<unsigned> IndexBounds::factorsOf(Value value) const {
  std::optional<ProductEnd> product = productOf(value);
  return product && product->times == 1 ? std::move(product->arguments) : std::vector<unsigned>();
}

std::vector<unsigned> IndexBounds::productIn(Value value) const {
  std::vector<unsigned> factors = factorsOf(value);
  return factors.size() > 1 ? factors : std::vector<unsigned>();
}

/// What is left of a product by a part of it.
static std::optional<ProductEnd> quotientOf(const ProductEnd &whole, const ProductEnd &part) {
  ProductEnd left;
  if (whole.times % part.times != 0 || !std::ranges::includes(whole.arguments, part.arguments))
    return std::nullopt;
  left.times = whole.times / part.times;
  std::ranges::set_difference(whole.arguments, part.arguments, std::back_inserter(left.arguments));
  return left;
}

std::optional<ProductEnd> IndexBounds::productEnd(Value value, int depth) const {
  static constexpr int kMaxDepth = 6;
  value = withoutCasts(value);
  if (std::vector<unsigned> factors = comparedWithProduct(value); !factors.empty())
    return ProductEnd{productTimes(value), std::move(factors)};
  Operation *op = value.getDefiningOp();
  if (depth == kMaxDepth ||
      !isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return std::nullopt;
  const std::optional<ProductEnd> part = productOf(op->getOperand(1));
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return part;
  const std::optional<ProductEnd> whole = productEnd(op->getOperand(0), depth + 1);
  return whole && part ? quotientOf(*whole, *part) : std::nullopt;
}

/// Whether masks ask a comparison only together with another one.
static bool isOnlyWith(Value condition, Operation *other) {
  return llvm::all_of(condition.getUsers(), [&](Operation *user) {
    const bool isPart =
        user->getNumResults() == 1 &&
        (isa<arith::AndIOp>(user) || withoutCasts(user->getResult(0)) != user->getResult(0));
    return isPart ? isOnlyWith(user->getResult(0), other) : isPartOf(other, condition);
  });
}

std::optional<LinearEnd> IndexBounds::paddedEnd(Value value) const {
  const auto begin = m_begins.find(withoutCasts(value));
  const auto ends = m_sumEnds.find(withoutCasts(value));
  if (begin == m_begins.end() || ends == m_sumEnds.end())
    return std::nullopt;
  Operation *compare = begin->second.first;
  const LinearEnd &sum = begin->second.second;
  // Of several, one says where the array ends, and so does one that is asked by itself.
  const bool isOnly = llvm::all_of(ends->second, [&](const auto &entry) {
    return entry.second == ends->second.front().second &&
           isOnlyWith(entry.first->getResult(0), compare);
  });
  std::optional<LinearEnd> end = isOnly ? farthestSum(value) : std::nullopt;
  if (!end || !end->contains(sum) || sum.factors.empty())
    return std::nullopt;
  end->add(sum, 1);
  return end;
}

unsigned IndexBounds::numberOf(const LinearEnd &sum) const {
  const auto known =
      std::ranges::find_if(m_numbered, [&](const auto &each) { return *each == sum; });
  const auto number = static_cast<unsigned>(known - m_numbered.begin());
  if (known == m_numbered.end())
    m_numbered.push_back(std::make_unique<LinearEnd>(sum));
  return kFirstSum + number;
}

unsigned IndexBounds::numberOfPrograms(unsigned axis) { return kFirstPrograms + axis; }

bool IndexBounds::isArgument(unsigned number) { return number < kFirstPrograms; }

const LinearEnd *IndexBounds::sumOf(unsigned number) const {
  return number < kFirstSum ? nullptr : m_numbered[number - kFirstSum].get();
}

} // namespace tilescope::compiler
