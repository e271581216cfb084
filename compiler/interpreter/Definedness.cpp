// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Definedness.h"

#include "compiler/interpreter/MemoryPlan.h"
#include "compiler/interpreter/Operations.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

bool leavesUndefined(const Instruction &op) {
  return op.run == runLoad && op.in[2] != kNoValue && op.in[3] == kNoValue;
}

static bool isAnyOf(Instruction::Run run, std::initializer_list<Instruction::Run> list) {
  return std::find(list.begin(), list.end(), run) != list.end();
}

static bool isSelect(const Instruction &op, const Program &program) {
  return op.run == runElementwise && op.in.size() == 3 &&
         program.values[op.in[0]].element == Element::I1;
}

/// The function that tracks an instruction. Instructions that only move elements also move truth
/// values.
static Instruction::Run getTracker(const Instruction &op, const Program &program) {
  Instruction::Run run = op.run;
  if (isAnyOf(run, {runSplat, runUnsplat, runExpandDims, runBroadcast, runReshape, runTrans,
                    runJoin, runSplit, runCat, runCopy, runMove}))
    return run;
  if (isAnyOf(run, {runMakeRange, runConstant, runProgramId, runNumPrograms}))
    return trackDefined;
  if (isAnyOf(run, {runReduce, runSimpleReduce}))
    return trackReduce;
  if (isAnyOf(run, {runAtomicRmw, runAtomicCas, runAtomicPoll}))
    return trackAtomic;
  if (isAnyOf(run, {runDot, runDotScaled}))
    return trackDot;
  if (isAnyOf(run, {runJumpUnless, runLoopTest}))
    return trackCondition;
  if (run == runHistogram)
    return trackHistogram;
  if (run == runLoad)
    return trackLoad;
  if (run == runStore)
    return trackStore;
  if (run == runScan)
    return trackScan;
  if (run == runGather)
    return trackGather;
  if (run == runAnd)
    return trackAnd;
  if (isSelect(op, program))
    return trackSelect;
  return op.numOut == 0 ? trackNothing : trackAll;
}

std::shared_ptr<Program> trackDefinedness(const Program &program, bool isOutsideUndefined) {
  if (!isOutsideUndefined &&
      std::none_of(program.code.begin(), program.code.end(), leavesUndefined))
    return nullptr;
  auto twin = std::make_shared<Program>();
  twin->values = program.values;
  for (ValueInfo &info : twin->values)
    info.element = Element::I1;
  for (const Instruction &op : program.code) {
    Instruction &tracker = twin->code.emplace_back();
    tracker.run = getTracker(op, program);
    tracker.in = op.in;
    tracker.out = op.out;
    tracker.numOut = op.numOut;
    tracker.number = op.number;
    tracker.numbers = op.numbers;
    tracker.location = op.location;
    if (op.run == runAtomicRmw)
      tracker.number[3] = 1;
    if (op.run == runAtomicCas)
      tracker.number[3] = 2;
  }
  planMemory(*twin, program);
  return twin;
}

} // namespace tilescope::compiler::interpreter
