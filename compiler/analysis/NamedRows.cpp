// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/NamedRows.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// Whether a term of a sum is multiplied by an argument, also within a product of sums.
static bool isTimesArgument(Value value, const IndexBounds &bounds, int depth = 0) {
  static constexpr int kMaxDepth = 8;
  Operation *op = withoutCasts(value).getDefiningOp();
  if (depth > kMaxDepth || !isa_and_nonnull<arith::MulIOp, arith::AddIOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return (isa<arith::MulIOp>(op) && bounds.argumentOf(operand)) ||
           isTimesArgument(operand, bounds, depth + 1);
  });
}

bool countsRows(Value index, const IndexBounds &bounds) {
  // What was loaded names rows.
  if (withoutCasts(index).getDefiningOp<tt::LoadOp>())
    return true;
  bool hasBlock = false, hasRest = false, hasProduct = false, hasLoad = false;
  for (const Value part : partsOfSum(index)) {
    const bool isBlock = part.getDefiningOp<tt::MakeRangeOp>() != nullptr;
    hasBlock |= isBlock;
    hasLoad |= part.getDefiningOp<tt::LoadOp>() != nullptr;
    hasRest |= !isBlock && !constantOf(part);
    hasProduct |= isTimesArgument(part, bounds);
  }
  return (hasBlock && hasRest) || hasLoad ||
         (hasProduct && withoutCasts(index).getDefiningOp<arith::AddIOp>());
}

bool endsRows(const std::vector<AccessDim> &dims, size_t dim) {
  const bool isLast = dim + 1 == dims.size();
  const bool hasRows = !isLast && dim > 0 && dims[dim - 1].step == dims[dim].step &&
                       dims[dim + 1].strides.empty() && dims[dim + 1].step < dims[dim].step;
  return dims[dim].strides.empty() && (isLast || hasRows);
}

/// Whether a dimension lies in the rows of another one, next to it.
static bool isNextIn(const AccessDim &dim, const AccessDim &outer) {
  return dim.step == outer.step && dim.strides.size() + 1 == outer.strides.size() &&
         std::ranges::includes(outer.strides, dim.strides);
}

/// Whether an index runs over all that lies between two elements of another dimension: `p < H * W` in planes of
/// `H * W`.
static bool fills(const AccessDim &dim, const AccessDim &outer) {
  return dim.strides.empty() && dim.step == outer.step && dim.product == outer.strides &&
         dim.productTimes == outer.strideFactor;
}

/// Whether a dimension counts what a constant number of lies between two elements of another one: `kk` of
/// `(c * 9 + kk) * n`.
static bool isDigitIn(const AccessDim &dim, const AccessDim &outer) {
  return dim.strides == outer.strides && dim.step < outer.step;
}

void addNamedRows(std::vector<AccessDim> &dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const AccessDim outer = dims[i];
    // A single distance of single elements is what lies between two rows, as it is.
    const bool isNamed = outer.strides.size() > 1 || (outer.strides.size() == 1 && outer.step > 1);
    if (!isNamed || i + 1 == dims.size() || llvm::any_of(dims, [&](const AccessDim &dim) {
          return isNextIn(dim, outer) || fills(dim, outer) || isDigitIn(dim, outer);
        }))
      continue;
    const auto ends = [&](unsigned argument) {
      return llvm::any_of(dims, [&](const AccessDim &dim) {
        return dim.masked.contains(argument) || dim.looped.contains(argument);
      });
    };
    // Of several, one that no other dimension ends at.
    auto counted = std::ranges::find_if_not(outer.strides, ends);
    if (counted == outer.strides.end()) {
      if (outer.strides.size() > 1)
        continue;
      counted = outer.strides.begin();
    }
    AccessDim rows;
    rows.step = outer.step;
    rows.masked = {*counted};
    rows.strides = outer.strides;
    rows.strides.erase(rows.strides.begin() + (counted - outer.strides.begin()));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rows));
  }
}

} // namespace tilescope::compiler
