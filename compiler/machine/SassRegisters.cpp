// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassRegisters.h"

#include "compiler/machine/SassWidths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tilescope::compiler::machine {

using std::string_view;

RegisterFile fileOf(MachineRegister reg) {
  return reg < kFirstUniform            ? RegisterFile::General
         : reg < kFirstPredicate        ? RegisterFile::Uniform
         : reg < kFirstUniformPredicate ? RegisterFile::Predicate
                                        : RegisterFile::UniformPredicate;
}

std::string nameOf(MachineRegister reg) {
  switch (fileOf(reg)) {
  case RegisterFile::General:
    return "R" + std::to_string(reg);
  case RegisterFile::Uniform:
    return "UR" + std::to_string(reg - kFirstUniform);
  case RegisterFile::Predicate:
    return "P" + std::to_string(reg - kFirstPredicate);
  case RegisterFile::UniformPredicate:
    break;
  }
  return "UP" + std::to_string(reg - kFirstUniformPredicate);
}

static bool isWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

namespace {
/// A register that an operand names.
struct NamedRegister {
  MachineRegister first;
  /// `.64` follows its name.
  bool isPair;
  /// What its brackets are of: `desc`, `gdesc`, `c`; `[` for an address, empty outside of brackets.
  string_view bracket;
};

/// Goes through the registers that an operand names.
class RegisterScanner {
public:
  explicit RegisterScanner(string_view operand) : m_text(operand) {}

  std::optional<NamedRegister> next() {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '[')
        openBracket();
      if (c == ']')
        m_bracket = {};
      if (isWord(c) || c == '.') {
        const size_t begin = m_at;
        while (m_at < m_text.size() && (isWord(m_text[m_at]) || m_text[m_at] == '.'))
          ++m_at;
        if (const auto found = readName(m_text.substr(begin, m_at - begin)))
          return found;
        m_word = m_text.substr(begin, m_at - begin);
        continue;
      }
      m_word = {};
      ++m_at;
    }
    return std::nullopt;
  }

private:
  void openBracket() { m_bracket = m_word.empty() ? string_view("[") : m_word; }

  std::optional<NamedRegister> readName(string_view name) const {
    const bool isUniform = name.starts_with('U');
    string_view rest = name.substr(isUniform ? 1 : 0);
    if (rest.size() < 2 || (rest[0] != 'R' && rest[0] != 'P'))
      return std::nullopt;
    const bool isPredicate = rest[0] == 'P';
    rest.remove_prefix(1);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number >= (isPredicate ? 7u : 255u))
      return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (!rest.empty() && rest[0] != '.')
      return std::nullopt;
    const unsigned first = isPredicate ? (isUniform ? kFirstUniformPredicate : kFirstPredicate)
                           : isUniform ? kFirstUniform
                                       : 0u;
    return NamedRegister{static_cast<MachineRegister>(first + number), rest.starts_with(".64"),
                         m_bracket};
  }

  string_view m_text, m_word, m_bracket;
  size_t m_at = 0;
};
} // namespace

static bool isPredicate(MachineRegister reg) { return reg >= kFirstPredicate; }

static void addRange(std::vector<MachineRegister> &all, MachineRegister first, int count) {
  const MachineRegister end =
      fileOf(first) == RegisterFile::General ? kFirstUniform - 1 : kFirstPredicate - 1;
  for (int i = 0; i < count && first + i < end; ++i)
    all.push_back(static_cast<MachineRegister>(first + i));
}

/// How many registers an operand in brackets takes.
static int bracketWidth(const NamedRegister &named, const SassInstruction &instruction) {
  if (named.isPair)
    return 2;
  if (named.bracket == "desc" || named.bracket == "idesc" || named.bracket == "cx")
    return 2;
  // Descriptors of both factors, also where one is in registers.
  if (named.bracket == "gdesc")
    return instruction.operation.ends_with("GMMA") ? 4 : 2;
  return 1;
}

static void readOperand(string_view operand, int width, const SassInstruction &instruction,
                        std::vector<MachineRegister> &all) {
  RegisterScanner scanner(operand);
  while (const auto named = scanner.next()) {
    if (isPredicate(named->first))
      all.push_back(named->first);
    else if (!named->bracket.empty())
      addRange(all, named->first, bracketWidth(*named, instruction));
    else
      addRange(all, named->first, named->isPair ? 2 : width);
  }
}

/// `PR` stands for the predicates that a mask names.
static void addPredicates(const SassInstruction &instruction, std::vector<MachineRegister> &all) {
  const bool isUniform = instruction.operation.starts_with('U');
  unsigned mask = 0x7f;
  const string_view last = instruction.operands.back();
  if (last.starts_with("0x"))
    std::from_chars(last.data() + 2, last.data() + last.size(), mask, 16);
  for (unsigned i = 0; i < 7; ++i)
    if (mask >> i & 1)
      all.push_back(
          static_cast<MachineRegister>((isUniform ? kFirstUniformPredicate : kFirstPredicate) + i));
}

/// Operands that stand for more than they name.
static void addImplied(const SassInstruction &instruction, RegisterUse &use) {
  const string_view operation = instruction.operation;
  if (instruction.operands.empty())
    return;
  if (operation == "P2R" || operation == "UP2UR")
    addPredicates(instruction, use.reads);
  if (operation == "R2P" || operation == "UR2UP")
    addPredicates(instruction, use.writes);
}

/// Capability 8 has a descriptor of global memory that its text does not name: in bits 32 to 37 of
/// loads, in bits 64 to 69 of what also has data.
static void addDescriptor(const SassInstruction &instruction, RegisterUse &use) {
  constexpr std::array<string_view, 8> kGlobal = {"LD",  "LDG",  "ST",    "STG",
                                                  "RED", "ATOM", "ATOMG", "LDGSTS"};
  const auto names = [&](string_view text) {
    return std::ranges::any_of(instruction.operands, [text](string_view operand) {
      return operand.find(text) != string_view::npos;
    });
  };
  if (std::ranges::find(kGlobal, instruction.operation) == kGlobal.end() || names("desc[") ||
      !names(".64") || instruction.word == InstructionWord{})
    return;
  constexpr unsigned kNone = 63;
  const bool isLoad = instruction.operation == "LD" || instruction.operation == "LDG";
  const uint64_t bits = isLoad ? instruction.word.low >> 32 : instruction.word.high;
  if (const auto first = static_cast<unsigned>(bits & 0x3f); first != kNone)
    addRange(use.reads, static_cast<MachineRegister>(kFirstUniform + first), 2);
}

/// Addresses that are branched to take two registers.
static bool takesAddress(string_view operation) {
  return operation == "RET" || operation == "BRX" || operation == "JMX" || operation == "CALL";
}

RegisterUse registersOf(const SassInstruction &instruction) {
  const OperandWidths widths = operandWidths(instruction);
  RegisterUse use;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const string_view operand = instruction.operands[i];
    if (i < widths.numResults)
      readOperand(operand, widths.result, instruction, use.writes);
    else
      readOperand(operand,
                  takesAddress(instruction.operation) ? 2 : widths.source(i - widths.numResults),
                  instruction, use.reads);
  }
  addImplied(instruction, use);
  addDescriptor(instruction, use);
  if (!instruction.guard.empty()) {
    readOperand(instruction.guard, 1, instruction, use.reads);
    use.isGuarded = true;
  }
  return use;
}

} // namespace tilescope::compiler::machine
