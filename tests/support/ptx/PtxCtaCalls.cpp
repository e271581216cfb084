// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls: of functions of the module, and of the two that the driver provides.
#include "tests/support/ptx/PtxCta.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace tilescope::tests {

/// Where the caller has the arguments, or the results, of a call.
static const std::vector<PtxOperand> &passedBy(const PtxInstruction &call, bool results) {
  static const std::vector<PtxOperand> none;
  bool afterName = false;
  for (const PtxOperand &operand : call.operands) {
    afterName |= operand.kind == PtxOperand::Kind::Symbol;
    if (operand.kind == PtxOperand::Kind::Vector && afterName != results)
      return operand.elements;
  }
  return none;
}

static size_t placeOf(const PtxOperand &operand) { return operand.bits - kPassedParameters; }

static void copyPassed(PtxThread &thread, size_t to, size_t from, int64_t size) {
  std::memmove(thread.passed.data() + to, thread.passed.data() + from, static_cast<size_t>(size));
}

void CtaRun::call(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const std::string name(calledFunction(instruction));
  if (name == "vprintf") {
    print(index, thread, instruction);
    ++thread.pc;
    return;
  }
  if (name == "__assertfail")
    return reportAssertion(index, thread, instruction);
  const auto function = m_module.functions.find(name);
  if (function == m_module.functions.end())
    return fail(index, "unknown function `" + name + "`");
  const std::vector<PtxOperand> &arguments = passedBy(instruction, false);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const PtxParameter &parameter = function->second.parameters.at(i);
    copyPassed(thread, parameter.offset - kPassedParameters, placeOf(arguments[i]),
               parameter.sizeBytes);
  }
  thread.calls.push_back(thread.pc);
  thread.pc = instruction.target;
}

void CtaRun::leave(PtxThread &thread) {
  if (thread.calls.empty()) {
    thread.exited = true;
    return;
  }
  const PtxInstruction &call = *m_code[thread.calls.back()].instruction;
  const PtxFunction &function = m_module.functions.at(std::string(calledFunction(call)));
  const std::vector<PtxOperand> &results = passedBy(call, true);
  for (size_t i = 0; i < results.size(); ++i)
    copyPassed(thread, placeOf(results[i]), function.results.at(i).offset - kPassedParameters,
               function.results.at(i).sizeBytes);
  thread.pc = thread.calls.back() + 1;
  thread.calls.pop_back();
}

uint64_t CtaRun::passedValue(PtxThread &thread, const PtxInstruction &call, size_t position) const {
  const size_t place = placeOf(passedBy(call, false).at(position));
  uint64_t value = 0;
  std::memcpy(&value, thread.passed.data() + place,
              std::min(sizeof(value), thread.passed.size() - place));
  return value;
}

uint8_t *CtaRun::behind(size_t index, PtxThread &thread, uint64_t address, size_t size) {
  return resolve(index, thread, PtxInstruction{}, address, size, false);
}

std::string CtaRun::textAt(size_t index, PtxThread &thread, uint64_t address) {
  std::string text;
  while (const uint8_t *letter = behind(index, thread, address++, 1)) {
    if (*letter == 0)
      break;
    text += static_cast<char>(*letter);
  }
  return text;
}

/// `vprintf(format, values)`: the values stand one after the other, each aligned to its size.
void CtaRun::print(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const std::string format = textAt(index, thread, passedValue(thread, instruction, 0));
  uint64_t values = passedValue(thread, instruction, 1);
  for (size_t i = 0; i < format.size() && m_error.empty(); ++i) {
    if (format[i] != '%') {
      m_printed += format[i];
      continue;
    }
    if (format.substr(i, 2) == "%%") {
      m_printed += format[++i];
      continue;
    }
    const size_t end = format.find_first_of("acdiufeguxXsp", i);
    if (end == std::string::npos)
      return fail(index, "a conversion without an end in `" + format + "`");
    const std::string conversion = format.substr(i, end + 1 - i);
    const bool isFloat = std::strchr("afeg", format[end]) != nullptr;
    const size_t size = isFloat || conversion.find("ll") != std::string::npos ? 8 : 4;
    values = (values + size - 1) / size * size;
    const uint8_t *place = behind(index, thread, values, size);
    if (!place)
      return;
    uint64_t bits = 0;
    std::memcpy(&bits, place, size);
    values += size;
    char text[64];
    if (isFloat)
      std::snprintf(text, sizeof(text), conversion.c_str(), std::bit_cast<double>(bits));
    else if (size == 8)
      std::snprintf(text, sizeof(text), conversion.c_str(), static_cast<unsigned long long>(bits));
    else
      std::snprintf(text, sizeof(text), conversion.c_str(), static_cast<unsigned>(bits));
    m_printed += text;
    i = end;
  }
}

/// `__assertfail(message, file, line, function, sizeof(char))`.
void CtaRun::reportAssertion(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const auto text = [&](size_t position) {
    return textAt(index, thread, passedValue(thread, instruction, position));
  };
  const auto line = static_cast<uint32_t>(passedValue(thread, instruction, 2));
  fail(index, text(1) + ":" + std::to_string(line) + ": " + text(3) + ": assertion `" + text(0) +
                  "` failed");
}

} // namespace tilescope::tests
