// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxParser.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::compiler {

// Beyond what any GPU has.
static constexpr int64_t kMaxThreads = 1024;
/// Thread blocks of a cluster.
static constexpr int64_t kMaxBlocks = 16;
static constexpr size_t kMaxInstructions = size_t{1} << 21;

static int64_t typeBytes(std::string_view type) {
  const size_t digits = type.find_first_of("0123456789");
  return digits == std::string_view::npos ? 4 : ptxNumber(type.substr(digits), 8, 128) / 8;
}

static int64_t alignTo(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

PtxModule PtxParser::run() {
  while (!atEnd() && m_module.error.empty())
    parseTopLevel();
  linkFunctions();
  return std::move(m_module);
}

bool PtxParser::accept(std::string_view text) {
  if (peek() != text)
    return false;
  ++m_next;
  return true;
}

void PtxParser::skipPast(std::string_view text) {
  while (!atEnd() && take() != text) {
  }
}

void PtxParser::fail(const std::string &reason) {
  if (m_module.error.empty())
    m_module.error = std::to_string(atEnd() ? 0 : m_tokens[m_next].line) + ": " + reason;
  m_next = m_tokens.size();
}

void PtxParser::parseTopLevel() {
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

std::vector<PtxParameter> PtxParser::parseParameters(int64_t &offset) {
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
        size = std::min(size * ptxNumber(take(), 0, kMaxBytes), kMaxBytes);
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

void PtxParser::parseFunction() {
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

std::vector<PtxParameter> PtxParser::parsePassed() {
  std::vector<PtxParameter> parameters = parseParameters(m_passedEnd);
  for (const PtxParameter &parameter : parameters)
    m_passed[parameter.name] = parameter.offset;
  return parameters;
}

void PtxParser::parsePassedVariable() {
  std::map<std::string, PtxVariable> declared;
  parseVariable("param", declared);
  for (const auto &[name, variable] : declared) {
    m_passed[name] = m_passedEnd = alignTo(m_passedEnd, 16);
    m_passedEnd += variable.sizeBytes;
  }
}

void PtxParser::linkFunctions() {
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

void PtxParser::parseVariable(std::string_view space,
                              std::map<std::string, PtxVariable> &variables) {
  PtxVariable variable;
  variable.space = space;
  int64_t alignment = 1;
  if (accept(".align"))
    alignment = ptxNumber(take(), 1, 4096);
  int64_t elementBytes = typeBytes(take());
  std::string name(take());
  int64_t count = 1;
  if (accept("[")) {
    count = peek() == "]" ? 0 : ptxNumber(take(), 0, kMaxBytes);
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

int32_t PtxParser::takeProduct(int64_t most) {
  int64_t product = ptxNumber(take(), 1, most);
  while (accept(","))
    product = std::min(product * ptxNumber(take(), 1, most), most);
  return static_cast<int32_t>(product);
}

void PtxParser::parseEntry() {
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

} // namespace tilescope::compiler
