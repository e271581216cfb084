// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AddressWalk.h"

#include "compiler/analysis/AccessMask.h"
#include "compiler/analysis/FlowSources.h"
#include "compiler/analysis/FractionIndex.h"
#include "compiler/analysis/NamedRows.h"
#include "compiler/analysis/NumberParts.h"
#include "compiler/analysis/ProgramRows.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

std::optional<unsigned> AddressWalk::tensorOf(Value pointer, const IndexBounds &bounds) {
  AddressWalk walk(bounds);
  walk.m_followsOffsets = false;
  walk.address(pointer);
  return walk.tensor;
}

/// `p % n` of an argument `n`.
static bool isRemainder(Value value, const IndexBounds &bounds) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(op) &&
         bounds.argumentOf(op->getOperand(1)).has_value();
}

void AddressWalk::address(Value value) {
  value = withoutCasts(value);
  if (!m_open.insert({value.getAsOpaquePointer(), {}, 1}).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addressArgument(argument);
  Operation *op = value.getDefiningOp();
  if (isa<tt::AddPtrOp>(op)) {
    addition(value);
  } else if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op)) {
    address(make.getBase());
    blockPointer(make.getShape(), make.getStrides());
    for (auto [offset, stride] : llvm::zip(make.getOffsets(), make.getStrides()))
      index(offset, stridesOf(stride), 1, !dimOf(stridesOf(stride)).masked.empty());
  } else if (auto make = dyn_cast<tt::MakeTensorDescOp>(op)) {
    address(make.getBase());
    blockPointer(make.getShape(), make.getStrides());
  } else if (auto advance = dyn_cast<tt::AdvanceOp>(op)) {
    address(advance.getPtr());
  } else if (isa<arith::SelectOp>(op)) {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    address(op->getOperand(1));
    address(op->getOperand(2));
  } else if (isa<tt::BitcastOp, tt::IntToPtrOp>(op)) {
    address(op->getOperand(0));
  } else {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    for (Value source : sourcesOf(cast<OpResult>(value)))
      address(source);
  }
}

AccessDim &AddressWalk::dimOf(const Strides &strides, int64_t step) {
  AccessDim &dim = dims[{strides, step}];
  dim.strides = strides;
  dim.step = step;
  return dim;
}

AddressWalk::Strides AddressWalk::stridesOf(Value value) const {
  value = withoutCasts(value);
  if (const std::optional<unsigned> argument = m_bounds.argumentOf(value))
    return {*argument};
  if (auto programs = value.getDefiningOp<tt::GetNumProgramsOp>())
    return {IndexBounds::numberOfPrograms(static_cast<unsigned>(programs.getAxis()))};
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product) {
    const std::optional<LinearEnd> sum = m_bounds.linearEndOf(value);
    // Rows as long as `w + 4`, where something ends there.
    if (sum && sum->quotients.empty() && sum->constant > 0 && m_bounds.endsAtSum(*sum))
      return {m_bounds.numberOf(*sum)};
    // `n // 2` lies as close as `n` at least.
    const ArgumentSet ends = m_bounds.endsIn(value);
    if (ends.size() == 1)
      return {*ends.begin()};
    // Rows as long as `w + 2 * p`.
    return sum && sum->factors.size() > 1 ? Strides{m_bounds.numberOf(*sum)} : Strides();
  }
  Strides strides;
  for (Value factor : product->getOperands()) {
    Strides more = stridesOf(factor);
    if (more.empty() && !constantOf(factor))
      return {};
    strides.insert(strides.end(), more.begin(), more.end());
  }
  std::ranges::sort(strides);
  return strides;
}

void AddressWalk::addition(Value value) {
  SmallVector<Value> parts, bounded, wholes;
  while (auto add = withoutCasts(value).getDefiningOp<tt::AddPtrOp>()) {
    parts.append(partsOfSum(add.getOffset()));
    value = add.getPtr();
  }
  address(value);
  dimOf({}).masked.merge(m_bounds.takeSums(parts, bounded, wholes));
  for (const Value whole : wholes) {
    if (const std::optional<LinearEnd> sum = m_bounds.sumIn(m_mask, whole)) {
      dimOf({}).sum = sum;
      continue;
    }
    if (std::vector<unsigned> factors = m_bounds.comparedWithProduct(whole); !factors.empty()) {
      dimOf({}).product = std::move(factors);
      dimOf({}).productTimes = m_bounds.productTimes(whole);
      continue;
    }
    dimOf({}).endAt(m_bounds.endLess(whole), m_bounds.endDivisor(whole));
    dimOf({}).endFactor = std::max(dimOf({}).endFactor, m_bounds.endFactor(whole));
    dimOf({}).endsElsewhere |= m_bounds.endsElsewhere(whole);
    dimOf({}).endsPartly |= !m_bounds.endsAsItIs(whole);
    dimOf({}).asked.merge(m_bounds.comparedIn(m_mask, whole));
  }
  for (Value part : parts)
    if (const std::optional<unsigned> row = m_bounds.argumentOf(part);
        row && llvm::any_of(parts, [&](Value other) { return isMultiple(other, *row); }) &&
        !llvm::any_of(parts, [&](Value other) { return isTakenFrom(other, *row); }))
      shift(dimOf({*row}), 1);
    else
      index(part, {}, 1, false);
  for (Value part : bounded)
    index(part, {}, 1, true);
}

void AddressWalk::addressArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    OpOperand *init = loop.getTiedLoopInit(argument);
    if (!init)
      return;
    address(init->get());
    const Value next = loop.getTiedLoopYieldedValue(argument)->get();
    if (auto add = withoutCasts(next).getDefiningOp<tt::AddPtrOp>())
      moved(add.getOffset(), {}, loop);
    else {
      const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
      address(next);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    for (Value source : sourcesOf(loop, argument))
      address(source);
  } else if (isa<tt::PointerType, tt::TensorDescType>(argument.getType())) {
    tensor = argument.getArgNumber();
  }
}

void AddressWalk::blockPointer(ValueRange shape, ValueRange strides) {
  for (auto [extent, stride] : llvm::zip(shape, strides)) {
    AccessDim &dim = dimOf(stridesOf(stride));
    dim.masked.merge(m_bounds.endsIn(extent));
    if (const std::optional<int64_t> constant = constantOf(extent))
      dim.span = std::max(dim.span, *constant);
  }
}

void AddressWalk::index(Value value, const Strides &strides, int64_t scale, bool isBounded) {
  value = withoutCasts(value);
  // One constant may stand for several parts of an index.
  if (const std::optional<int64_t> constant = constantOf(value)) {
    if (m_followsOffsets && !isBounded)
      shift(dimOf(strides), scale * *constant);
    return;
  }
  // A range may count rows in one place and columns in another.
  const int64_t times = value.getDefiningOp<tt::MakeRangeOp>() ? scale : 1;
  if (!m_followsOffsets || !m_open.insert({value.getAsOpaquePointer(), strides, times}).second)
    return;
  AccessDim &dim = dimOf(strides);
  if (!isBounded) {
    const std::optional<LinearEnd> sum = m_bounds.sumIn(m_mask, value);
    if (sum && scale == 1)
      dim.sum = sum;
    // A remainder ends by itself, whatever other accesses compare with it.
    const bool endsItself = isRemainder(value, m_bounds) && !compares(m_mask, value);
    ArgumentSet ends = endsItself || sum ? ArgumentSet() : m_bounds.comparedWith(value);
    isBounded = !ends.empty() || sum;
    if (scale == 1 && !endsItself && !sum)
      dim.asked.merge(m_bounds.comparedIn(m_mask, value));
    reverse(dim, ends, scale);
    dim.endShift = std::max(dim.endShift, m_bounds.endShift(value));
    dim.endFactor = std::max(dim.endFactor, m_bounds.endFactor(value));
    dim.endsElsewhere |= m_bounds.endsElsewhere(value);
    dim.endsPartly |= isBounded && !m_bounds.endsAsItIs(value);
    if (isBounded)
      dim.endAt(m_bounds.endLess(value), m_bounds.endDivisor(value));
    else if (std::vector<unsigned> factors = m_bounds.comparedWithProduct(value);
             !factors.empty() && scale == 1) {
      dim.product = std::move(factors);
      dim.productTimes = m_bounds.productTimes(value);
      isBounded = true;
    }
    const bool isRange = value.getDefiningOp<tt::MakeRangeOp>() && scale == 1;
    if (isRange)
      dim.range = value;
    if (!ends.empty())
      dim.quotient = 1;
    (isRange && m_bounds.endsAsItIs(value) ? dim.rangeEnds : dim.masked).merge(ends);
  }
  if (const std::optional<unsigned> argument = m_bounds.argumentOf(value); argument && !isBounded)
    dim.added[*argument] += m_isTakenAway ? -scale : scale;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return indexArgument(argument, strides, scale, isBounded);
  // An offset that is an extent, such as half a row.
  if (ArgumentSet ends = m_bounds.endsIn(value); !ends.empty() && !countsDown(value)) {
    dim.endAt(0, 1);
    return dim.masked.merge(ends);
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp>(op)) {
    const bool takesAway = isa<arith::SubIOp>(op);
    for (OpOperand &part : op->getOpOperands())
      if (const auto constant = constantOf(part.get());
          constant && takesAway && part.getOperandNumber() == 1) {
        if (!isBounded)
          shift(dim, -scale * *constant);
      } else {
        const llvm::SaveAndRestore taken(
            m_isTakenAway, m_isTakenAway != (takesAway && part.getOperandNumber() == 1));
        index(part.get(), strides, scale, isBounded);
      }
  } else if (isa<arith::MulIOp>(op)) {
    product(op, strides, scale, isBounded);
  } else if (isa<arith::SelectOp>(op)) {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    index(op->getOperand(1), strides, scale, isBounded);
    index(op->getOperand(2), strides, scale, isBounded);
  } else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::MinSIOp,
                 arith::MinUIOp, arith::ShRSIOp, arith::AndIOp>(op)) {
    limited(op, strides, scale, isBounded);
  } else if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
    index(op->getOperand(0), strides, scale, isBounded);
  } else if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    dim.block = std::max(dim.block, scale * int64_t(range.getEnd()));
    // `63 - tl.arange(0, 64)` goes no further than 63.
    if (!isBounded && !m_isTakenAway) {
      dim.span += scale * (int64_t(range.getEnd()) - 1);
      const int64_t end = m_bounds.constantEnd(value).value_or(range.getEnd());
      reach(dim, scale * (std::min(end, int64_t(range.getEnd())) - 1));
    }
  } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
    // The offset of this load may follow from its own value, as where a loop walks a list.
    const std::optional<unsigned> source = tensorOf(load.getPtr(), m_bounds);
    if (!m_isRemainder || !isBounded)
      dim.indexedBy = source;
    dim.isUnknown |= !source;
  } else if (isa<tt::GetProgramIdOp>(op)) {
    // `head * T * D` has rows of `T * D` elements, `number * BLOCK * stride` blocks of rows.
    const ProgramRows rows = !isBounded && scale > 1 ? programRows(value, m_bounds) : ProgramRows();
    const bool isRowBeside = scale == rows.rowBeside && !m_mask;
    if (rows.blockInRow == scale) {
      leaf(value, dim, scale, true);
    } else if (rows.isScaled) {
      dim.strideFactor = scale;
      leaf(value, dim, 1, false);
    } else if (rows.isRow || isRowBeside || (rows.isVariable && !strides.empty()))
      leaf(value, dimOf(strides, m_step * scale), 1, false);
    else
      leaf(value, dim, scale, isBounded);
  } else if (auto cast = dyn_cast<arith::FPToSIOp>(op)) {
    const std::optional<unsigned> whole = wholeOfFraction(cast.getIn(), m_bounds);
    dim.isUnknown |= !isBounded;
    if (whole && !isBounded && scale == 1) {
      dim.isFraction = true;
      dim.masked.insert(*whole);
    }
  } else if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    for (Value source : sourcesOf(mlir::cast<OpResult>(value)))
      index(source, strides, scale, isBounded);
  } else if (!op->hasTrait<OpTrait::ConstantLike>()) {
    dim.isUnknown |= !isBounded;
  }
}

void AddressWalk::leaf(Value value, AccessDim &dim, int64_t scale, bool isBounded) {
  dim.isRepeated = true;
  dim.programs.emplace_back(value, scale);
  if (isBounded)
    return;
  if (!llvm::is_contained(dim.free, value))
    dim.free.push_back(value);
  dim.freeScale = std::max(dim.freeScale, scale);
}

void AddressWalk::product(Operation *op, const Strides &strides, int64_t scale, bool isBounded) {
  const Value left = op->getOperand(0), right = op->getOperand(1);
  for (auto [factor, other] : {std::pair(right, left), std::pair(left, right)}) {
    if (const std::optional<int64_t> constant = constantOf(factor)) {
      const int64_t whole = scale * std::max<int64_t>(*constant, 1);
      if (!isBounded && whole > 1 && countsRows(other, m_bounds)) {
        const llvm::SaveAndRestore rows(m_step, m_step * whole);
        return index(other, strides, 1, false);
      }
      // What ends by itself counts rows of this length.
      const bool isEnded = !m_bounds.comparedWith(other).empty() ||
                           !m_bounds.comparedWithProduct(other).empty() ||
                           m_bounds.sumIn(m_mask, other);
      if (isBounded || whole == 1 || m_step > 1 || !isEnded)
        return index(other, strides, whole, isBounded);
      const llvm::SaveAndRestore rows(m_step, whole);
      return index(other, strides, 1, false);
    }
    if (const auto parts = quotientOf(factor, m_bounds);
        parts && partsCountedBy(withoutCasts(other), m_bounds) == parts) {
      dimOf(strides).masked.insert(parts->argument);
      return index(other, strides, scale, true);
    }
    if (const Strides more = stridesOf(factor); !more.empty()) {
      // Of a bounded whole the parts do not matter.
      squareDiagonal(other, factor);
      const bool isArgument = m_bounds.argumentOf(other).has_value();
      if (!isBounded && !isArgument)
        noteDistance(dimOf(joined(strides, more)), factor);
      return index(other, isBounded || isArgument ? strides : joined(strides, more), scale,
                   isBounded);
    }
  }
  dimOf(strides).isUnknown |= !isBounded;
}

void AddressWalk::limited(Operation *op, const Strides &strides, int64_t scale, bool isBounded) {
  AccessDim &dim = dimOf(strides);
  const Value value = op->getOperand(0), limit = op->getOperand(1);
  const bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp>(op);
  if (!isQuotient && !isBounded) {
    ArgumentSet ends = m_bounds.endsIn(limit);
    isBounded = !ends.empty();
    if (isBounded && m_bounds.argumentOf(limit))
      dim.endScale = std::max(dim.endScale, scale);
    dim.masked.merge(ends);
    if (const std::optional<int64_t> constant = constantOf(limit)) {
      // A minimum may be the limit itself.
      dim.span += scale * (*constant - (isa<arith::MinSIOp, arith::MinUIOp>(op) ? 0 : 1));
      isBounded = true;
    }
  }
  if (isBounded) {
    const llvm::SaveAndRestore remainder(m_isRemainder,
                                         m_isRemainder || isa<arith::RemSIOp, arith::RemUIOp>(op));
    return index(value, strides, scale, true);
  }
  ArgumentSet ends = m_bounds.comparedWith(value);
  const std::optional<int64_t> quotient =
      isQuotient && !ends.empty() && !isa<arith::ShRSIOp>(op) ? constantOf(limit) : std::nullopt;
  if (ends.empty() && isQuotient)
    ends = m_bounds.endsOfQuotient(value, limit);
  if (!ends.empty()) {
    const bool isAlone = dim.masked.empty() && scale == 1 && m_bounds.endsAsItIs(value);
    const auto argument = isQuotient ? m_bounds.argumentOf(limit) : std::nullopt;
    const bool isPart = isAlone && argument && !ends.contains(*argument);
    dim.quotient = isPart ? 2 : isAlone ? quotient.value_or(1) : 1;
    dim.quotientArgument = isPart ? argument : std::nullopt;
    const int64_t factor = m_bounds.endFactor(value), divisor = constantOf(limit).value_or(1);
    const std::optional<unsigned> part = m_bounds.argumentOf(limit);
    // `i // n` ends at 4 for `i < 4 * n`.
    if (isQuotient && factor > 1 && part && ends == ArgumentSet{*part}) {
      dim.span += scale * (factor - 1);
      return;
    }
    dim.endScale = std::max(dim.endScale, scale);
    dim.endFactor =
        std::max(dim.endFactor, factor % divisor == 0 && isQuotient ? factor / divisor : factor);
    dim.masked.merge(ends);
    return;
  }
  const std::optional<ProductEnd> end = m_bounds.productEnd(op->getResult(0));
  if (end && scale == 1 && end->arguments.size() == 1) {
    dim.masked.insert(end->arguments.front());
    dim.endFactor = std::max(dim.endFactor, end->times);
  } else if (end && scale == 1 && !end->arguments.empty()) {
    dim.product = end->arguments;
    dim.productTimes = end->times;
  } else {
    leaf(op->getResult(0), dim, scale, false);
  }
}

} // namespace tilescope::compiler
