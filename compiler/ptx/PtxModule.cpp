// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxModule.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace tilescope::compiler {

bool PtxInstruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

namespace {

struct Token {
  std::string_view text;
  int32_t line;
};

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  int32_t line = 1;
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '\n') {
      ++line, ++i;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i);
      end = end == std::string_view::npos ? text.size() : end + 2;
      line += static_cast<int32_t>(std::count(text.begin() + i, text.begin() + end, '\n'));
      i = end;
    } else if (c == '"') {
      size_t end = text.find('"', i + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else if (isWordChar(c)) {
      size_t end = i + 1;
      while (end < text.size() && isWordChar(text[end]))
        ++end;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      tokens.push_back({text.substr(i, 1), line});
      ++i;
    }
  }
  return tokens;
}

/// Beyond what any GPU has; sums and products of these stay far from overflow.
constexpr int64_t kMaxBytes = int64_t{1} << 30;
constexpr int64_t kMaxThreads = 1024;
/// Thread blocks of a cluster.
constexpr int64_t kMaxBlocks = 16;
constexpr int32_t kMaxRegisters = 1 << 18;
constexpr size_t kMaxInstructions = size_t{1} << 21;
/// Real operands nest three levels: `[map, {x, y}]`.
constexpr int kMaxOperandDepth = 16;

/// The number that a token is, at least `least` and at most `most`; `least` for what is not a
/// number.
int64_t numberOf(std::string_view token, int64_t least, int64_t most) {
  const std::string text(token);
  return std::clamp<int64_t>(std::strtoll(text.c_str(), nullptr, 0), least, most);
}

int64_t typeBytes(std::string_view type) {
  const size_t digits = type.find_first_of("0123456789");
  return digits == std::string_view::npos ? 4 : numberOf(type.substr(digits), 8, 128) / 8;
}

int64_t alignTo(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

class Parser {
public:
  explicit Parser(std::string_view text) : m_tokens(tokenize(text)) {}

  PtxModule run() {
    while (!atEnd() && m_module.error.empty())
      parseTopLevel();
    linkFunctions();
    return std::move(m_module);
  }

private:
  bool atEnd() const { return m_next >= m_tokens.size(); }
  std::string_view peek() const { return atEnd() ? std::string_view() : m_tokens[m_next].text; }
  std::string_view take() { return atEnd() ? std::string_view() : m_tokens[m_next++].text; }
  bool accept(std::string_view text) {
    if (peek() != text)
      return false;
    ++m_next;
    return true;
  }
  void skipPast(std::string_view text) {
    while (!atEnd() && take() != text) {
    }
  }
  void fail(const std::string &reason) {
    if (m_module.error.empty())
      m_module.error = std::to_string(atEnd() ? 0 : m_tokens[m_next].line) + ": " + reason;
    m_next = m_tokens.size();
  }

  void parseTopLevel() {
    std::string_view word = take();
    if (word == ".version" || word == ".target" || word == ".address_size") {
      int32_t line = m_tokens[m_next - 1].line;
      while (!atEnd() && m_tokens[m_next].line == line)
        ++m_next;
    } else if (word == ".visible" || word == ".extern" || word == ".weak") {
      // Linkage does not matter here.
    } else if (word == ".entry") {
      parseEntry();
    } else if (word == ".shared" || word == ".global" || word == ".const") {
      parseVariable(word.substr(1), m_module.variables);
    } else if (word == ".section") {
      skipPast("{");
      skipPast("}");
    } else if (word == ".file") {
      int32_t line = m_tokens[m_next - 1].line;
      while (!atEnd() && m_tokens[m_next].line == line)
        ++m_next;
    } else if (word == ".func") {
      parseFunction();
    } else {
      fail("unexpected `" + std::string(word) + "`");
    }
  }

  /// `(.param .b64 a, .param .u64 .ptr .global .align 1 b, .param .align 8 .b8 c[16])`, or nothing.
  std::vector<PtxParameter> parseParameters(int64_t &offset) {
    std::vector<PtxParameter> parameters;
    if (!accept("("))
      return parameters;
    while (!atEnd() && !accept(")")) {
      PtxParameter parameter;
      int64_t size = 4;
      while (!atEnd() && peek() != "," && peek() != ")") {
        std::string_view word = take();
        if (word == ".align") {
          take();
        } else if (word == "[") {
          size = std::min(size * numberOf(take(), 0, kMaxBytes), kMaxBytes);
          accept("]");
        } else if (word.front() != '.') {
          parameter.name = word;
        } else if (word != ".param" && word != ".ptr" && word != ".global") {
          size = typeBytes(word);
        }
      }
      accept(",");
      parameter.sizeBytes = size;
      parameter.offset = offset = alignTo(offset, std::clamp<int64_t>(size, 1, 64));
      offset += size;
      parameters.push_back(parameter);
    }
    return parameters;
  }

  /// `.func (results) name(parameters) { code }`. Declarations have no code: of functions that come
  /// later, and of vprintf and __assertfail, which are the emulator's.
  void parseFunction() {
    PtxFunction function;
    m_passed.clear();
    function.results = parsePassed();
    const std::string name(take());
    function.parameters = parsePassed();
    while (!atEnd() && peek() != "{" && peek() != ";")
      ++m_next;
    if (accept(";") || !accept("{"))
      return;
    function.entry = static_cast<int32_t>(m_functionCode.size());
    parseCode(m_functionCode);
    m_module.functions[name] = std::move(function);
  }

  std::vector<PtxParameter> parsePassed() {
    std::vector<PtxParameter> parameters = parseParameters(m_passedEnd);
    for (const PtxParameter &parameter : parameters)
      m_passed[parameter.name] = parameter.offset;
    return parameters;
  }

  /// `.param .align 8 .b8 param0[16];` in a body: where the caller puts a value.
  void parsePassedVariable() {
    std::map<std::string, PtxVariable> declared;
    parseVariable("param", declared);
    for (const auto &[name, variable] : declared) {
      m_passed[name] = m_passedEnd = alignTo(m_passedEnd, 16);
      m_passedEnd += variable.sizeBytes;
    }
  }

  /// Reads a body up to its closing brace and appends its instructions to `code`.
  void parseCode(std::vector<PtxInstruction> &code) {
    m_code.clear();
    m_labels.clear();
    m_branches.clear();
    m_scopes.assign(1, {});
    m_path.assign(1, 0);
    parseBody();
    resolveLabels(static_cast<int32_t>(code.size()));
    std::move(m_code.begin(), m_code.end(), std::back_inserter(code));
  }

  /// Every kernel's code is followed by that of the functions.
  void linkFunctions() {
    if (m_functionCode.size() * m_module.kernels.size() > kMaxInstructions)
      return fail("more than " + std::to_string(kMaxInstructions) + " instructions");
    m_module.passedBytes = m_passedEnd - kPassedParameters;
    for (PtxProgram &kernel : m_module.kernels) {
      kernel.numRegisters = m_nextRegister;
      kernel.localBytes = m_spaceBytes["local"];
      const auto base = static_cast<int32_t>(kernel.code.size());
      kernel.code.insert(kernel.code.end(), m_functionCode.begin(), m_functionCode.end());
      for (size_t i = 0; i < kernel.code.size(); ++i) {
        PtxInstruction &instruction = kernel.code[i];
        if (instruction.op == "call") {
          const auto callee = m_module.functions.find(std::string(calledFunction(instruction)));
          if (callee != m_module.functions.end())
            instruction.target = base + callee->second.entry;
        } else if (instruction.target >= 0 && i >= static_cast<size_t>(base)) {
          instruction.target += base;
        }
      }
    }
  }

  void parseVariable(std::string_view space, std::map<std::string, PtxVariable> &variables) {
    PtxVariable variable;
    variable.space = space;
    int64_t alignment = 1;
    if (accept(".align"))
      alignment = numberOf(take(), 1, 4096);
    int64_t elementBytes = typeBytes(take());
    std::string name(take());
    int64_t count = 1;
    if (accept("[")) {
      count = peek() == "]" ? 0 : numberOf(take(), 0, kMaxBytes);
      accept("]");
    }
    variable.sizeBytes = count * elementBytes;
    int64_t &used = m_spaceBytes[variable.space];
    variable.offset = used = alignTo(used, std::max<int64_t>(alignment, 16));
    used += variable.sizeBytes;
    if (accept("=")) {
      accept("{");
      while (!atEnd() && !accept("}")) {
        const uint64_t value = std::strtoull(std::string(take()).c_str(), nullptr, 0);
        for (int64_t i = 0; i < elementBytes; ++i)
          variable.data.push_back(i < 8 ? static_cast<uint8_t>(value >> (8 * i)) : 0);
        accept(",");
      }
    }
    accept(";");
    variables[name] = std::move(variable);
  }

  /// Numbers with commas between them, multiplied.
  int32_t takeProduct(int64_t most) {
    int64_t product = numberOf(take(), 1, most);
    while (accept(","))
      product = std::min(product * numberOf(take(), 1, most), most);
    return static_cast<int32_t>(product);
  }

  void parseEntry() {
    PtxProgram kernel;
    kernel.name = take();
    int64_t offset = 0;
    kernel.parameters = parseParameters(offset);
    while (!atEnd() && peek() != "{") {
      const std::string_view directive = take();
      if (directive == ".reqntid")
        kernel.threads = takeProduct(kMaxThreads);
      else if (directive == ".reqnctapercluster")
        kernel.blocks = takeProduct(kMaxBlocks);
    }
    accept("{");
    m_passed.clear();
    parseCode(kernel.code);
    m_module.kernels.push_back(std::move(kernel));
  }

  void parseBody() {
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

  bool isLabel() const {
    return m_next + 2 < m_tokens.size() && m_tokens[m_next + 1].text == ":" &&
           m_tokens[m_next + 2].text != ":";
  }

  /// `.reg .b32 %r<12>;` or, in inline assembly, `.reg .pred p, q;`.
  void parseRegisters() {
    take();
    while (!atEnd() && !accept(";")) {
      std::string name(take());
      if (accept("<")) {
        const int64_t count = numberOf(take(), 0, kMaxRegisters);
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

  std::optional<int32_t> findRegister(std::string_view name) const {
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
      if (auto found = scope->find(std::string(name)); found != scope->end())
        return found->second;
    return std::nullopt;
  }

  void parseInstruction() {
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

  static void appendPart(PtxInstruction &instruction, std::string part) {
    if (instruction.op.empty())
      instruction.op = std::move(part);
    else
      instruction.modifiers.push_back(std::move(part));
  }

  PtxOperand parseOperand(const PtxInstruction &instruction, int depth = 0) {
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
        operand.bits += static_cast<uint64_t>(sign * numberOf(take(), -kMaxBytes, kMaxBytes));
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

  /// `base`: index of the body's first instruction.
  void resolveLabels(int32_t base) {
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

  std::vector<Token> m_tokens;
  size_t m_next = 0;
  PtxModule m_module;
  /// Of the body that is being read.
  std::vector<PtxInstruction> m_code;
  std::vector<PtxInstruction> m_functionCode;
  /// By the number of the scope that they are in, and the name.
  std::map<std::pair<int32_t, std::string>, int32_t> m_labels;
  /// Indices of branches, each with the numbers of the scopes around it.
  std::vector<std::pair<size_t, std::vector<int32_t>>> m_branches;
  std::vector<std::map<std::string, int32_t>> m_scopes;
  std::vector<int32_t> m_path;
  int32_t m_numScopes = 0;
  /// Where values are passed, by name; of the body that is being read.
  std::map<std::string, int64_t> m_passed;
  int64_t m_passedEnd = kPassedParameters;
  int32_t m_nextRegister = 0;
  std::map<std::string, int64_t> m_spaceBytes;
};

} // namespace

std::string_view calledFunction(const PtxInstruction &call) {
  for (const PtxOperand &operand : call.operands)
    if (operand.kind == PtxOperand::Kind::Symbol)
      return operand.name;
  return {};
}

PtxModule parsePtx(std::string_view text) { return Parser(text).run(); }

} // namespace tilescope::compiler
