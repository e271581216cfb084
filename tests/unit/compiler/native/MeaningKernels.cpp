// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/native/MeaningKernels.h"

#include <cstdio>
#include <cstring>

using namespace tilescope::compiler::interpreter;

namespace tilescope::tests {

std::string typeOf(Element element, bool isBlock) {
  const std::string name(elementName(element));
  return isBlock ? "tensor<" + std::to_string(kBlock) + "x" + name + ">" : name;
}

void replaceAll(std::string &text, const std::string &mark, const std::string &with) {
  for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += with.size())
    text.replace(at, mark.size(), with);
}

std::string pointersTo(const std::string &name, Element element, bool isBlock) {
  const std::string pointer = "!tt.ptr<" + std::string(elementName(element)) + ">";
  if (!isBlock)
    return "  %" + name + "q = tt.addptr %" + name + "p, %o : " + pointer + ", i32\n";
  const std::string block = "tensor<" + std::to_string(kBlock) + "x";
  return "  %" + name + "s = tt.splat %" + name + "p : " + pointer + " -> " + block + pointer +
         ">\n  %" + name + "q = tt.addptr %" + name + "s, %o : " + block + pointer + ">, " + block +
         "i32>\n";
}

std::string pointerType(Element element, bool isBlock) {
  const std::string pointer = "!tt.ptr<" + std::string(elementName(element)) + ">";
  return isBlock ? "tensor<" + std::to_string(kBlock) + "x" + pointer + ">" : pointer;
}

std::string programOffsets(bool isBlock) {
  if (!isBlock)
    return "  %o = tt.get_program_id x : i32\n";
  const std::string n = std::to_string(kBlock);
  return "  %pid = tt.get_program_id x : i32\n  %size = arith.constant " + n +
         " : i32\n  %base = arith.muli %pid, %size : i32\n  %range = tt.make_range {end = " + n +
         " : i32, start = 0 : i32} : tensor<" + n +
         "xi32>\n  %bases = tt.splat %base : i32 -> tensor<" + n +
         "xi32>\n  %o = arith.addi %bases, %range : tensor<" + n + "xi32>\n";
}

uint64_t elementAt(const std::vector<uint8_t> &memory, size_t index, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, &memory[index * size], size);
  return bits;
}

std::string firstFault(const Meaning &meaning, const Samples &samples,
                       const std::vector<uint8_t> &expected, const std::vector<uint8_t> &found,
                       const cpu::Closeness &closeness) {
  const size_t size = memorySize(meaning.result);
  const double most = meaning.result == Element::F64   ? closeness.fp64
                      : meaning.result == Element::F32 ? closeness.fp32
                                                       : closeness.narrow;
  for (size_t i = 0; i < samples.count; ++i) {
    const uint64_t left = elementAt(expected, i, size), right = elementAt(found, i, size);
    if (left == right)
      continue;
    const bool areZeros = isFloat(meaning.result) && ((left | right) << (65 - 8 * size)) == 0;
    if (areZeros ? closeness.eitherZero : distance(left, right, meaning.result) <= most)
      continue;
    std::string fault = "`" + std::string(meaning.row.name) + "` of";
    char text[32];
    for (size_t k = 0; k < meaning.operands.size(); ++k) {
      std::snprintf(text, sizeof text, " %llx",
                    static_cast<unsigned long long>(
                        elementAt(samples.operands[k], i, memorySize(meaning.operands[k]))));
      fault += std::string(elementName(meaning.operands[k])) + text + " ";
    }
    std::snprintf(text, sizeof text, "%llx, not %llx", static_cast<unsigned long long>(right),
                  static_cast<unsigned long long>(left));
    return fault + "is " + text;
  }
  return "";
}

} // namespace tilescope::tests
