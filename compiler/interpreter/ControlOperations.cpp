// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Operations.h"

#include <cstdio>
#include <utility>

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
    finding.message = "the assertion does not hold: " + op.text;
    if (count > 1)
      finding.message += " (first at element " + std::to_string(i) + ")";
    frame.reportOnce(op, std::move(finding));
    frame.allCompleted = false;
    frame.stop();
    return;
  }
}

static std::string format(const char *pattern, auto... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), pattern, values...);
  return buffer;
}

static std::string formatElement(const std::byte *data, Element element, bool isSigned, bool hex) {
  if (isFloat(element)) {
    double value = 0;
    if (element == Element::F64) {
      std::memcpy(&value, data, sizeof(value));
    } else {
      float narrow;
      std::memcpy(&narrow, data, sizeof(narrow));
      value = narrow;
    }
    return format(hex ? "%a" : "%f", value);
  }
  int64_t value = loadInteger(data, element);
  unsigned width = integerWidth(element);
  uint64_t bits = width == 64 ? static_cast<uint64_t>(value)
                              : static_cast<uint64_t>(value) & ((uint64_t(1) << width) - 1);
  if (hex)
    return format("0x%0*llx", static_cast<int>((width + 3) / 4),
                  static_cast<unsigned long long>(bits));
  if (element == Element::Pointer)
    return format("0x%llx", static_cast<unsigned long long>(bits));
  return isSigned ? format("%lld", static_cast<long long>(value))
                  : format("%llu", static_cast<unsigned long long>(bits));
}

static int numDigits(int64_t extent) {
  int digits = 0;
  for (int64_t power = 1; power < extent; power *= 10)
    ++digits;
  return digits;
}

/// "(0, 12)": the index of an element, padded as on the device.
static std::string formatIndex(int64_t element, const Shape &shape) {
  std::string text;
  for (int d = shape.rank - 1; d >= 0; --d) {
    std::string index = format("%*lld", numDigits(shape.extent[d]),
                               static_cast<long long>(element % shape.extent[d]));
    text = text.empty() ? index : index + ", " + text;
    element /= shape.extent[d];
  }
  return "(" + text + ")";
}

// text: the prefix; number[0]: hexadecimal; numbers: which operands are signed.
void runPrint(const Instruction &op, Frame &frame) {
  const auto &id = frame.programId();
  std::string pid = format("pid (%d, %d, %d)", id[0], id[1], id[2]);
  if (op.in.empty())
    return frame.print(op, pid + op.text + "\n");
  std::string lines;
  for (size_t operand = 0; operand < op.in.size(); ++operand) {
    const ValueInfo &info = frame.info(op.in[operand]);
    const std::byte *data = frame.dense(op.in[operand]);
    // A number would look like what was computed.
    Frame *twin = frame.definedness();
    const std::byte *defined = twin ? twin->dense(op.in[operand]) : nullptr;
    std::string which = op.in.size() > 1 ? format("(operand %zu) ", operand) : "";
    for (int64_t i = 0; i < info.shape.count; ++i)
      lines += pid + " idx " + formatIndex(i, info.shape) + op.text + which +
               (defined && defined[i] == std::byte{0}
                    ? std::string("undefined")
                    : formatElement(data + i * static_cast<int64_t>(storageSize(info.element)),
                                    info.element, op.numbers[operand] != 0, op.number[0] != 0)) +
               "\n";
  }
  frame.print(op, std::move(lines));
}

} // namespace tilescope::compiler::interpreter
