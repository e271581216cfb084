// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/PrintText.h"

#include <utility>
#include <vector>

namespace tilescope::compiler::interpreter {

void runJump(const Instruction &op, Frame &frame) { frame.jump(op.target); }

void runJumpUnless(const Instruction &op, Frame &frame) {
  if (!frame.scalar<uint8_t>(op.in[0]))
    frame.jump(op.target);
}

void runReturn(const Instruction &, Frame &frame) { frame.stop(); }

void runLoopTest(const Instruction &op, Frame &frame) {
  Element element = frame.info(op.in[0]).element;
  int64_t index = loadInteger(frame.value(op.in[0]).scalar.data(), element);
  int64_t bound = loadInteger(frame.value(op.in[1]).scalar.data(), element);
  bool goesOn =
      op.number[0] ? static_cast<uint64_t>(index) < static_cast<uint64_t>(bound) : index < bound;
  if (!goesOn)
    frame.jump(op.target);
}

/// Everything but the elements themselves.
static void copyForm(const Slot &from, Slot &to) {
  std::byte *data = to.data;
  to = from;
  to.data = data;
  to.isMaterialized = false;
}

void runCopy(const Instruction &op, Frame &frame) {
  const Slot &from = frame.value(op.in[0]);
  Slot &to = frame.value(op.out);
  copyForm(from, to);
  if (from.form == Form::Dense)
    std::memcpy(to.data, from.data, frame.count(op.out) * storageSize(frame.info(op.out).element));
}

void runMove(const Instruction &op, Frame &frame) {
  Slot &from = frame.value(op.in[0]), &to = frame.value(op.out);
  copyForm(from, to);
  if (from.form == Form::Dense)
    std::swap(from.data, to.data);
}

void runConstant(const Instruction &op, Frame &frame) {
  const ValueInfo &info = frame.info(op.out);
  size_t size = storageSize(info.element);
  if (op.text.size() == size) {
    std::memcpy(frame.makeUniform(op.out).scalar.data(), op.text.data(), size);
    return;
  }
  std::memcpy(frame.makeDense(op.out), op.text.data(), op.text.size());
}

void runProgramId(const Instruction &op, Frame &frame) {
  frame.makeUniform(op.out).set<int32_t>(frame.programId()[op.number[0]]);
}

void runNumPrograms(const Instruction &op, Frame &frame) {
  frame.makeUniform(op.out).set<int32_t>(frame.execution().grid[op.number[0]]);
}

// text: what to say; number[0]: the program goes on.
// What does not hold ends this program, as it does on the device; the others go on.
void runAssert(const Instruction &op, Frame &frame) {
  size_t count = frame.value(op.in[0]).form == Form::Uniform ? 1 : frame.count(op.in[0]);
  const uint8_t *condition =
      frame.value(op.in[0]).form == Form::Uniform
          ? reinterpret_cast<const uint8_t *>(frame.value(op.in[0]).scalar.data())
          : frame.dense<uint8_t>(op.in[0]);
  for (size_t i = 0; i < count; ++i) {
    if (condition[i])
      continue;
    InterpreterFinding finding;
    finding.kind = InterpreterFindingKind::AssertFailed;
    finding.message = op.text;
    if (count > 1)
      finding.message += " (first at element " + std::to_string(i) + ")";
    frame.reportOnce(op, std::move(finding));
    if (op.number[0])
      return;
    frame.allCompleted = false;
    frame.stop();
    return;
  }
}

// text: the prefix; number[0]: hexadecimal; numbers: which operands are signed.
void runPrint(const Instruction &op, Frame &frame) {
  Frame *twin = frame.definedness();
  std::vector<PrintedValue> values;
  for (size_t operand = 0; operand < op.in.size(); ++operand) {
    const ValueInfo &info = frame.info(op.in[operand]);
    values.push_back({info.element, info.shape, op.numbers[operand] != 0,
                      frame.dense(op.in[operand]), twin ? twin->dense(op.in[operand]) : nullptr});
  }
  frame.print(op, printText(frame.programId(), op.text, op.number[0] != 0, values));
}

} // namespace tilescope::compiler::interpreter
