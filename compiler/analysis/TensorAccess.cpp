// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/TensorAccess.h"

#include "compiler/analysis/ProgramRows.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {
namespace {

using Strides = std::vector<unsigned>;
/// What lies between two elements: arguments and a constant.
using Distance = std::pair<Strides, int64_t>;

/// The constant that a product of arguments is multiplied by.
int64_t constantFactor(Value value) {
  value = withoutCasts(value);
  if (const std::optional<int64_t> constant = constantOf(value))
    return *constant;
  auto product = value.getDefiningOp<arith::MulIOp>();
  return product ? constantFactor(product.getLhs()) * constantFactor(product.getRhs()) : 1;
}

/// Follows one address to the tensor and through its offsets.
class AddressWalk {
public:
  explicit AddressWalk(const IndexBounds &bounds) : m_bounds(bounds) {}

  /// The tensor that an address lies in, whatever is added to it.
  static std::optional<unsigned> tensorOf(Value pointer, const IndexBounds &bounds) {
    AddressWalk walk(bounds);
    walk.m_followsOffsets = false;
    walk.address(pointer);
    return walk.tensor;
  }

  void address(Value value) {
    value = withoutCasts(value);
    if (!m_open.insert({value, {}}).second)
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

  std::optional<unsigned> tensor;
  std::map<Distance, AccessDim> dims;

private:
  AccessDim &dimOf(const Strides &strides) { return dimOf(strides, m_step); }

  AccessDim &dimOf(const Strides &strides, int64_t step) {
    AccessDim &dim = dims[{strides, step}];
    dim.strides = strides;
    dim.step = step;
    return dim;
  }

  /// The arguments that a stride is the product of.
  Strides stridesOf(Value value) const {
    value = withoutCasts(value);
    if (const std::optional<unsigned> argument = m_bounds.argumentOf(value))
      return {*argument};
    auto product = value.getDefiningOp<arith::MulIOp>();
    if (!product) {
      // `n // 2` lies as close as `n` at least.
      const ArgumentSet ends = m_bounds.endsIn(value);
      return ends.size() == 1 ? Strides{*ends.begin()} : Strides();
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

  static Strides joined(const Strides &one, const Strides &other) {
    Strides both = one;
    both.insert(both.end(), other.begin(), other.end());
    std::ranges::sort(both);
    return both;
  }

  /// What a result of a branch or a loop may be.
  static SmallVector<Value> sourcesOf(OpResult result) {
    SmallVector<Value> sources;
    const unsigned number = result.getResultNumber();
    if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
      for (Region *region : branch.getRegions())
        if (!region->empty())
          sources.push_back(region->front().getTerminator()->getOperand(number));
    } else if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
      sources = {loop.getInits()[number], loop.getYieldedValues()[number]};
    } else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
      sources = {loop.getConditionOp().getArgs()[number]};
    }
    return sources;
  }

  /// A chain of additions to a pointer: what is compared may be a sum over several of them.
  void addition(Value value) {
    SmallVector<Value> parts, bounded;
    while (auto add = withoutCasts(value).getDefiningOp<tt::AddPtrOp>()) {
      parts.append(partsOfSum(add.getOffset()));
      value = add.getPtr();
    }
    address(value);
    dimOf({}).masked.merge(m_bounds.takeSums(parts, bounded));
    for (Value part : parts)
      index(part, {}, 1, false);
    for (Value part : bounded)
      index(part, {}, 1, true);
  }

  void addressArgument(BlockArgument argument) {
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
      whileSources(loop, argument, [this](Value source) { address(source); });
    } else if (isa<tt::PointerType, tt::TensorDescType>(argument.getType())) {
      tensor = argument.getArgNumber();
    }
  }

  template <typename Visit>
  static void whileSources(scf::WhileOp loop, BlockArgument argument, Visit visit) {
    const unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getAfterBody())
      return visit(loop.getConditionOp().getArgs()[number]);
    visit(loop.getInits()[number]);
    visit(loop.getYieldOp().getOperand(number));
  }

  /// An offset that a loop adds in every round.
  void moved(Value step, const Strides &strides, scf::ForOp loop) {
    AccessDim &dim = dimOf(joined(strides, stridesOf(step)));
    dim.isRepeated = true;
    dim.turn = std::max(dim.turn, constantFactor(step));
    ArgumentSet ends = m_bounds.endsIn(loop.getUpperBound());
    dim.isUnknown |= ends.empty() && !constantOf(loop.getUpperBound());
    if (const auto rounds = constantOf(loop.getUpperBound()), width = constantOf(step);
        rounds && width)
      dim.span += *rounds * *width;
    dim.looped.merge(ends);
  }

  void blockPointer(ValueRange shape, ValueRange strides) {
    for (auto [extent, stride] : llvm::zip(shape, strides)) {
      AccessDim &dim = dimOf(stridesOf(stride));
      dim.masked.merge(m_bounds.endsIn(extent));
      if (const std::optional<int64_t> constant = constantOf(extent))
        dim.span = std::max(dim.span, *constant);
    }
  }

  /// A part of an offset, which is multiplied by `strides` and by the constant `scale`.
  /// `isBounded`: what it is a part of is known to end somewhere.
  void index(Value value, const Strides &strides, int64_t scale, bool isBounded) {
    value = withoutCasts(value);
    if (!m_followsOffsets || !m_open.insert({value, strides}).second)
      return;
    AccessDim &dim = dimOf(strides);
    if (!isBounded) {
      ArgumentSet ends = m_bounds.comparedWith(value);
      isBounded = !ends.empty();
      dim.masked.merge(ends);
    }
    if (auto argument = dyn_cast<BlockArgument>(value))
      return indexArgument(argument, strides, scale, isBounded);
    // An offset that is an extent, such as half a row.
    if (ArgumentSet ends = m_bounds.endsIn(value); !ends.empty())
      return dim.masked.merge(ends);
    Operation *op = value.getDefiningOp();
    if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp>(op)) {
      for (Value part : op->getOperands())
        index(part, strides, scale, isBounded);
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
      if (!isBounded) {
        dim.span += scale * (int64_t(range.getEnd()) - 1);
        const int64_t end = m_bounds.constantEnd(value).value_or(range.getEnd());
        reach(dim, scale * (std::min(end, int64_t(range.getEnd())) - 1));
      }
    } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
      // The offset of this load may follow from its own value, as where a loop walks a list.
      dim.indexedBy = tensorOf(load.getPtr(), m_bounds);
      dim.isUnknown |= !dim.indexedBy;
    } else if (isa<tt::GetProgramIdOp>(op)) {
      if (!isBounded && scale > 1 && programRows(value, m_bounds).isRow)
        leaf(value, dimOf(strides, scale), 1, false);
      else
        leaf(value, dim, scale, isBounded);
    } else if (const std::optional<int64_t> constant = constantOf(value)) {
      if (!isBounded)
        reach(dim, scale * *constant);
    } else if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
      const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
      for (Value source : sourcesOf(cast<OpResult>(value)))
        index(source, strides, scale, isBounded);
    } else if (!op->hasTrait<OpTrait::ConstantLike>()) {
      dim.isUnknown |= !isBounded;
    }
  }

  /// Of one of several alternatives it is not known whether the index goes that far.
  void reach(AccessDim &dim, int64_t further) const {
    if (!m_isOneOfSeveral)
      dim.reach += further;
  }

  static void leaf(Value value, AccessDim &dim, int64_t scale, bool isBounded) {
    dim.isRepeated = true;
    dim.programs.emplace_back(value, scale);
    if (isBounded)
      return;
    if (!llvm::is_contained(dim.free, value))
      dim.free.push_back(value);
    dim.freeScale = std::max(dim.freeScale, scale);
  }

  void product(Operation *op, const Strides &strides, int64_t scale, bool isBounded) {
    const Value left = op->getOperand(0), right = op->getOperand(1);
    for (auto [factor, other] : {std::pair(right, left), std::pair(left, right)}) {
      if (const std::optional<int64_t> constant = constantOf(factor)) {
        const int64_t whole = scale * std::max<int64_t>(*constant, 1);
        // What ends by itself counts rows of this length.
        if (isBounded || whole == 1 || m_step > 1 || m_bounds.comparedWith(other).empty())
          return index(other, strides, whole, isBounded);
        const llvm::SaveAndRestore rows(m_step, whole);
        return index(other, strides, 1, false);
      }
      if (const Strides more = stridesOf(factor); !more.empty()) {
        // Of a bounded whole the parts do not matter.
        const bool isArgument = m_bounds.argumentOf(other).has_value();
        return index(other, isBounded || isArgument ? strides : joined(strides, more), scale,
                     isBounded);
      }
    }
    dimOf(strides).isUnknown |= !isBounded;
  }

  /// A quotient, a remainder, or a minimum: what it is made of ends somewhere, or it does itself.
  void limited(Operation *op, const Strides &strides, int64_t scale, bool isBounded) {
    AccessDim &dim = dimOf(strides);
    const Value value = op->getOperand(0), limit = op->getOperand(1);
    const bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp>(op);
    if (!isQuotient && !isBounded) {
      ArgumentSet ends = m_bounds.endsIn(limit);
      isBounded = !ends.empty();
      dim.masked.merge(ends);
      if (const std::optional<int64_t> constant = constantOf(limit)) {
        dim.span += scale * (*constant - 1);
        isBounded = true;
      }
    }
    if (isBounded)
      return index(value, strides, scale, true);
    if (ArgumentSet ends = m_bounds.comparedWith(value); !ends.empty()) {
      dim.masked.merge(ends);
      return;
    }
    leaf(op->getResult(0), dim, scale, false);
  }

  void indexArgument(BlockArgument argument, const Strides &strides, int64_t scale,
                     bool isBounded) {
    AccessDim &dim = dimOf(strides);
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      if (argument == loop.getInductionVar())
        return counter(loop, strides, scale, isBounded);
      index(loop.getTiedLoopInit(argument)->get(), strides, scale, isBounded);
      const Value next = loop.getTiedLoopYieldedValue(argument)->get();
      Operation *step = withoutCasts(next).getDefiningOp();
      if (isBounded || !isa_and_nonnull<arith::AddIOp>(step))
        return followNext(next, strides, scale, isBounded);
      for (Value part : step->getOperands())
        if (withoutCasts(part) != argument)
          moved(part, strides, loop);
    } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
      dim.isUnknown |= !isBounded;
      const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
      whileSources(loop, argument, [&](Value source) { index(source, strides, scale, isBounded); });
    }
  }

  void followNext(Value next, const Strides &strides, int64_t scale, bool isBounded) {
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    index(next, strides, scale, isBounded);
  }

  void counter(scf::ForOp loop, const Strides &strides, int64_t scale, bool isBounded) {
    AccessDim &dim = dimOf(strides);
    dim.isRepeated = true;
    dim.turn = std::max(dim.turn, scale * constantOf(loop.getStep()).value_or(0));
    const Value end = loop.getUpperBound();
    if (!isBounded) {
      ArgumentSet ends = m_bounds.endsIn(end);
      const std::optional<int64_t> constant = constantOf(end);
      if (constant)
        dim.span += scale * (*constant - 1);
      isBounded = constant || !ends.empty();
      dim.looped.merge(ends);
    }
    if (!isBounded)
      index(end, strides, scale, false);
    index(loop.getLowerBound(), strides, scale, isBounded);
  }

  const IndexBounds &m_bounds;
  bool m_followsOffsets = true;
  bool m_isOneOfSeveral = false;
  /// The constant distance between the elements of the dimension that is followed.
  int64_t m_step = 1;
  struct OpenLess {
    bool operator()(const std::pair<Value, Strides> &one,
                    const std::pair<Value, Strides> &other) const {
      return std::pair(one.first.getAsOpaquePointer(), one.second) <
             std::pair(other.first.getAsOpaquePointer(), other.second);
    }
  };
  std::set<std::pair<Value, Strides>, OpenLess> m_open;
};

void widen(AccessDim &dim, const AccessDim &other) {
  dim.masked.insert(other.masked.begin(), other.masked.end());
  dim.looped.insert(other.looped.begin(), other.looped.end());
  for (Value value : other.free)
    if (!llvm::is_contained(dim.free, value))
      dim.free.push_back(value);
  dim.freeScale = std::max(dim.freeScale, other.freeScale);
  dim.span = std::max(dim.span, other.span);
  dim.block = std::max(dim.block, other.block);
  dim.reach = std::max(dim.reach, other.reach);
  dim.turn = std::max(dim.turn, other.turn);
  dim.isRepeated |= other.isRepeated;
  if (!dim.indexedBy)
    dim.indexedBy = other.indexedBy;
  dim.isUnknown |= other.isUnknown;
}

/// Whether an integer is taken apart: `x >> 4`, `x & 15`.
bool isTakenApart(Value value) {
  const Type element = getElementTypeOrSelf(value.getType());
  return element.isInteger() && !element.isInteger(1) &&
         llvm::any_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<arith::ShRSIOp, arith::ShRUIOp>(user))
             return use.getOperandNumber() == 0;
           if (isa<arith::AndIOp>(user))
             return constantOf(user->getOperand(1 - use.getOperandNumber())).has_value();
           return user->getNumResults() == 1 &&
                  withoutCasts(user->getResult(0)) != user->getResult(0) &&
                  isTakenApart(user->getResult(0));
         });
}

/// Rows of a constant length are as long as they lie apart, whatever of them is accessed.
void fillRows(std::vector<AccessDim> &dims) {
  if (!dims.empty() && dims.back().step > 1)
    dims.emplace_back();
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i - 1].step > dims[i].step)
      dims[i].rowLength = dims[i - 1].step / dims[i].step;
}

bool hasIndex(const AccessDim &dim) {
  return !dim.masked.empty() || !dim.looped.empty() || !dim.free.empty() || dim.span > 1 ||
         dim.indexedBy || dim.isUnknown;
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

} // namespace

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
  std::map<unsigned, std::map<Distance, AccessDim>> dims;
  kernel.walk([&](Operation *op) {
    const bool reads = isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
    const bool writes = isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorScatterOp>(op);
    const bool adds = isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op);
    if (!reads && !writes && !adds)
      return;
    AddressWalk walk(bounds);
    walk.address(op->getOperand(0));
    if (!walk.tensor)
      return;
    TensorAccess &access = result[*walk.tensor];
    access.isRead |= reads;
    access.isWritten |= writes;
    access.isPacked |= reads && isTakenApart(op->getResult(0));
    for (const auto &[distance, dim] : walk.dims) {
      AccessDim &known = dims[*walk.tensor][distance];
      known.strides = dim.strides;
      known.step = dim.step;
      widen(known, dim);
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
    fillRows(access.dims);
  }
  return result;
}

} // namespace tilescope::compiler
