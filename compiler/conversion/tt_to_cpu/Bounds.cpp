// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Checked bounds. A run of neighbors is inside when its first address is far enough from the end: one
// comparison for a tile. Else each lane is compared; those that are outside and not masked off are
// noted, and left out as the interpreter leaves them out:
//
//     if not first - start < size - bytes of the run + 1:       inside, or negative: unsigned
//       mask = inside_of_run(…, mask)                           a function that notes the others (OutsideRecords.h)
//     access with mask
//
// Other lanes are compared in the code: `address - start < size - bytes + 1`.
#include "compiler/conversion/tt_to_cpu/Bounds.h"

#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/OutsideRecords.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/interpreter/MemoryArea.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilescope::compiler::interpreter;

namespace tilescope::cpu {

static Value makeNumber(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value KernelLowering::lowerCheckedArgument(BlockArgument argument, Value words) {
  OpBuilder &b = m_builder;
  const unsigned index = argument.getArgNumber(),
                 numArguments = argument.getOwner()->getNumArguments();
  const auto wordAt = [&](unsigned number) -> Value {
    Type type = b.getI64Type();
    return LLVM::LoadOp::create(
        b, m_loc, type, elementAddress(b, m_loc, words, makeNumber(b, m_loc, number), type));
  };
  Value start = makeNumber(b, m_loc, areaAddress(index));
  Value distance = arith::SubIOp::create(b, m_loc, wordAt(index), start);
  Area &area = m_areas[argument] = {start, distance, wordAt(numArguments + index), {}, {}};
  if (m_options.noteDoubts)
    area.marks = wordAt(2 * numArguments + index);
  if (m_changedInPlace.contains(argument))
    area.reads = wordAt(3 * numArguments + index);
  return LLVM::IntToPtrOp::create(b, m_loc, elementTypeOf(argument.getType()), start);
}

Value originOf(Value pointers) {
  const llvm::DenseSet<Value> origins = ttg::originsOf(pointers);
  if (origins.size() != 1 || ttg::isUnknownOrigin(*origins.begin()))
    return {};
  return *origins.begin();
}

/// A tile of numbers, or one, from memory.
static Value loadWords(OpBuilder &b, Location loc, Value words, Value index) {
  Type type = typeLike(index, b.getI64Type());
  Value address = elementAddress(b, loc, words, index, b.getI64Type());
  if (const int64_t lanes = lanesOf(index))
    return LLVM::masked_gather::create(b, loc, type, address, allLanes(b, loc, lanes), ValueRange(),
                                       b.getI32IntegerAttr(8));
  return LLVM::LoadOp::create(b, loc, type, address);
}

/// Of the argument that the address itself tells, as `findPlace` of the interpreter finds it.
Area KernelLowering::areaByAddress(Value address) {
  OpBuilder &b = m_builder;
  const Location loc = m_loc;
  const auto number = [&](int64_t value) { return integerLike(b, loc, address, value); };
  if (m_numArguments == 0)
    return {number(0), number(0), number(0), {}, {}};
  Value high = arith::ShRUIOp::create(b, loc, address, number(kAreaBits));
  Value index = arith::SubIOp::create(b, loc, high, number(1));
  Value isKnown =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, number(m_numArguments));
  index = arith::SelectOp::create(b, loc, isKnown, index, number(0));
  Value start = arith::AddIOp::create(
      b, loc, arith::ShLIOp::create(b, loc, index, number(kAreaBits)), number(areaAddress(0)));
  Value size =
      loadWords(b, loc, m_words, arith::AddIOp::create(b, loc, index, number(m_numArguments)));
  size = arith::SelectOp::create(b, loc, isKnown, size, number(0));
  Value memory = loadWords(b, loc, m_words, index);
  return {start, arith::SubIOp::create(b, loc, memory, start), size, {}, {}};
}

CheckedTarget KernelLowering::targetOf(Value pointers, Value tile) {
  OpBuilder &b = m_builder;
  CheckedTarget target;
  target.address = LLVM::PtrToIntOp::create(b, m_loc, typeLike(tile, b.getI64Type()), tile);
  const auto known = m_areas.find(originOf(pointers));
  target.area = known != m_areas.end() ? known->second : areaByAddress(target.address);
  target.pointer = elementAddress(b, m_loc, tile, target.area.distance, b.getI8Type());
  return target;
}

Value KernelLowering::insideOfRun(Operation *access, const CheckedTarget &first, Value mask) {
  OpBuilder &b = m_builder;
  const int64_t number = m_accessNumbers.lookup(access), lanes = lanesOf(mask);
  const size_t bytes = m_accesses[static_cast<size_t>(number)].element.sizeBytes;
  Type word = b.getI64Type();
  FailureOr<LLVM::LLVMFuncOp> function =
      LLVM::lookupOrCreateFn(b, m_module, StringRef(kInsideOfRun),
                             {m_scratch.getType(), word, word, word, word, word, word, word}, word);
  function->setPassthroughAttr(b.getStrArrayAttr({"cold"}));
  auto call = LLVM::CallOp::create(
      b, m_loc, *function,
      ValueRange{m_scratch, makeNumber(b, m_loc, number), first.address, first.area.start,
                 first.area.size, bitsOfMask(b, m_loc, mask), makeNumber(b, m_loc, lanes),
                 makeNumber(b, m_loc, static_cast<int64_t>(bytes))});
  return maskOfBits(b, m_loc, call.getResult(), lanes);
}

/// For an access of so many bytes: whether its address is inside.
Value KernelLowering::isInside(const CheckedTarget &target, int64_t bytes) {
  OpBuilder &b = m_builder;
  const int64_t lanes = lanesOf(target.address);
  const auto numberLike = [&](Value like, int64_t value) {
    return integerLike(b, m_loc, like, value);
  };
  Value size = target.area.size;
  // The number of addresses at which it may begin.
  Value room = arith::SubIOp::create(b, m_loc, size, numberLike(size, bytes - 1));
  room = arith::MaxSIOp::create(b, m_loc, room, numberLike(room, 0));
  Value start = splat(b, m_loc, target.area.start, lanes);
  Value offset = arith::SubIOp::create(b, m_loc, target.address, start);
  return arith::CmpIOp::create(b, m_loc, arith::CmpIPredicate::ult, offset,
                               splat(b, m_loc, room, lanes));
}

Value KernelLowering::checkElements(Operation *access, const CheckedTarget &target, Value mask,
                                    int64_t bytes, int64_t times) {
  OpBuilder &b = m_builder;
  Value inside = isInside(target, bytes);
  Value outside = arith::XOrIOp::create(b, m_loc, inside, integerLike(b, m_loc, inside, 1));
  if (mask)
    outside = arith::AndIOp::create(b, m_loc, outside, mask);
  noteOutside(access, target.address, outside, times);
  return mask ? Value(arith::AndIOp::create(b, m_loc, inside, mask)) : inside;
}

std::pair<CheckedTarget, Value> KernelLowering::checkScalar(Operation *access, Value pointer,
                                                            Value mask) {
  const CheckedTarget target = targetOf(access->getOperand(0), pointer);
  const auto bytes = static_cast<int64_t>(
      m_accesses[static_cast<size_t>(m_accessNumbers.lookup(access))].element.sizeBytes);
  return {target, checkElements(access, target, mask, bytes)};
}

Value KernelLowering::keepTile(Value tile) {
  OpBuilder &b = m_builder;
  auto type = RankedTensorType::get({std::max<int64_t>(lanesOf(tile), 1)},
                                    getElementTypeOrSelf(tile.getType()));
  Value memory = allocate(type).base;
  LLVM::StoreOp::create(b, m_loc, toMemory(b, m_loc, tile), memory,
                        static_cast<unsigned>(memoryBytesOf(type.getElementType())));
  return memory;
}

void KernelLowering::noteOutside(Operation *access, Value addresses, Value outside, int64_t times) {
  OpBuilder &b = m_builder;
  const int64_t lanes = lanesOf(addresses);
  Value any = lanes
                  ? Value(vector::ReductionOp::create(b, m_loc, vector::CombiningKind::OR, outside))
                  : outside;
  auto branch = scf::IfOp::create(b, m_loc, any, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), number = b.getI64Type();
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      b, m_module, StringRef(kNoteOutside), {pointer, number, pointer, pointer, number, number},
      LLVM::LLVMVoidType::get(b.getContext()));
  function->setPassthroughAttr(b.getStrArrayAttr({"cold"}));
  LLVM::CallOp::create(b, m_loc, *function,
                       ValueRange{m_scratch, makeNumber(b, m_loc, m_accessNumbers.lookup(access)),
                                  keepTile(addresses), keepTile(outside),
                                  makeNumber(b, m_loc, std::max<int64_t>(lanes, 1)),
                                  makeNumber(b, m_loc, times)});
}

static AccessedElement elementOf(Operation *access) {
  const AccessKind kind = isa<tt::LoadOp>(access)    ? AccessKind::Load
                          : isa<tt::StoreOp>(access) ? AccessKind::Store
                                                     : AccessKind::Atomic;
  // What is stored, or awaited.
  const bool isOperand = isa<tt::StoreOp, tt::AtomicPollOp>(access);
  Type type = isOperand ? access->getOperand(1).getType() : access->getResult(0).getType();
  return {kind, static_cast<size_t>(memoryBytesOf(elementTypeOf(type)))};
}

void KernelLowering::numberAccesses(tt::FuncOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(op))
      return;
    m_accessNumbers[op] = static_cast<int64_t>(m_accesses.size());
    m_accesses.push_back({elementOf(op), op->getLoc()});
  });
  m_scratchBytes += static_cast<int64_t>(outsideBytes(m_accesses.size()));
}

} // namespace tilescope::cpu
