// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxSnippet.h"

#include "compiler/ptx/PtxScalar.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace tilescope::compiler {

using Kind = PtxOperand::Kind;

/// What orders accesses or waits: nothing to do where threads do not run.
static bool hasNoEffect(const PtxInstruction &instruction) {
  constexpr std::array<std::string_view, 6> kNames = {"bar",    "barrier",   "fence",
                                                      "membar", "nanosleep", "griddepcontrol"};
  return std::find(kNames.begin(), kNames.end(), instruction.op) != kNames.end();
}

/// Clocks, and the number of the multiprocessor, as if there were one.
static std::optional<uint64_t> specialRegister(std::string_view name) {
  if (name == "%smid")
    return 0;
  if (name == "%nsmid")
    return 1;
  constexpr std::array<std::string_view, 4> kClocks = {"%globaltimer", "%clock64",
                                                       "%globaltimer_lo", "%clock"};
  if (std::find(kClocks.begin(), kClocks.end(), name) == kClocks.end())
    return std::nullopt;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

static uint64_t readOperand(const PtxOperand &operand, const uint64_t *registers) {
  if (operand.kind == Kind::Immediate)
    return operand.bits;
  if (operand.kind == Kind::Symbol)
    return specialRegister(operand.name).value_or(0);
  return operand.negated ? registers[operand.reg] ^ 1 : registers[operand.reg];
}

static uint64_t lowBits(uint64_t value, int32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

static uint64_t shiftRight(uint64_t value, int32_t by) { return by >= 64 ? 0 : value >> by; }
static uint64_t shiftLeft(uint64_t value, int32_t by) { return by >= 64 ? 0 : value << by; }

/// `mov.b32 {lo, hi}, r` and `mov.b32 r, {lo, hi}`; `width` bits in all.
static void moveParts(const PtxInstruction &instruction, int32_t width, uint64_t *registers) {
  const PtxOperand &to = instruction.operands[0], &from = instruction.operands[1];
  const std::vector<PtxOperand> &parts = to.kind == Kind::Vector ? to.elements : from.elements;
  int32_t bits = width / static_cast<int32_t>(parts.size());
  uint64_t whole = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    int32_t at = static_cast<int32_t>(i) * bits;
    if (to.kind != Kind::Vector)
      whole |= shiftLeft(lowBits(readOperand(parts[i], registers), bits), at);
    else if (parts[i].kind == Kind::Register)
      registers[parts[i].reg] = lowBits(shiftRight(readOperand(from, registers), at), bits);
  }
  if (to.kind != Kind::Vector)
    registers[to.reg] = whole;
}

/// `setp.lt.and.f32 p|q, a, b, c`.
static bool comparePredicates(const PtxInstruction &instruction, uint64_t *registers) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  std::optional<bool> holds = evaluateCompare(instruction, readOperand(operands[1], registers),
                                              readOperand(operands[2], registers));
  if (!holds)
    return false;
  bool other = operands.size() > 3 && (readOperand(operands[3], registers) & 1);
  auto combine = [&](bool value) {
    if (operands.size() <= 3)
      return value;
    return instruction.has("and")  ? value && other
           : instruction.has("or") ? value || other
                                   : value != other;
  };
  const auto assign = [&](const PtxOperand &to, bool value) {
    if (to.kind == Kind::Register)
      registers[to.reg] = value;
  };
  const bool isPair = operands[0].kind == Kind::Vector;
  assign(isPair ? operands[0].elements[0] : operands[0], combine(*holds));
  if (isPair)
    assign(operands[0].elements[1], combine(!*holds));
  return true;
}

static bool isVectorMove(const PtxInstruction &instruction) {
  return instruction.op == "mov" && (instruction.operands[0].kind == Kind::Vector ||
                                     instruction.operands[1].kind == Kind::Vector);
}

/// False if the instruction is not known.
static bool execute(const PtxInstruction &instruction, uint64_t *registers) {
  if (hasNoEffect(instruction))
    return true;
  if (isVectorMove(instruction)) {
    std::optional<PtxType> type = parsePtxType(instruction.type());
    if (type)
      moveParts(instruction, type->bits * type->lanes, registers);
    return type.has_value();
  }
  if (instruction.op == "setp")
    return comparePredicates(instruction, registers);
  std::array<uint64_t, 6> inputs{};
  size_t count = 0;
  for (size_t i = 1; i < instruction.operands.size() && count < inputs.size(); ++i)
    inputs[count++] = readOperand(instruction.operands[i], registers);
  std::optional<uint64_t> result = evaluateScalar(instruction, inputs.data(), count);
  if (result)
    registers[instruction.operands[0].reg] = *result;
  return result.has_value();
}

static std::string nameOf(const PtxInstruction &instruction) {
  std::string name = instruction.op;
  for (const std::string &modifier : instruction.modifiers)
    name += "." + modifier;
  return "`" + name + "`";
}

/// Pairs where an instruction takes them: one side of `mov`, the result of `setp`.
static bool hasUsablePairs(const PtxInstruction &instruction) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  const auto isPair = [](const PtxOperand &operand) { return operand.kind == Kind::Vector; };
  if (std::none_of(operands.begin(), operands.end(), isPair))
    return true;
  if (instruction.op == "mov")
    return operands.size() == 2 && isPair(operands[0]) != isPair(operands[1]) &&
           !operands[isPair(operands[0]) ? 0 : 1].elements.empty();
  const std::vector<PtxOperand> &results = operands.front().elements;
  return instruction.op == "setp" && isPair(operands.front()) && results.size() == 2 &&
         std::none_of(operands.begin() + 1, operands.end(), isPair);
}

/// Registers, constants, and pairs of them where an instruction takes pairs.
static std::string findFault(const PtxInstruction &instruction) {
  bool takesPairs = instruction.op == "mov" || instruction.op == "setp";
  auto isPlain = [](const PtxOperand &operand) {
    return operand.kind == Kind::Register || operand.kind == Kind::Immediate;
  };
  if (instruction.op == "bra" || instruction.op == "call" || instruction.op == "ret")
    return nameOf(instruction) + " is a jump, a call or a return";
  for (const PtxOperand &operand : instruction.operands) {
    if (operand.kind == Kind::Address)
      return nameOf(instruction) + " accesses memory";
    if (operand.kind == Kind::Symbol && &operand != &instruction.operands.front() &&
        specialRegister(operand.name))
      continue;
    if (operand.kind == Kind::Symbol)
      return nameOf(instruction) + " reads `" + operand.name + "`";
    bool isPair =
        operand.kind == Kind::Vector && takesPairs &&
        std::all_of(operand.elements.begin(), operand.elements.end(), [&](const PtxOperand &part) {
          return isPlain(part) || part.kind == Kind::Discard;
        });
    if (!isPlain(operand) && !isPair)
      return nameOf(instruction) + " has an operand of an unexpected form";
  }
  if (!hasUsablePairs(instruction))
    return nameOf(instruction) + " has operands that do not fit together";
  size_t least = instruction.op == "setp" ? 3 : 2;
  if (!hasNoEffect(instruction) &&
      (instruction.operands.size() < least || instruction.operands[0].kind == Kind::Immediate))
    return nameOf(instruction) + " is missing an operand";
  return "";
}

PtxSnippet parsePtxSnippet(std::string_view text, size_t numOperands) {
  std::string module = ".entry snippet()\n{\n";
  for (size_t k = 0; k < numOperands; ++k)
    module += ".reg .b64 $" + std::to_string(k) + ";\n";
  // The last semicolon may be left out.
  module += std::string(text) + "\n;}\n";
  PtxModule parsed = parsePtx(module);
  PtxSnippet snippet;
  if (!parsed.error.empty() || parsed.kernels.empty()) {
    snippet.error = parsed.error;
    return snippet;
  }
  snippet.code = std::move(parsed.kernels.front().code);
  snippet.numRegisters = static_cast<size_t>(parsed.kernels.front().numRegisters);
  std::vector<uint64_t> zeros(snippet.numRegisters);
  for (const PtxInstruction &instruction : snippet.code) {
    snippet.error = findFault(instruction);
    // Known instructions compute something from anything.
    if (snippet.error.empty() && !execute(instruction, zeros.data()))
      snippet.error = nameOf(instruction) + " is not known";
    if (!snippet.error.empty())
      break;
  }
  return snippet;
}

void runPtxSnippet(const PtxSnippet &snippet, uint64_t *registers) {
  for (const PtxInstruction &instruction : snippet.code) {
    bool isOn = instruction.guard < 0 ||
                ((registers[instruction.guard] & 1) != 0) != instruction.guardNegated;
    if (isOn)
      execute(instruction, registers);
  }
}

} // namespace tilescope::compiler
