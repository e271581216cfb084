// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/NextProgram.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

/// Of all loads of a program together: what is fetched stays in a processor's second cache beside what it works on.
static constexpr int64_t kMostBytes = int64_t(256) << 10;
static constexpr int64_t kLineBytes = 64;
/// Of one load: as much as memory delivers while it answers, at the least.
static constexpr int64_t kFewestBytes = 4096;

/// Whether it is an operation on scalars that can be executed for the index of another program.
static bool isOfNextProgram(Operation *op) {
  return isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, arith::ConstantOp>(op) ||
         (isElementwise(op) && !isa<RankedTensorType>(op->getResult(0).getType()));
}

namespace {
/// What a value is computed from.
class Origins {
public:
  explicit Origins(const Plan &plan) : m_plan(plan) {}

  bool isKnown = true, isOfProgram = false;

  void add(Value value) {
    Operation *op = value.getDefiningOp();
    if (!m_seen.insert(value).second || (!op && isArgument(value)))
      return;
    if (!op || op->getNumRegions() != 0 || isa<tt::LoadOp>(op) || m_plan.of(value) != Keep::Never) {
      isKnown = false;
      return;
    }
    if (isa<tt::GetProgramIdOp>(op))
      isOfProgram = true;
    else
      isKnown &= isDeferred(op) || isOfNextProgram(op);
    for (Value operand : op->getOperands())
      add(operand);
  }

private:
  static bool isArgument(Value value) {
    return isa<tt::FuncOp>(value.getParentBlock()->getParentOp());
  }

  const Plan &m_plan;
  llvm::DenseSet<Value> m_seen;
};
} // namespace

/// What a program loads by it.
static int64_t bytesOf(tt::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return type.getNumElements() * memoryBytesOf(elementTypeOf(type));
}

void NextProgram::foresee(tt::FuncOp kernel, const Plan &plan) {
  int64_t bytes = 0;
  for (auto load : kernel.getBody().front().getOps<tt::LoadOp>()) {
    auto type = dyn_cast<RankedTensorType>(load.getType());
    if (!type || load.getIsVolatile())
      continue;
    Origins origins(plan);
    origins.add(load.getPtr());
    if (!origins.isKnown || !origins.isOfProgram)
      continue;
    bytes += bytesOf(load);
    m_loads.insert(load);
    if (plan.isComputedOnce(load.getResult()))
      m_loadedOnce.insert(load);
  }
  if (bytes > kMostBytes)
    m_loads.clear();
  for (auto store : kernel.getBody().front().getOps<tt::StoreOp>()) {
    auto type = dyn_cast<RankedTensorType>(store.getPtr().getType());
    Origins origins(plan);
    origins.add(store.getPtr());
    if (type && origins.isKnown && origins.isOfProgram &&
        type.getNumElements() * kMarkBytes <= kMostBytes)
      m_stores.insert(store);
  }
}

bool NextProgram::isFetchedBy(tt::LoadOp load) {
  if (!m_loads.contains(load))
    return false;
  if (m_firstSinks.try_emplace(load, m_sink).first->second == m_sink)
    return m_loadedOnce.contains(load);
  return m_fetchingSinks.try_emplace(load, m_sink).first->second == m_sink;
}

/// The next program's index: x first, as programs are executed.
void KernelLowering::lowerNextProgram() {
  Value carry = arith::ConstantIntOp::create(m_builder, m_loc, 1, 32);
  Value zero = arith::ConstantIntOp::create(m_builder, m_loc, 0, 32);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value next = arith::AddIOp::create(m_builder, m_loc, launchWord(axis), carry);
    Value isBehind = arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::eq, next,
                                           launchWord(3 + axis));
    m_next.ids[axis] = arith::SelectOp::create(m_builder, m_loc, isBehind, zero, next);
    carry = arith::ExtUIOp::create(m_builder, m_loc, m_builder.getI32Type(), isBehind);
  }
}

void KernelLowering::lowerScalarOfNext(Operation *op) {
  if (!m_next.isForeseen() || !isOfNextProgram(op) || !isa<tt::FuncOp>(op->getParentOp()))
    return;
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
    return m_next.scalars.map(op->getResult(0), m_next.ids[static_cast<unsigned>(id.getAxis())]);
  if (llvm::none_of(op->getOperands(),
                    [&](Value operand) { return m_next.scalars.contains(operand); }))
    return;
  m_next.isMeant = true;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scalar(operand));
  m_next.isMeant = false;
  m_next.scalars.map(op->getResult(0), emitOnTiles(op, operands));
}

/// The first lane's pointer in a program that comes soon: the next one, or a later one where each has few bytes.
Value KernelLowering::firstOfNext(Value pointers, const Place &place, int64_t bytes) {
  OpBuilder &b = m_builder;
  m_next.isMeant = true;
  Nest::Known known = m_nest->exchangeKnown({});
  Value pointer = at(pointers, place.firstLane());
  m_nest->exchangeKnown(std::move(known));
  m_next.isMeant = false;
  const auto numPrograms = static_cast<int64_t>(llvm::divideCeil(kFewestBytes, bytes));
  if (numPrograms <= 1)
    return pointer;
  Value here = at(pointers, place.firstLane());
  Type word = b.getI64Type();
  Value step = arith::SubIOp::create(b, m_loc, LLVM::PtrToIntOp::create(b, m_loc, word, pointer),
                                     LLVM::PtrToIntOp::create(b, m_loc, word, here));
  Value steps = arith::MulIOp::create(b, m_loc, step,
                                      arith::ConstantIntOp::create(b, m_loc, numPrograms, 64));
  return elementAddress(b, m_loc, here, steps, b.getI8Type());
}

void fetchLines(OpBuilder &b, Location loc, Value pointer, int64_t bytes) {
  for (int64_t offset = 0; offset < bytes; offset += kLineBytes) {
    Value line = LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    LLVM::Prefetch::create(b, loc, line, /*rw=*/0, /*hint=*/2, /*cache=*/1);
  }
}

void KernelLowering::fetchForNext(tt::LoadOp load, const Place &place, int64_t bytes,
                                  Value distance) {
  if (!m_next.isFetchedBy(load))
    return;
  Value pointer = firstOfNext(load.getPtr(), place, bytesOf(load));
  if (distance)
    pointer = elementAddress(m_builder, m_loc, pointer, distance, m_builder.getI8Type());
  fetchLines(m_builder, m_loc, pointer, bytes);
}

} // namespace tilescope::cpu
