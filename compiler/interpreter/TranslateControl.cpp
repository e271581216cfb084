// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Control flow as jumps. A loop
//
//   %r = scf.for %i = %lb to %ub step %s iter_args(%a = %init) { …; scf.yield %b }
//
// becomes: i = lb; a = init; test: if i >= ub jump end; …; a = b; i = i + s; jump test; end:
// The results of the loop are its iteration arguments.
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// A value that nothing else reads and that is computed again before the next copy: its memory may
/// be taken, unless a user may want to see it.
bool Translator::canMove(Operation *op, Value value) const {
  Operation *definition = value.getDefiningOp();
  return !notes() && definition && value.hasOneUse() && definition->getBlock() == op->getBlock() &&
         !definition->hasTrait<OpTrait::ConstantLike>() && definition->getNumRegions() == 0;
}

void Translator::emitCopies(Operation *op, ValueRange allFrom, ArrayRef<uint32_t> allTo) {
  SmallVector<Value> from;
  SmallVector<uint32_t> to;
  for (auto [value, target] : llvm::zip(allFrom, allTo))
    if (isComputed(value)) {
      from.push_back(value);
      to.push_back(target);
    }
  std::vector<uint32_t> sources = valuesOf(from);
  auto copy = [&](uint32_t source, uint32_t target, bool move) {
    Instruction &instruction = emit(op, move ? runMove : runCopy, {});
    instruction.in = {source};
    instruction.out = target;
    instruction.numOut = 1;
  };
  // A source that is itself a target is saved first.
  std::vector<bool> isSaved(sources.size(), false);
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i] != to[i] && llvm::is_contained(to, sources[i])) {
      uint32_t saved = newValue(from[i].getType(), op->getLoc());
      copy(sources[i], saved, false);
      sources[i] = saved;
      isSaved[i] = true;
    }
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i] != to[i])
      copy(sources[i], to[i], isSaved[i] || canMove(op, from[i]));
}

void Translator::translateBody(Region &region) {
  for (Operation &op : region.front().without_terminator())
    translate(&op);
}

void Translator::translateFor(scf::ForOp loop) {
  Operation *op = loop;
  std::vector<uint32_t> carried = valuesOf(loop.getRegionIterArgs());
  uint32_t index = valueOf(loop.getInductionVar());
  for (auto [result, id] : llvm::zip(loop.getResults(), carried))
    m_values[result] = id;
  emitCopies(op, loop.getInitArgs(), carried);
  emitCopies(op, loop.getLowerBound(), {index});
  uint32_t test = here();
  uint32_t exit = emitJump(op, runLoopTest, {index, valueOf(loop.getUpperBound())});
  m_program->code[exit].number[0] = loop.getUnsignedCmp();
  translateBody(loop.getRegion());
  Operation *yield = loop.getBody()->getTerminator();
  emitCopies(yield, yield->getOperands(), carried);
  Instruction &step = emit(op, runElementwise, {});
  step.in = {index, valueOf(loop.getStep())};
  step.out = index;
  step.numOut = 1;
  step.function = reinterpret_cast<Instruction::Function>(
      findElementwise("arith.addi", *getElement(loop.getInductionVar().getType())));
  uint32_t back = emitJump(op, runJump);
  m_program->code[back].target = test;
  land(exit);
}

void Translator::translateWhile(scf::WhileOp loop) {
  Operation *op = loop;
  std::vector<uint32_t> before = valuesOf(loop.getBeforeArguments()),
                        after = valuesOf(loop.getAfterArguments());
  for (auto [result, id] : llvm::zip(loop.getResults(), after))
    m_values[result] = id;
  emitCopies(op, loop.getInits(), before);
  uint32_t test = here();
  translateBody(loop.getBefore());
  scf::ConditionOp condition = loop.getConditionOp();
  emitCopies(condition, condition.getArgs(), after);
  uint32_t exit = emitJump(condition, runJumpUnless, {valueOf(condition.getCondition())});
  translateBody(loop.getAfter());
  scf::YieldOp yield = loop.getYieldOp();
  emitCopies(yield, yield.getOperands(), before);
  uint32_t back = emitJump(op, runJump);
  m_program->code[back].target = test;
  land(exit);
}

void Translator::translateIf(scf::IfOp op) {
  std::vector<uint32_t> results = valuesOf(op.getResults());
  uint32_t toElse = emitJump(op, runJumpUnless, {valueOf(op.getCondition())});
  auto branch = [&](Region &region) {
    translateBody(region);
    Operation *yield = region.front().getTerminator();
    emitCopies(yield, yield->getOperands(), results);
  };
  branch(op.getThenRegion());
  if (op.getElseRegion().empty()) {
    land(toElse);
    return;
  }
  uint32_t toEnd = emitJump(op, runJump);
  land(toElse);
  branch(op.getElseRegion());
  land(toEnd);
}

bool Translator::translateStructuredControl(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    translateFor(loop);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    translateWhile(loop);
  else if (auto conditional = dyn_cast<scf::IfOp>(op))
    translateIf(conditional);
  else
    return false;
  return true;
}

// Unstructured
// ---------------------------------------------------------------------------------------

void Translator::translateBlocks(Region &region) {
  size_t firstJump = m_jumpsToBlocks.size();
  for (Block &block : region) {
    if (!block.isEntryBlock() && block.hasNoPredecessors())
      continue;
    for (Value argument : block.getArguments())
      valueOf(argument);
    m_blocks[&block] = here();
    for (Operation &op : block)
      translate(&op);
  }
  for (size_t i = firstJump; i < m_jumpsToBlocks.size(); ++i)
    m_program->code[m_jumpsToBlocks[i].first].target = m_blocks.lookup(m_jumpsToBlocks[i].second);
  m_jumpsToBlocks.resize(firstJump);
}

bool Translator::translateBranch(Operation *op) {
  auto jumpTo = [&](Block *block, ValueRange operands) {
    emitCopies(op, operands, valuesOf(block->getArguments()));
    m_jumpsToBlocks.emplace_back(emitJump(op, runJump), block);
  };
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    jumpTo(branch.getDest(), branch.getDestOperands());
    return true;
  }
  if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    uint32_t toFalse = emitJump(op, runJumpUnless, {valueOf(branch.getCondition())});
    jumpTo(branch.getTrueDest(), branch.getTrueDestOperands());
    land(toFalse);
    jumpTo(branch.getFalseDest(), branch.getFalseDestOperands());
    return true;
  }
  if (isa<tt::ReturnOp, tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp>(op)) {
    if (!m_returns) {
      emit(op, runReturn, {});
      return true;
    }
    emitCopies(op, op->getOperands(), m_returns->results);
    // The last return falls through to what follows.
    bool isLast = op->getBlock() == &op->getBlock()->getParent()->back();
    if (!isLast)
      m_returns->jumps.push_back(emitJump(op, runJump));
    return true;
  }
  return false;
}

bool Translator::translateCall(Operation *op) {
  auto call = dyn_cast<tt::CallOp>(op);
  if (!call)
    return false;
  auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(op, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return fail(op, "`" + call.getCallee().str() + "` has no body");
  if (!m_activeCallees.insert(callee).second)
    return fail(op, "`" + call.getCallee().str() + "` calls itself");
  Returns returns{valuesOf(op->getResults()), {}};
  Returns *outer = std::exchange(m_returns, &returns);
  emitCopies(op, op->getOperands(), valuesOf(callee.getArguments()));
  const int32_t outerCall = m_context.call;
  if (TranslationNotes *noted = notes()) {
    m_context.call = static_cast<int32_t>(noted->calls.size());
    noted->calls.push_back({op, outerCall});
  }
  translateBlocks(callee.getBody());
  m_context.call = outerCall;
  for (uint32_t jump : returns.jumps)
    land(jump);
  m_returns = outer;
  m_activeCallees.erase(callee);
  return true;
}

// Regions
// --------------------------------------------------------------------------------------------

void Translator::translateCombineRegion(Operation *op, Region &region, Instruction::Run run,
                                        std::array<int64_t, 4> numbers) {
  Translator inner(m_context, this);
  inner.m_region = &region;
  inner.m_activeCallees = m_activeCallees;
  inner.m_program->arguments = inner.valuesOf(region.getArguments());
  Returns returns;
  for (Block &block : region)
    if (block.getNumSuccessors() == 0 && (block.isEntryBlock() || !block.hasNoPredecessors())) {
      for (Type type : block.getTerminator()->getOperandTypes())
        returns.results.push_back(inner.newValue(type, op->getLoc()));
      break;
    }
  inner.m_returns = &returns;
  inner.translateBlocks(region);
  for (uint32_t jump : returns.jumps)
    inner.land(jump);
  inner.m_program->results = returns.results;
  Instruction &instruction = emitWithResult(op, run, op->getOperands());
  instruction.number = numbers;
  instruction.region = inner.m_program;
}

/// Combinations that do not care about order and exist as one function.
static ElementwiseFunction getSimpleCombination(tt::ReduceOp reduce) {
  Operation *combiner = reduce.getSingleCombiner();
  if (!combiner ||
      !isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
           arith::MinNumFOp, arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
           arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return nullptr;
  return findElementwise(combiner->getName().getStringRef().str(),
                         *getElement(combiner->getResult(0).getType()));
}

bool Translator::translateRegionOp(Operation *op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    int64_t axis = reduce.getAxis();
    if (ElementwiseFunction function = getSimpleCombination(reduce)) {
      Instruction &instruction = emitWithResult(op, runSimpleReduce, op->getOperands());
      instruction.number[0] = axis;
      instruction.function = reinterpret_cast<Instruction::Function>(function);
      return true;
    }
    translateCombineRegion(op, reduce.getCombineOp(), runReduce, {axis});
    return true;
  }
  if (auto scan = dyn_cast<tt::ScanOp>(op)) {
    translateCombineRegion(op, scan.getCombineOp(), runScan, {scan.getAxis(), scan.getReverse()});
    return true;
  }
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op)) {
    translateCombineRegion(op, map.getScalarOp(), runMap,
                           {map.getPack(), static_cast<int64_t>(map.getSrcs().size())});
    return true;
  }
  return false;
}

} // namespace tilescope::compiler::interpreter
