// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/ControlWords.h"

#include <array>
#include <cstdio>

namespace tilescope::compiler::machine {

using Field = ControlColumn::Field;

std::string instructionTitle(const SassInstruction &instruction) {
  std::array<char, 16> address;
  std::snprintf(address.data(), address.size(), "/*%04x*/ ", instruction.address);
  std::string title = address.data() + std::string(instruction.operation);
  for (const std::string_view modifier : instruction.modifiers)
    title.append(".").append(modifier);
  return title;
}

static std::string number(int value) { return std::to_string(value); }

/// Names the first few.
static std::string listOf(const SassProgram &program, const std::vector<uint32_t> &indices) {
  constexpr size_t kMost = 3;
  std::string text;
  for (size_t i = 0; i < indices.size() && i < kMost; ++i)
    text += (i > 0 ? ", " : "") + instructionTitle(program.instructions[indices[i]]);
  if (indices.size() > kMost)
    text += " and " + number(static_cast<int>(indices.size() - kMost)) + " more";
  return text;
}

static std::string waitSentence(const SassProgram &program, const std::vector<LivenessStep> &steps,
                                uint32_t at, const SassControl &control) {
  std::string text;
  for (uint8_t barrier = 0; barrier < kNumBarriers; ++barrier) {
    if (!(control.waitMask >> barrier & 1))
      continue;
    const std::vector<uint32_t> holders = barrierHolders(program, steps, at, barrier);
    text += (text.empty() ? "Waits for barrier " : "; for barrier ") + number(barrier);
    text += holders.empty() ? ", which nothing before it holds"
                            : ", held by " + listOf(program, holders);
  }
  return text.empty() ? "Waits for no barrier." : text + ".";
}

static std::string holdSentence(const SassProgram &program, const std::vector<LivenessStep> &steps,
                                uint32_t at, bool isRead) {
  for (const BarrierWaits &waits : barrierWaits(program, steps, at)) {
    if (waits.isRead != isRead)
      continue;
    const std::string until =
        isRead ? "until its operands are read" : "until its results are there";
    return "Holds barrier " + number(waits.barrier) + " " + until +
           (waits.waiters.empty() ? "; nothing waits for it."
                                  : "; " + listOf(program, waits.waiters) + " waits for it.");
  }
  return isRead ? "Holds no barrier while it reads its operands."
                : "Holds no barrier while it writes its results.";
}

static std::string reuseSentence(const SassControl &control) {
  std::string operands;
  for (int operand = 0; operand < 4; ++operand)
    if (control.reuse >> operand & 1)
      operands += (operands.empty() ? "" : ", ") + std::string(1, static_cast<char>('a' + operand));
  return operands.empty()
             ? "Keeps no operand for the next instruction."
             : "Keeps the register of operand " + operands +
                   " beside the arithmetic unit, so that the next instruction need not read it.";
}

std::string fieldSentence(const SassProgram &program, const std::vector<LivenessStep> &steps,
                          uint32_t instruction, Field field) {
  const SassControl control = decodeControl(program.instructions[instruction].word);
  switch (field) {
  case Field::Wait:
    return waitSentence(program, steps, instruction, control);
  case Field::Read:
    return holdSentence(program, steps, instruction, true);
  case Field::Write:
    return holdSentence(program, steps, instruction, false);
  case Field::Yield:
    return control.yields ? "Yields: the scheduler prefers another warp for the next cycle."
                          : "Does not yield: the same warp may go on.";
  case Field::Stall:
    return control.stall == 1 ? "The warp may issue its next instruction in the next cycle."
                              : "The warp issues its next instruction after " +
                                    number(control.stall) + " cycles at the earliest.";
  case Field::Reuse:
    break;
  }
  return reuseSentence(control);
}

std::vector<std::string> controlSentences(const SassProgram &program,
                                          const std::vector<LivenessStep> &steps,
                                          uint32_t instruction) {
  const SassInstruction &each = program.instructions[instruction];
  const SassControl control = decodeControl(each.word);
  std::vector<std::string> sentences;
  if (!each.guard.empty()) {
    const bool isNegated = each.guard.starts_with('!');
    sentences.push_back("Executed only by threads for which " +
                        std::string(each.guard.substr(isNegated ? 1 : 0)) + " is " +
                        (isNegated ? "false." : "true."));
  }
  const auto add = [&](Field field) {
    sentences.push_back(fieldSentence(program, steps, instruction, field));
  };
  if (control.waitMask != 0)
    add(Field::Wait);
  if (control.writeBarrier != SassControl::kNone)
    add(Field::Write);
  if (control.readBarrier != SassControl::kNone)
    add(Field::Read);
  add(Field::Stall);
  if (control.yields)
    add(Field::Yield);
  if (control.reuse != 0)
    add(Field::Reuse);
  return sentences;
}

} // namespace tilescope::compiler::machine
