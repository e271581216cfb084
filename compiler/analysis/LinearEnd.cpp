// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LinearEnd.h"

#include "compiler/analysis/IndexBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {

void LinearEnd::add(unsigned argument, int64_t times) {
  int64_t &factor = factors[argument];
  factor += times;
  if (factor == 0)
    factors.erase(argument);
}

bool LinearEnd::operator==(const LinearEnd &other) const {
  return factors == other.factors && constant == other.constant && quotients == other.quotients;
}

std::optional<unsigned> LinearEnd::argument() const {
  const bool isOne = factors.size() == 1 && factors.begin()->second == 1 && quotients.empty();
  return isOne ? std::optional(factors.begin()->first) : std::nullopt;
}

void LinearEnd::add(const LinearEnd &other, int64_t times) {
  for (const auto &[argument, factor] : other.factors)
    add(argument, factor * times);
  constant += other.constant * times;
  quotients.insert(quotients.end(), other.quotients.begin(), other.quotients.end());
}

bool LinearEnd::contains(const LinearEnd &other) const {
  return (other.quotients.empty() || quotients == other.quotients) &&
         std::ranges::all_of(other.factors, [&](const auto &entry) {
           const auto known = factors.find(entry.first);
           return known != factors.end() && known->second >= entry.second;
         });
}

/// `n // k`, also where the dividend is a sum; `cdiv(n, k)` where it is rounded up.
static std::string textOf(const EndQuotient &quotient,
                          const std::function<std::string(unsigned)> &nameOf,
                          const std::function<std::string(int64_t)> &divisorText) {
  LinearEnd less = quotient.dividend;
  less.add(quotient.divisor, -1);
  less.constant += 1;
  const bool isConstant = quotient.divisor.factors.empty() && quotient.divisor.quotients.empty();
  const std::string divisor = isConstant ? divisorText(quotient.divisor.constant)
                                         : quotient.divisor.text(nameOf, divisorText);
  const bool isRoundedUp = less.argument() && less.constant == 0;
  if (isRoundedUp)
    return "cdiv(" + less.text(nameOf, divisorText) + ", " + divisor + ")";
  const auto enclosed = [](const std::string &sum) {
    return sum.find(' ') == std::string::npos ? sum : "(" + sum + ")";
  };
  return enclosed(quotient.dividend.text(nameOf, divisorText)) + " // " + enclosed(divisor);
}

std::string LinearEnd::text(const std::function<std::string(unsigned)> &nameOf,
                            const std::function<std::string(int64_t)> &divisorText) const {
  std::string text;
  const auto append = [&](int64_t factor, const std::string &name) {
    const bool isFirst = text.empty();
    text += isFirst ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    const int64_t size = std::abs(factor);
    text += name.empty() ? std::to_string(size)
            : size == 1  ? name
                         : std::to_string(size) + " * " + name;
  };
  for (const EndQuotient &quotient : quotients)
    text += (text.empty() ? "" : " + ") + textOf(quotient, nameOf, divisorText);
  // What is added comes before what is taken away.
  for (const bool isAdded : {true, false})
    for (const auto &[argument, factor] : factors)
      if ((factor > 0) == isAdded)
        append(factor, nameOf(argument));
  if (constant != 0 || text.empty())
    append(constant, "");
  return text;
}

/// Adds `times` of a value to `end`; false where it is no such sum.
static bool addTo(LinearEnd &end, Value value, int64_t times, Block &entry, int depth = 0) {
  static constexpr int kMaxDepth = 6;
  value = withoutCasts(value);
  if (const std::optional<int64_t> constant = constantOf(value)) {
    end.constant += times * *constant;
    return true;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &entry || !argument.getType().isInteger())
      return false;
    end.add(argument.getArgNumber(), times);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (depth == kMaxDepth ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return false;
  const Value left = op->getOperand(0), right = op->getOperand(1);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op)) {
    EndQuotient quotient;
    const bool isKnown = times == 1 && addTo(quotient.dividend, left, 1, entry, depth + 1) &&
                         addTo(quotient.divisor, right, 1, entry, depth + 1) &&
                         !quotient.dividend.factors.empty();
    if (isKnown)
      end.quotients.push_back(std::move(quotient));
    return isKnown;
  }
  if (!isa<arith::MulIOp>(op))
    return addTo(end, left, times, entry, depth + 1) &&
           addTo(end, right, isa<arith::SubIOp>(op) ? -times : times, entry, depth + 1);
  for (const auto &[factor, other] : {std::pair(left, right), std::pair(right, left)})
    if (const std::optional<int64_t> constant = constantOf(factor))
      return addTo(end, other, times * *constant, entry, depth + 1);
  return false;
}

std::optional<LinearEnd> linearEnd(Value value, Block &entry) {
  LinearEnd end;
  return addTo(end, value, 1, entry) ? std::optional(end) : std::nullopt;
}

} // namespace tilescope::compiler
