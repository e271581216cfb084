// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassProgram.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace tilescope::compiler::machine {

bool SassInstruction::has(std::string_view modifier) const {
  return std::ranges::find(modifiers, modifier) != modifiers.end();
}

/// By commas that are not between brackets.
static std::vector<std::string_view> splitOperands(std::string_view text) {
  std::vector<std::string_view> operands;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '[' || text[at] == '(' || text[at] == '{';
    depth -= text[at] == ']' || text[at] == ')' || text[at] == '}';
    if (text[at] != ',' || depth != 0)
      continue;
    operands.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (const std::string_view last = trimmed(text.substr(begin)); !last.empty())
    operands.push_back(last);
  return operands;
}

static void splitOperation(std::string_view text, SassInstruction &instruction) {
  size_t dot = text.find('.');
  instruction.operation = text.substr(0, dot);
  while (dot != std::string_view::npos) {
    text.remove_prefix(dot + 1);
    dot = text.find('.');
    instruction.modifiers.push_back(text.substr(0, dot));
  }
}

/// False: there is no instruction on the line.
static bool parseLine(std::string_view line, SassInstruction &instruction) {
  line = trimmed(line);
  if (!line.starts_with("/*"))
    return false;
  const size_t end = line.find("*/");
  if (end == std::string_view::npos)
    return false;
  const std::from_chars_result address =
      std::from_chars(line.data() + 2, line.data() + end, instruction.address, 16);
  if (address.ec != std::errc() || address.ptr != line.data() + end)
    return false;
  line = trimmed(line.substr(end + 2));
  line = trimmed(line.substr(0, line.find(';')));
  if (line.starts_with('@')) {
    const size_t blank = std::min(line.find(' '), line.size());
    instruction.guard = line.substr(1, blank - 1);
    line = trimmed(line.substr(blank));
  }
  if (line.empty())
    return false;
  const size_t blank = std::min(line.find(' '), line.size());
  splitOperation(line.substr(0, blank), instruction);
  instruction.operands = splitOperands(line.substr(blank));
  return true;
}

/// `` `(.L_x_2)`` and, of an indirect branch, `*"BRANCH_TARGETS .L_x_1,.L_x_2"*`.
static void forEachLabel(std::string_view text, const auto &visit) {
  constexpr std::string_view kMark = ".L_";
  for (size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                                 text[end] == '_' || text[end] == '$'))
      ++end;
    visit(text.substr(at, end - at));
  }
}

namespace {
/// What is known while the lines go by.
class SassReader {
public:
  explicit SassReader(std::string_view cubin) : m_sections(codeSections(cubin)) {}

  void read(std::string_view line, SassProgram &program) {
    SassInstruction instruction;
    instruction.line = m_line++;
    const bool isInstruction = parseLine(line, instruction);
    const auto next = static_cast<uint32_t>(program.instructions.size());
    program.instructionAt.push_back(isInstruction ? static_cast<int32_t>(next) : -1);
    if (!isInstruction)
      return readMark(trimmed(line), next);
    const size_t index = instruction.address / kInstructionBytes;
    if (m_section != nullptr && index < m_section->numInstructions())
      instruction.word = m_section->word(index);
    else
      m_isWithoutWord = true;
    program.instructions.push_back(std::move(instruction));
    m_texts.push_back(line);
  }

  void finish(SassProgram &program) const {
    const auto count = program.instructions.size();
    for (size_t i = 0; i < count; ++i) {
      SassInstruction &instruction = program.instructions[i];
      const auto add = [&](std::string_view label) {
        const auto found = m_labels.find(label);
        if (found != m_labels.end() && found->second < count)
          instruction.targets.push_back(found->second);
      };
      for (const std::string_view operand : instruction.operands)
        if (operand.starts_with('`'))
          add(operand.substr(std::min(operand.find('(') + 1, operand.size()),
                             operand.size() - operand.find('(') - 2));
      if (instruction.operation == "BRX" || instruction.operation == "JMX")
        forEachLabel(m_texts[i], add);
    }
    program.hasWords = !m_sections.empty() && !m_isWithoutWord && count > 0;
  }

private:
  void readMark(std::string_view line, uint32_t next) {
    constexpr std::string_view kSection = ".section";
    const bool isSection = line.starts_with(kSection) && line.size() > kSection.size() &&
                           (line[kSection.size()] == ' ' || line[kSection.size()] == '\t');
    if (isSection) {
      std::string_view name = trimmed(line.substr(kSection.size()));
      name = name.substr(0, name.find(','));
      const auto found = std::ranges::find(m_sections, name, &CodeSection::name);
      m_section = found == m_sections.end() ? nullptr : &*found;
    } else if (line.ends_with(':')) {
      m_labels.emplace(line.substr(0, line.size() - 1), next);
    }
  }

  std::vector<CodeSection> m_sections;
  const CodeSection *m_section = nullptr;
  std::unordered_map<std::string_view, uint32_t> m_labels;
  std::vector<std::string_view> m_texts;
  uint32_t m_line = 0;
  bool m_isWithoutWord = false;
};
} // namespace

SassProgram parseSass(std::string_view text, std::string_view cubin) {
  SassProgram program;
  SassReader reader(cubin);
  for (const std::string_view line : splitLines(text))
    reader.read(line, program);
  reader.finish(program);
  return program;
}

std::pair<uint32_t, uint32_t> functionLines(std::string_view sass, std::string_view symbol) {
  const std::string label = ".text." + std::string(symbol) + ":";
  uint32_t begin = UINT32_MAX, number = 0;
  for (const std::string_view line : splitLines(sass)) {
    if (line == label)
      begin = number;
    else if (begin != UINT32_MAX && line.starts_with("//---"))
      break;
    ++number;
  }
  return {begin, number};
}

} // namespace tilescope::compiler::machine
