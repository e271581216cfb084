// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// The code of a kernel or a function: registers, labels, instructions and their operands.
#include "compiler/ptx/PtxParser.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace tilescope::compiler {

static constexpr int32_t kMaxRegisters = 1 << 18;
/// Real operands nest three levels: `[map, {x, y}]`.
static constexpr int kMaxOperandDepth = 16;

void PtxParser::parseCode(std::vector<PtxInstruction> &code) {
  m_code.clear();
  m_labels.clear();
  m_branches.clear();
  m_scopes.assign(1, {});
  m_path.assign(1, 0);
  parseBody();
  resolveLabels(static_cast<int32_t>(code.size()));
  std::move(m_code.begin(), m_code.end(), std::back_inserter(code));
}

void PtxParser::parseBody() {
  int depth = 1;
  while (!atEnd()) {
    std::string_view word = peek();
    if (word == "{") {
      ++m_next, ++depth;
      m_scopes.emplace_back();
      m_path.push_back(++m_numScopes);
    } else if (word == "}") {
      ++m_next;
      m_scopes.pop_back();
      m_path.pop_back();
      if (--depth == 0)
        return;
    } else if (word == ".reg") {
      ++m_next;
      parseRegisters();
    } else if (word == ".local") {
      ++m_next;
      parseVariable("local", m_module.variables);
    } else if (word == ".shared") {
      ++m_next;
      parseVariable("shared", m_module.variables);
    } else if (word == ".param") {
      ++m_next;
      parsePassedVariable();
    } else if (word == ".loc" || word == ".file" || word == ".pragma") {
      int32_t line = m_tokens[m_next].line;
      while (!atEnd() && m_tokens[m_next].line == line)
        ++m_next;
    } else if (word == ";") {
      ++m_next;
    } else if (isLabel()) {
      m_labels[{m_path.back(), std::string(word)}] = static_cast<int32_t>(m_code.size());
      m_next += 2;
    } else {
      parseInstruction();
    }
  }
}

bool PtxParser::isLabel() const {
  return m_next + 2 < m_tokens.size() && m_tokens[m_next + 1].text == ":" &&
         m_tokens[m_next + 2].text != ":";
}

void PtxParser::parseRegisters() {
  take();
  while (!atEnd() && !accept(";")) {
    std::string name(take());
    if (accept("<")) {
      const int64_t count = ptxNumber(take(), 0, kMaxRegisters);
      accept(">");
      if (m_nextRegister + count > kMaxRegisters)
        return fail("more than " + std::to_string(kMaxRegisters) + " registers");
      for (int64_t i = 0; i < count; ++i)
        m_scopes.back()[name + std::to_string(i)] = m_nextRegister++;
    } else {
      m_scopes.back()[name] = m_nextRegister++;
    }
    accept(",");
  }
}

std::optional<int32_t> PtxParser::findRegister(std::string_view name) const {
  for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
    if (auto found = scope->find(std::string(name)); found != scope->end())
      return found->second;
  return std::nullopt;
}

void PtxParser::parseInstruction() {
  PtxInstruction instruction;
  instruction.line = m_tokens[m_next].line;
  if (accept("@")) {
    instruction.guardNegated = accept("!");
    std::string_view name = take();
    std::optional<int32_t> reg = findRegister(name);
    if (!reg)
      return fail("unknown predicate `" + std::string(name) + "`");
    instruction.guard = *reg;
  }
  std::string_view word = take();
  // A double colon splits a modifier such as `L1::evict_first` into several tokens.
  std::string mnemonic(word);
  while (peek() == ":") {
    accept(":"), accept(":");
    mnemonic += "::";
    mnemonic += take();
  }
  size_t start = 0;
  for (size_t dot; (dot = mnemonic.find('.', start)) != std::string::npos; start = dot + 1)
    appendPart(instruction, mnemonic.substr(start, dot - start));
  appendPart(instruction, mnemonic.substr(start));
  while (!atEnd() && !accept(";")) {
    instruction.operands.push_back(parseOperand(instruction));
    if (peek() == "|") {
      ++m_next;
      PtxOperand pair;
      pair.kind = PtxOperand::Kind::Vector;
      pair.elements = {instruction.operands.back(), parseOperand(instruction)};
      instruction.operands.back() = pair;
    }
    if (!accept(",") && peek() != ";")
      return fail("cannot read the operands of `" + mnemonic + "`");
  }
  if (instruction.op == "bra")
    m_branches.emplace_back(m_code.size(), m_path);
  m_code.push_back(std::move(instruction));
}

void PtxParser::appendPart(PtxInstruction &instruction, std::string part) {
  if (instruction.op.empty())
    instruction.op = std::move(part);
  else
    instruction.modifiers.push_back(std::move(part));
}

PtxOperand PtxParser::parseOperand(const PtxInstruction &instruction, int depth) {
  PtxOperand operand;
  if (depth > kMaxOperandDepth) {
    fail("an operand is nested too deeply");
    return operand;
  }
  if (peek() == "{" || peek() == "(") {
    const std::string_view end = take() == "{" ? "}" : ")";
    operand.kind = PtxOperand::Kind::Vector;
    while (!atEnd() && !accept(end)) {
      operand.elements.push_back(parseOperand(instruction, depth + 1));
      accept(",");
    }
    return operand;
  }
  if (accept("[")) {
    operand = parseOperand(instruction, depth + 1);
    if (operand.kind == PtxOperand::Kind::Immediate)
      operand.reg = -1;
    operand.kind = PtxOperand::Kind::Address;
    if (accept("+")) {
      int sign = accept("-") ? -1 : 1;
      operand.bits += static_cast<uint64_t>(sign * ptxNumber(take(), -kMaxBytes, kMaxBytes));
    }
    // `[map, {x, y}]`: a place in a tensor.
    while (accept(","))
      operand.elements.push_back(parseOperand(instruction, depth + 1));
    accept("]");
    return operand;
  }
  bool negative = accept("-");
  operand.negated = accept("!");
  std::string word(take());
  if (word == "_") {
    operand.kind = PtxOperand::Kind::Discard;
  } else if (std::optional<int32_t> reg = findRegister(word)) {
    operand.kind = PtxOperand::Kind::Register;
    operand.reg = *reg;
  } else if (word.size() > 2 && word[0] == '0' && (word[1] == 'f' || word[1] == 'F')) {
    operand.kind = PtxOperand::Kind::Immediate;
    operand.bits = std::strtoull(word.c_str() + 2, nullptr, 16);
  } else if (word.size() > 2 && word[0] == '0' && (word[1] == 'd' || word[1] == 'D')) {
    operand.kind = PtxOperand::Kind::Immediate;
    operand.bits = std::strtoull(word.c_str() + 2, nullptr, 16);
  } else if (std::isdigit(static_cast<unsigned char>(word[0]))) {
    operand.kind = PtxOperand::Kind::Immediate;
    operand.bits = std::strtoull(word.c_str(), nullptr, 0);
    if (negative)
      operand.bits = 0 - operand.bits;
  } else if (auto passed = m_passed.find(word); passed != m_passed.end()) {
    operand.kind = PtxOperand::Kind::Address;
    operand.bits = static_cast<uint64_t>(passed->second);
  } else if (instruction.op == "bra") {
    operand.kind = PtxOperand::Kind::Label;
    operand.name = word;
  } else {
    operand.kind = PtxOperand::Kind::Symbol;
    operand.name = word;
  }
  return operand;
}

void PtxParser::resolveLabels(int32_t base) {
  for (const auto &[index, path] : m_branches) {
    PtxInstruction &instruction = m_code[index];
    if (instruction.operands.empty())
      return fail("a branch to nowhere");
    const std::string &name = instruction.operands.front().name;
    for (auto scope = path.rbegin(); scope != path.rend() && instruction.target < 0; ++scope)
      if (auto label = m_labels.find({*scope, name}); label != m_labels.end())
        instruction.target = base + label->second;
    if (instruction.target < 0)
      return fail("unknown label `" + name + "`");
  }
}

} // namespace tilescope::compiler
