// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How a warp records. Its part of the profile scratch is a header and a ring of records:
//
//     header: "TRC1", multiprocessor | time, clock at the start | time, clock at the end | records
//     record: clock, scope that ended << 16 | scope that began
//
// The state of a writer is a condition that holds in the first lane of warps that record, the
// address of their part, and a local variable with the bytes that were written so far; LLVM makes a
// register of it. A mark is one block of text: nothing of it is behind a branch, which would end the
// basic block within which LLVM and the assembler schedule.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"
#include "compiler/conversion/ttg_to_llvm/ptx/Clock.h"
#include "compiler/conversion/ttg_to_llvm/trace/Records.h"
#include "compiler/dialects/trace/ir/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <array>

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// The values of a `!trace.writer`.
struct Writer {
  Value records, base, written;
  int64_t mask = 0;

  static Writer of(Value writer, Lowering &lowering) {
    const Values &values = lowering.values(writer);
    return {values[0], values[1], values[2],
            int64_t(writer.getDefiningOp<trace::OpenOp>().getRecords()) * kTraceRecordBytes - 1};
  }
};
} // namespace

/// The position of `value` in `list`, or -1.
template <typename Number> static Value positionIn(Builder &b, ArrayRef<Number> list, Value value) {
  Value position = i32Constant(b, -1);
  for (auto [index, number] : llvm::enumerate(list)) {
    Value isIt = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, value,
                                      intConstant(b, value.getType(), number));
    position = LLVM::SelectOp::create(b, isIt, i32Constant(b, index), position);
  }
  return position;
}

/// x fastest.
static Value linearProgram(Lowering &lowering) {
  Builder &b = lowering.b;
  Value program;
  for (int axis = 2; axis >= 0; --axis) {
    Value id = LLVM::ZExtOp::create(b, b.getI64Type(), lowering.programId(axis));
    if (program)
      id = LLVM::AddOp::create(
          b, id,
          LLVM::MulOp::create(b, program,
                              LLVM::ZExtOp::create(b, b.getI64Type(), lowering.numPrograms(axis))));
    program = id;
  }
  return program;
}

static Value isAtLeastZero(Builder &b, Value number) {
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sge, number, i32Constant(b, 0));
}

/// A local variable; those in a function's first block become registers.
static Value localVariable(Lowering &lowering) {
  Builder &b = lowering.b;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&lowering.function().getBody().front());
  return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI32Type(),
                                i32Constant(b, 1));
}

static LogicalResult lowerOpen(trace::OpenOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Value thread = callIntrinsic(b, "llvm.nvvm.read.ptx.sreg.tid.x", b.getI32Type(), {});
  Value lane = LLVM::AndOp::create(b, thread, i32Constant(b, 31));
  Value warp = LLVM::LShrOp::create(b, thread, i32Constant(b, 5));
  if (lowering.numCtas() > 1)
    warp = LLVM::AddOp::create(
        b, warp,
        LLVM::MulOp::create(b, lowering.blockRank(),
                            i32Constant(b, totalWarps(lowering.module().module))));
  Value program = positionIn(b, op.getPrograms(), linearProgram(lowering));
  Value position = positionIn(b, op.getWarps(), warp);
  Value scratch = lowering.profileScratch();
  Value records = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lane, i32Constant(b, 0));
  Value isThere =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, scratch, zeroOf(b, scratch.getType()));
  for (Value also : {isAtLeastZero(b, program), isAtLeastZero(b, position), isThere})
    records = LLVM::AndOp::create(b, records, also);
  Value part = LLVM::AddOp::create(
      b, LLVM::MulOp::create(b, program, i32Constant(b, op.getWarps().size())), position);
  Value bytes = LLVM::MulOp::create(
      b, LLVM::SExtOp::create(b, b.getI64Type(), part),
      i64Constant(b, kTraceHeaderBytes + int64_t(op.getRecords()) * kTraceRecordBytes));
  Value base = advanceBytes(b, scratch, bytes);
  Value written = localVariable(lowering);
  LLVM::StoreOp::create(b, i32Constant(b, 0), written);
  lowering.emitIf(records, [&] {
    if (!op.getResumes())
      return ptx::stTraceStart(b, base);
    Value magic = LLVM::LoadOp::create(b, b.getI32Type(), advanceBytes(b, base, kTraceMagicAt));
    Value before = LLVM::LoadOp::create(b, b.getI32Type(), advanceBytes(b, base, kTraceCountAt));
    LLVM::StoreOp::create(b, LLVM::MulOp::create(b, before, i32Constant(b, kTraceRecordBytes)),
                          written);
    Value isFirst =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, magic, i32Constant(b, kTraceMagic));
    lowering.emitIf(isFirst, [&] { ptx::stTraceStart(b, base); });
  });
  lowering.set(op, {records, base, written});
  return success();
}

/// A register as a word; of a wide one, the lower half, which is there when all of it is.
static Value toWord(Builder &b, Value value) {
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(b, b.getI32Type(), value);
  const unsigned bits = value.getType().getIntOrFloatBitWidth();
  Value word = bitcast(b, value, b.getIntegerType(bits));
  if (bits > 32)
    return LLVM::TruncOp::create(b, b.getI32Type(), word);
  return bits < 32 ? LLVM::ZExtOp::create(b, b.getI32Type(), word) : word;
}

/// The first register of a value, the one in the middle and the last: loads of some may be masked
/// off in the lane that records.
static SmallVector<Value> awaitedWords(Builder &b, const Values &values) {
  SmallVector<Value> words;
  llvm::SmallSetVector<size_t, 3> chosen;
  if (!values.empty())
    chosen.insert_range(std::array{size_t(0), values.size() / 2, values.size() - 1});
  for (size_t index : chosen)
    words.push_back(toWord(b, values[index]));
  return words;
}

static LogicalResult lowerMark(trace::MarkOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  const Writer writer = Writer::of(op.getWriter(), lowering);
  Value written = LLVM::LoadOp::create(b, b.getI32Type(), writer.written);
  Value place = LLVM::AndOp::create(b, written, i32Constant(b, writer.mask));
  Value address = advanceBytes(b, writer.base, LLVM::ZExtOp::create(b, b.getI64Type(), place));
  const int64_t scopes = int64_t(op.getEnds().value_or(0)) << 16 | op.getBegins().value_or(0);
  SmallVector<Value> awaited;
  if (op.getAwaited())
    awaited = awaitedWords(b, lowering.values(op.getAwaited()));
  ptx::stClock(b, {writer.records, writer.base, address, i32Constant(b, scopes), awaited});
  LLVM::StoreOp::create(b, LLVM::AddOp::create(b, written, i32Constant(b, kTraceRecordBytes)),
                        writer.written);
  return success();
}

static LogicalResult lowerClose(trace::CloseOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  const Writer writer = Writer::of(op.getWriter(), lowering);
  Value written = LLVM::LoadOp::create(b, b.getI32Type(), writer.written);
  Value count = LLVM::UDivOp::create(b, written, i32Constant(b, kTraceRecordBytes));
  lowering.emitIf(writer.records, [&] { ptx::stTraceEnd(b, writer.base, count); });
  return success();
}

void addTraceLowerings(LoweringTable &table) {
  table.add<trace::OpenOp>(lowerOpen);
  table.add<trace::MarkOp>(lowerMark);
  table.add<trace::CloseOp>(lowerClose);
}

} // namespace tilescope::compiler
