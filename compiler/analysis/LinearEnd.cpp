// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LinearEnd.h"

#include "compiler/analysis/IndexBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstdlib>

using namespace mlir;

namespace tilescope::compiler {

void LinearEnd::add(unsigned argument, int64_t times) {
  int64_t &factor = factors[argument];
  factor += times;
  if (factor == 0)
    factors.erase(argument);
}

std::string LinearEnd::text(const std::function<std::string(unsigned)> &nameOf) const {
  std::string text;
  const auto append = [&](int64_t factor, const std::string &name) {
    const bool isFirst = text.empty();
    text += isFirst ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    const int64_t size = std::abs(factor);
    text += name.empty() ? std::to_string(size)
            : size == 1  ? name
                         : std::to_string(size) + " * " + name;
  };
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
  if (depth == kMaxDepth || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  const Value left = op->getOperand(0), right = op->getOperand(1);
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
