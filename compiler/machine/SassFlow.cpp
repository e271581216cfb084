// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassFlow.h"

#include <algorithm>

namespace tilescope::compiler::machine {

static constexpr ValueIndex kStackPointer = 1;

/// Whether a branch may also not be taken.
static bool isConditional(const SassInstruction &instruction) {
  if (!instruction.guard.empty() || instruction.has("DIV") || instruction.has("CONV"))
    return true;
  // `BRA.U !UP0, …`, `BRA P1, …`
  const std::string_view operation = instruction.operation;
  if (operation != "BRA" || instruction.operands.size() < 2)
    return false;
  std::string_view condition = instruction.operands.front();
  if (condition.starts_with('!'))
    condition.remove_prefix(1);
  return condition != "PT" && condition != "UPT";
}

static std::vector<uint32_t> nextOf(const SassProgram &program, uint32_t at,
                                    const std::vector<uint32_t> &returns) {
  const SassInstruction &instruction = program.instructions[at];
  const std::string_view operation = instruction.operation;
  std::vector<uint32_t> next;
  const auto goOn = [&] {
    if (at + 1 < program.instructions.size())
      next.push_back(at + 1);
  };
  if (operation == "EXIT" || operation == "KILL") {
    if (isConditional(instruction))
      goOn();
    return next;
  }
  if (operation == "RET") {
    if (isConditional(instruction))
      goOn();
    next.insert(next.end(), returns.begin(), returns.end());
    return next;
  }
  const bool isJump = operation == "BRA" || operation == "BRX" || operation == "JMP" ||
                      operation == "JMX" || operation == "JMXU";
  const bool isCall = operation == "CALL" && !instruction.targets.empty();
  const bool mayJump = isJump || isCall || operation == "WARPSYNC";
  if ((!isJump && !isCall) || isConditional(instruction))
    goOn();
  if (mayJump)
    next.insert(next.end(), instruction.targets.begin(), instruction.targets.end());
  return next;
}

std::vector<LivenessStep> sassSteps(const SassProgram &program) {
  const auto count = static_cast<uint32_t>(program.instructions.size());
  std::vector<uint32_t> returns;
  for (uint32_t i = 0; i + 1 < count; ++i)
    if (program.instructions[i].operation == "CALL")
      returns.push_back(i + 1);
  std::vector<LivenessStep> steps(count);
  for (uint32_t i = 0; i < count; ++i) {
    const RegisterUse use = registersOf(program.instructions[i]);
    steps[i].writes.assign(use.writes.begin(), use.writes.end());
    steps[i].reads.assign(use.reads.begin(), use.reads.end());
    steps[i].isGuarded = use.isGuarded;
    steps[i].next = nextOf(program, i, returns);
    // The stack's pointer is kept to the end, whether or not anything is on the stack.
    if (program.instructions[i].operation == "EXIT")
      steps[i].reads.push_back(kStackPointer);
  }
  return steps;
}

static bool waitsFor(const SassInstruction &instruction, uint8_t barrier) {
  return decodeControl(instruction.word).waitMask >> barrier & 1;
}

static std::vector<uint32_t> findWaiters(const SassProgram &program,
                                         const std::vector<LivenessStep> &steps, uint32_t holder,
                                         uint8_t barrier) {
  const auto next = [&](uint32_t at) -> const std::vector<uint32_t> & { return steps[at].next; };
  return findAlong(steps.size(), next, holder, [&](uint32_t at) -> WalkVisit {
    const bool waits = waitsFor(program.instructions[at], barrier);
    return {waits, !waits};
  });
}

std::vector<BarrierWaits> barrierWaits(const SassProgram &program,
                                       const std::vector<LivenessStep> &steps, uint32_t holder) {
  const SassControl control = decodeControl(program.instructions[holder].word);
  std::vector<BarrierWaits> all;
  const auto add = [&](uint8_t barrier, bool isRead) {
    if (barrier < kNumBarriers)
      all.push_back({holder, barrier, isRead, findWaiters(program, steps, holder, barrier)});
  };
  add(control.writeBarrier, false);
  add(control.readBarrier, true);
  return all;
}

std::vector<uint32_t> barrierHolders(const SassProgram &program,
                                     const std::vector<LivenessStep> &steps, uint32_t waiter,
                                     uint8_t barrier) {
  const std::vector<std::vector<uint32_t>> predecessors = predecessorsOf(steps);
  const auto before = [&](uint32_t at) -> const std::vector<uint32_t> & {
    return predecessors[at];
  };
  return findAlong(steps.size(), before, waiter, [&](uint32_t at) -> WalkVisit {
    const SassControl control = decodeControl(program.instructions[at].word);
    // Who has waited has seen to what came before.
    return {control.writeBarrier == barrier || control.readBarrier == barrier,
            !waitsFor(program.instructions[at], barrier)};
  });
}

} // namespace tilescope::compiler::machine
