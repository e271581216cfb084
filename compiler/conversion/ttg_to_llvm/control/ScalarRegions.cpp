// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of scalars that are applied to many elements: what their loops and branches become in
// the combining functions of reductions and scans, which must stay one block; and elementwise maps,
// a copy of the function per pack of registers.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

/// A new block before `next` that takes values of these types.
static Block *blockBefore(Lowering &lowering, Block *next, TypeRange types) {
  Block *block = lowering.b.createBlock(next);
  for (Type type : types)
    block->addArgument(lowering.elementType(type), lowering.b.getLoc());
  return block;
}

/// Cuts the block at the insertion point; what follows takes values of these types. The insertion
/// point stays at the end of the first part.
static Block *cutHere(Lowering &lowering, TypeRange types) {
  Builder &b = lowering.b;
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  for (Type type : types)
    after->addArgument(lowering.elementType(type), b.getLoc());
  b.setInsertionPointToEnd(before);
  return after;
}

static void continueAt(Lowering &lowering, Block *after, ResultRange results) {
  lowering.b.setInsertionPointToStart(after);
  for (auto [result, value] : llvm::zip(results, after->getArguments()))
    lowering.set(result, {value});
}

static Values scalars(Lowering &lowering, ValueRange values) {
  Values result;
  for (Value value : values)
    result.push_back(lowering.scalar(value));
  return result;
}

static LogicalResult lowerIf(scf::IfOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Block *after = cutHere(lowering, op.getResultTypes());
  Block *before = b.getInsertionBlock();
  auto branch = [&](Region &region) -> FailureOr<Block *> {
    Block *inside = b.createBlock(after);
    FailureOr<Values> results = lowering.inlineRegion(region, {});
    if (failed(results))
      return failure();
    LLVM::BrOp::create(b, *results, after);
    return inside;
  };
  FailureOr<Block *> yes = branch(op.getThenRegion());
  FailureOr<Block *> no =
      op.getElseRegion().empty() ? FailureOr<Block *>(after) : branch(op.getElseRegion());
  if (failed(yes) || failed(no))
    return failure();
  b.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(b, lowering.scalar(op.getCondition()), *yes, *no);
  continueAt(lowering, after, op.getResults());
  return success();
}

static LogicalResult lowerFor(scf::ForOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Block *after = cutHere(lowering, op.getResultTypes());
  Block *header = blockBefore(lowering, after, op.getBody()->getArgumentTypes());
  Block *body = b.createBlock(after);
  Values first = {lowering.scalar(op.getLowerBound())};
  llvm::append_range(first, scalars(lowering, op.getInitArgs()));
  b.setInsertionPointToEnd(header->getPrevNode());
  LLVM::BrOp::create(b, first, header);
  b.setInsertionPointToEnd(header);
  Value counter = header->getArgument(0);
  auto below = op.getUnsignedCmp() ? LLVM::ICmpPredicate::ult : LLVM::ICmpPredicate::slt;
  Value more = LLVM::ICmpOp::create(b, below, counter, lowering.scalar(op.getUpperBound()));
  ValueRange carried = header->getArguments().drop_front();
  LLVM::CondBrOp::create(b, more, body, ValueRange(), after, carried);
  b.setInsertionPointToEnd(body);
  FailureOr<Values> results = lowering.inlineRegion(op.getRegion(), header->getArguments());
  if (failed(results))
    return failure();
  Values next = {LLVM::AddOp::create(b, counter, lowering.scalar(op.getStep()))};
  llvm::append_range(next, *results);
  LLVM::BrOp::create(b, next, header);
  continueAt(lowering, after, op.getResults());
  return success();
}

static LogicalResult lowerWhile(scf::WhileOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Block *after = cutHere(lowering, op.getResultTypes());
  Block *header = blockBefore(lowering, after, op.getBefore().getArgumentTypes());
  Block *body = b.createBlock(after);
  b.setInsertionPointToEnd(header->getPrevNode());
  LLVM::BrOp::create(b, scalars(lowering, op.getInits()), header);
  b.setInsertionPointToEnd(header);
  // The condition, then the values passed on.
  FailureOr<Values> condition = lowering.inlineRegion(op.getBefore(), header->getArguments());
  if (failed(condition))
    return failure();
  Values handedOn(llvm::drop_begin(*condition));
  LLVM::CondBrOp::create(b, condition->front(), body, ValueRange(), after, handedOn);
  b.setInsertionPointToEnd(body);
  FailureOr<Values> next = lowering.inlineRegion(op.getAfter(), handedOn);
  if (failed(next))
    return failure();
  LLVM::BrOp::create(b, *next, header);
  continueAt(lowering, after, op.getResults());
  return success();
}

static LogicalResult lowerMapElementwise(tt::MapElementwiseOp op, Lowering &lowering) {
  int pack = op.getPack();
  int count = lowering.numRegisters(op->getResult(0).getType());
  if (count % pack != 0)
    return op.emitError("the elements of a pack lie in several threads");
  SmallVector<Values> results(op->getNumResults());
  for (int first = 0; first < count; first += pack) {
    Values arguments;
    for (Value source : op.getSrcs())
      llvm::append_range(arguments, ArrayRef(lowering.values(source)).slice(first, pack));
    FailureOr<Values> returned = lowering.inlineRegion(op.getScalarOp(), arguments);
    if (failed(returned))
      return failure();
    for (auto [index, value] : llvm::enumerate(*returned))
      results[index / pack].push_back(value);
  }
  for (auto [result, values] : llvm::zip(op->getResults(), results))
    lowering.set(result, std::move(values));
  return success();
}

void addScalarRegionLowerings(LoweringTable &table) {
  table.add<scf::IfOp>(lowerIf);
  table.add<scf::ForOp>(lowerFor);
  table.add<scf::WhileOp>(lowerWhile);
  table.add<tt::MapElementwiseOp>(lowerMapElementwise);
}

} // namespace tilescope::compiler
