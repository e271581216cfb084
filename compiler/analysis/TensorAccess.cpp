// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/TensorAccess.h"

#include "compiler/analysis/AccessMask.h"
#include "compiler/analysis/AddressWalk.h"
#include "compiler/analysis/LoadedValues.h"
#include "compiler/analysis/NamedRows.h"
#include "compiler/analysis/WindowDims.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// How far behind the argument at which it ends an index goes. That of a loop that counts down from an argument reaches
/// it: `range(n, -1, -1)`; and one that is moved back ends earlier: `k - 1` for `range(1, n + 1)`.
int64_t shiftOfEnd(const AccessDim &dim) {
  if (!dim.masked.empty() || dim.looped.empty())
    return dim.endShift;
  return dim.isReversed ? std::max<int64_t>(dim.shift + 1, 0)
                        : std::max<int64_t>(dim.endShift + std::min<int64_t>(dim.shift, 0), 0);
}

/// Takes over where an access ends, as far as constants move its index back: `n` of `o - 2` for `o < n + 2`.
void takeOverSum(AccessDim &dim, const AccessDim &other) {
  if (!other.sum)
    return;
  LinearEnd end = *other.sum;
  end.constant += std::min<int64_t>(other.shift, 0);
  // What a mask lets through behind the padding is a mistake, and not there.
  const bool isMistake = other.shift < 0 && end.constant > 0;
  if (end.argument() && (end.constant == 0 || isMistake) && other.added.empty())
    dim.masked.insert(*end.argument());
  else if (!dim.sum)
    dim.sum = std::move(end);
}

/// Whether the number of a program is the index, and all of it.
bool isAlone(const AccessDim &dim) {
  const bool hasEnd = !dim.masked.empty() || !dim.looped.empty() || !dim.product.empty() || dim.sum;
  return !hasEnd && dim.free.size() == 1 && dim.freeScale == 1 && dim.span == 1 && dim.shift == 0 &&
         dim.added.empty() && !dim.indexedBy && !dim.isUnknown;
}

void widen(AccessDim &dim, const AccessDim &other) {
  // What is added to an index again is not left out.
  const int64_t added = other.isReversed ? 0 : other.shift;
  if (!other.masked.empty())
    dim.endAt(std::max<int64_t>(other.endLess.value_or(0) - added, 0),
              other.endDivisor.value_or(1));
  if (other.added.empty())
    dim.leastShift = std::min(dim.leastShift, added);
  // `n - i` is `n` where `i` is 0: what is meant is likely `n - 1 - i`.
  dim.isUnknown |= other.isReversed && other.shift >= 0;
  dim.strideDivisor = std::max(dim.strideDivisor, other.strideDivisor);
  dim.strideFactor = std::max(dim.strideFactor, other.strideFactor);
  dim.strideLess = std::max(dim.strideLess, other.strideLess);
  dim.isStrideComputed |= other.isStrideComputed;
  dim.endsElsewhere |= other.endsElsewhere;
  dim.masked.insert(other.masked.begin(), other.masked.end());
  dim.looped.insert(other.looped.begin(), other.looped.end());
  if (dim.product.empty()) {
    dim.product = other.product;
    dim.productTimes = other.productTimes;
  }
  takeOverSum(dim, other);
  dim.loopsAdded = std::max(dim.loopsAdded, other.loopsAdded);
  dim.loopShift = std::max(dim.loopShift, other.loopShift);
  dim.endsPartly |= other.endsPartly;
  for (Value value : other.free)
    if (!llvm::is_contained(dim.free, value))
      dim.free.push_back(value);
  dim.freeScale = std::max(dim.freeScale, other.freeScale);
  dim.span = std::max(dim.span, other.span);
  dim.block = std::max(dim.block, other.block);
  dim.reach = std::max(dim.reach, other.reach);
  dim.shift = std::max(dim.shift, other.shift);
  dim.turn = std::max(dim.turn, other.turn);
  dim.endScale = std::max(dim.endScale, other.endScale);
  if (!other.masked.empty()) {
    const int64_t quotient = other.quotient.value_or(1);
    const bool isOther = dim.quotient && dim.quotientArgument != other.quotientArgument;
    dim.quotient = isOther ? 1 : std::min(dim.quotient.value_or(quotient), quotient);
    dim.quotientArgument = other.quotientArgument;
  }
  dim.endShift = std::max(dim.endShift, shiftOfEnd(other));
  dim.isReversed |= other.isReversed;
  dim.endFactor = std::max(dim.endFactor, other.endFactor);
  for (const auto &[argument, times] : other.added)
    if (const auto [known, isNew] = dim.added.try_emplace(argument, times); !isNew)
      known->second = std::max(known->second, times);
  dim.isRepeated |= other.isRepeated;
  if (!dim.indexedBy)
    dim.indexedBy = other.indexedBy;
  dim.isUnknown |= other.isUnknown;
  dim.isFraction |= other.isFraction;
  if (isAlone(other))
    dim.alone = other.free.front();
}

/// Whether rows of a constant length end at a part of what their elements end at.
bool endsInside(const AccessDim &outer, const AccessDim &inner) {
  if (outer.strides != inner.strides || outer.step < 2 || inner.step != 1 || !outer.sum ||
      outer.sum->quotients.size() != 1 || !outer.sum->factors.empty())
    return false;
  const auto &[dividend, divisor] = outer.sum->quotients.front();
  const std::optional<unsigned> whole = dividend.argument();
  return whole && divisor.factors.empty() && divisor.constant == outer.step &&
         (inner.masked.empty() || inner.masked == ArgumentSet{*whole}) && !inner.sum &&
         inner.looped.empty() && inner.free.empty() && inner.reach < outer.step;
}

/// `2 * i` and `2 * i + 1` for `i < n // 2` are all of `n`, and so are such rows.
void joinHalves(std::vector<AccessDim> &dims) {
  for (size_t i = 1; i < dims.size(); ++i) {
    AccessDim &outer = dims[i - 1], &inner = dims[i];
    const bool isWhole = outer.strides == inner.strides && outer.step > 1 && inner.step == 1 &&
                         outer.endDivisor == outer.step && inner.masked.empty() &&
                         inner.looped.empty() && inner.free.empty() && inner.reach < outer.step;
    // The same where it is asked of the last one, so that the inner dimension is all there is: `2 * i + 1 < n`.
    if (endsInside(outer, inner)) {
      inner.isRepeated = true;
      inner.shift = 0;
      inner.masked.insert(*outer.sum->quotients.front().dividend.argument());
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i - 1));
      continue;
    }
    if (!isWhole)
      continue;
    outer.step = 1;
    outer.endDivisor = 1;
    outer.shift = 0;
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// `i < SIZE * hw` of planes that lie `hw` apart goes over several of them.
void endInRows(std::vector<AccessDim> &dims) {
  for (AccessDim &dim : dims)
    for (const AccessDim &outer : dims)
      if (outer.strides.size() == 1 && dim.masked.contains(outer.strides.front()))
        dim.endFactor = std::min(dim.endFactor, outer.strideFactor);
}

/// Whether a single argument at which nothing ends lies between the rows of a dimension.
bool hasOwnDistance(const AccessDim &outer, const AccessDim &dim, const IndexBounds &bounds) {
  std::vector<unsigned> between;
  std::ranges::set_difference(outer.strides, dim.strides, std::back_inserter(between));
  return outer.strides.size() == dim.strides.size() + 1 && between.size() == 1 &&
         outer.step == dim.step && IndexBounds::isArgument(between.front()) &&
         !bounds.isEnd(between.front()) && !bounds.endsBeside(between.front());
}

/// Whether columns in groups are all of a row: `2 * c` for `c < w // 2`.
bool goesOverRow(const AccessDim &dim, unsigned length) {
  return dim.strides.empty() && dim.step > 1 && dim.endDivisor == dim.step &&
         dim.masked == ArgumentSet{length};
}

/// `2 * row * w` and `2 * row * w + w` are two rows for each number where nothing ends at `w`, or groups of columns do.
void countRowsTogether(std::vector<AccessDim> &dims, const IndexBounds &bounds) {
  for (AccessDim &outer : dims) {
    const bool isScaled = outer.strides.size() == 1 && outer.strideFactor > 1 &&
                          outer.strideDivisor == 1 && outer.free.size() == 1;
    if (!isScaled)
      continue;
    const unsigned distance = outer.strides.front();
    const bool isEnd = bounds.isEnd(distance) || bounds.endsBeside(distance);
    if (isEnd &&
        llvm::none_of(dims, [&](const AccessDim &dim) { return goesOverRow(dim, distance); }))
      continue;
    for (AccessDim &inner : dims) {
      const auto added = inner.added.find(distance);
      if (&inner == &outer || added == inner.added.end() || added->second >= outer.strideFactor)
        continue;
      inner.added.erase(added);
      inner.masked.erase(distance);
      outer.freeTimes = std::exchange(outer.strideFactor, 1);
    }
  }
}

/// Rows of a constant length are as long as they lie apart, whatever of them is accessed.
void fillRows(std::vector<AccessDim> &dims, const IndexBounds &bounds) {
  if (!dims.empty() && dims.back().step > 1)
    dims.emplace_back();
  for (size_t i = 1; i < dims.size(); ++i) {
    dims[i].isInner = true;
    dims[i].hasOwnDistance = hasOwnDistance(dims[i - 1], dims[i], bounds);
    if (dims[i - 1].step > dims[i].step)
      dims[i].rowLength = dims[i - 1].step / dims[i].step;
  }
}

bool hasIndex(const AccessDim &dim) {
  return !dim.masked.empty() || !dim.looped.empty() || !dim.product.empty() || dim.sum ||
         !dim.free.empty() || dim.span > 1 || dim.shift > 0 || dim.indexedBy || dim.isUnknown;
}

/// The programs of one dimension of an access: `turns` for those that a loop moves on from, by the
/// number of programs, `blocks` for the others.
void sortPrograms(const AccessDim &dim, LoopShares &turns, llvm::DenseSet<Value> &blocks) {
  for (const auto &[program, side] : dim.programs)
    if (dim.turn > 0 && dim.turn % side == 0)
      turns[program] = std::max(turns.lookup(program), dim.turn / side);
    else if (side > 1)
      blocks.insert(program);
}

/// Where a range ends, its index does. Not so where it counts the elements of each program's block, and is
/// compared for another dimension, or for another access:
///
///     j = tl.program_id(1) * B + tl.arange(0, B)
///     k = tl.arange(0, B)                            k < K, which is the same range
void endAtRange(AccessDim &dim, bool isOfOther) {
  ArgumentSet ends = std::exchange(dim.rangeEnds, {});
  if (ends.empty())
    return;
  auto range = dim.range.getDefiningOp<tt::MakeRangeOp>();
  const int64_t count = range.getEnd();
  const bool isOfBlock = isOfOther && dim.masked.empty() && dim.looped.empty() &&
                         !dim.free.empty() && dim.freeScale == count;
  if (!isOfBlock)
    return dim.masked.merge(ends);
  dim.span += count - 1;
  dim.reach += count - 1;
}

void endAtRanges(Operation *access, std::map<AddressWalk::Distance, AccessDim> &dims) {
  const Value mask = maskOf(access);
  for (auto &[distance, dim] : dims) {
    const bool standsElsewhere = llvm::any_of(dims, [&](const auto &other) {
      return &other.second != &dim && other.second.range == dim.range && other.second.free.empty();
    });
    endAtRange(dim, standsElsewhere || !mask || !compares(mask, dim.range));
  }
}

/// Of several arguments where an index ends the one that the access's own mask asks counts, where nothing else is known of
/// the array, or rows are as long: `x + c` for `c < n` beside `y + c` for `c < m`. Else one of the masks may be wrong.
void endAtOwnMask(std::map<AddressWalk::Distance, AccessDim> &dims) {
  for (auto &[distance, dim] : dims) {
    if (dim.asked.size() != 1 || !dim.strides.empty() || dim.step != 1 || !dim.added.empty())
      continue;
    const bool isRow = llvm::any_of(dims, [&](const auto &other) {
      return other.second.strides == std::vector{*dim.asked.begin()} &&
             other.second.strideFactor == 1 && other.second.strideDivisor == 1;
    });
    if (isRow || dims.size() == 1)
      dim.masked = dim.asked;
  }
}

/// Whether the mask of an access ends another dimension.
bool endsOther(const std::map<AddressWalk::Distance, AccessDim> &dims, const AccessDim &dim) {
  return llvm::any_of(dims, [&](const auto &other) {
    return &other.second != &dim && !other.second.masked.empty();
  });
}

} // namespace

int64_t numParts(const AccessDim &dim, const ArgumentSet &ends, const IndexBounds &bounds) {
  const auto added = ends.size() == 1 ? dim.added.find(*ends.begin()) : dim.added.end();
  return added == dim.added.end() || bounds.endsBeside(added->first) ? 1 : 1 + added->second;
}

LoopShares loopShares(FunctionOpInterface kernel, const IndexBounds &bounds) {
  LoopShares turns;
  llvm::DenseSet<Value> blocks;
  kernel.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      const Value begin = withoutCasts(loop.getLowerBound());
      if (const auto step = constantOf(loop.getStep());
          step && begin.getDefiningOp<tt::GetProgramIdOp>())
        turns[begin] = std::max(turns.lookup(begin), *step);
    } else if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op)) {
      AddressWalk walk(bounds);
      walk.address(op->getOperand(0));
      for (const auto &[distance, dim] : walk.dims)
        sortPrograms(dim, turns, blocks);
    }
  });
  for (const Value block : blocks)
    turns.erase(block);
  return turns;
}

std::map<unsigned, TensorAccess> tensorAccesses(FunctionOpInterface kernel,
                                                const IndexBounds &bounds) {
  std::map<unsigned, TensorAccess> result;
  std::map<unsigned, std::map<AddressWalk::Distance, AccessDim>> dims;
  kernel.walk([&](Operation *op) {
    const bool reads = isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
    const bool writes = isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorScatterOp>(op);
    const bool adds = isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op);
    if (!reads && !writes && !adds)
      return;
    AddressWalk walk(bounds, maskOf(op));
    walk.address(op->getOperand(0));
    if (!walk.tensor)
      return;
    endAtRanges(op, walk.dims);
    endAtOwnMask(walk.dims);
    TensorAccess &access = result[*walk.tensor];
    access.isRead |= reads;
    access.isWritten |= writes;
    access.isUpdated |= adds;
    if (reads)
      noteContents(op->getResult(0), bounds, access);
    for (const auto &[distance, dim] : walk.dims) {
      AccessDim &known = dims[*walk.tensor][distance];
      known.strides = dim.strides;
      known.step = dim.step;
      widen(known, dim);
      if (writes && dim.indexedBy && dim.free.empty() && walk.dims.size() == 1)
        access.scatteredBy = dim.indexedBy;
      known.lacksMask |= maskOf(op) && dim.masked.empty() && !dim.looped.empty() && dim.block > 1 &&
                         endsOther(walk.dims, dim);
    }
  });
  for (auto &[tensor, access] : result) {
    for (auto &[distance, dim] : dims[tensor])
      if (hasIndex(dim))
        access.dims.push_back(std::move(dim));
    // Contiguous dimensions come last, products of strides first.
    std::ranges::stable_sort(access.dims, [](const AccessDim &one, const AccessDim &other) {
      if (one.strides.size() != other.strides.size())
        return one.strides.size() > other.strides.size();
      return one.strides != other.strides ? one.strides < other.strides : one.step > other.step;
    });
    countRowsTogether(access.dims, bounds);
    joinHalves(access.dims);
    joinWindows(access.dims);
    addNamedRows(access.dims);
    endInRows(access.dims);
    fillRows(access.dims, bounds);
  }
  return result;
}

} // namespace tilescope::compiler
