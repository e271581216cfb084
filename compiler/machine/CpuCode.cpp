// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/CpuCode.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace tilescope::compiler::machine {

using std::string_view;

namespace {
/// A line of assembly that is an instruction.
struct Instruction {
  string_view operation, operands;
};
} // namespace

static std::optional<Instruction> instructionOf(string_view line) {
  const string_view text = trimmed(line);
  // Labels stand at the beginning of a line; directives begin with a dot.
  if (text.empty() || !std::isspace(static_cast<unsigned char>(line.front())) ||
      !std::isalpha(static_cast<unsigned char>(text.front())))
    return std::nullopt;
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  return Instruction{text.substr(0, end), trimmed(text.substr(end))};
}

static bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether a register `prefix` with a number is among the operands, and `suffix` behind it.
static bool namesRegister(string_view operands, string_view prefix, string_view suffix = {}) {
  for (size_t at = operands.find(prefix); at != string_view::npos;
       at = operands.find(prefix, at + 1)) {
    size_t end = at + prefix.size();
    while (end < operands.size() && std::isdigit(static_cast<unsigned char>(operands[end])))
      ++end;
    if (end > at + prefix.size() && (at == 0 || !isWordCharacter(operands[at - 1])) &&
        operands.substr(end).starts_with(suffix))
      return true;
  }
  return false;
}

/// Registers of 16 bytes hold single numbers, too, which the names of operations end with.
static bool isOnOneElement(string_view operation) {
  return (operation.ends_with("ss") || operation.ends_with("sd") || operation.ends_with("sh")) &&
         operation.find("broadcast") == string_view::npos;
}

/// The bytes of the widest vector register among the operands; nothing where there is none.
static std::optional<unsigned> widestVector(const Instruction &instruction,
                                            unsigned scalableBytes) {
  if (namesRegister(instruction.operands, "zmm"))
    return 64;
  if (namesRegister(instruction.operands, "ymm"))
    return 32;
  if (namesRegister(instruction.operands, "xmm"))
    return isOnOneElement(instruction.operation) ? std::nullopt : std::optional(16U);
  if (namesRegister(instruction.operands, "z"))
    return scalableBytes;
  return namesRegister(instruction.operands, "v", ".") ? std::optional(16U) : std::nullopt;
}

static bool isCall(string_view operation) {
  return operation == "call" || operation == "bl" || operation == "blr";
}

/// SVE has one name for all loads; a vector in the brackets is an address for each lane.
static bool hasAddressPerLane(string_view operands) {
  const size_t bracket = operands.find('[');
  return bracket != string_view::npos && namesRegister(operands.substr(bracket), "z");
}

static CpuCodeCounts countsOf(const Instruction &instruction, bool onVectors) {
  const string_view operation = instruction.operation;
  CpuCodeCounts counts{.instructions = 1, .onVectors = onVectors, .calls = isCall(operation)};
  const bool perLane = hasAddressPerLane(instruction.operands);
  counts.gathers =
      operation.find("gather") != string_view::npos || (perLane && operation.starts_with("ld"));
  counts.scatters =
      operation.find("scatter") != string_view::npos || (perLane && operation.starts_with("st"));
  return counts;
}

static void add(CpuCodeCounts &sum, const CpuCodeCounts &counts) {
  sum.instructions += counts.instructions;
  sum.onVectors += counts.onVectors;
  sum.gathers += counts.gathers;
  sum.scatters += counts.scatters;
  sum.calls += counts.calls;
}

/// The innermost place in the user's file.
static std::optional<SourceRange> placeOf(const SourceMap &map, uint32_t line) {
  const auto found = std::ranges::lower_bound(map.lines, line, {}, &LineMapping::line);
  if (found == map.lines.end() || found->line != line)
    return std::nullopt;
  const auto own = std::ranges::find(found->sources, 0U, &SourceRange::file);
  return own == found->sources.end() ? std::nullopt : std::optional(*own);
}

CpuCode cpuCode(string_view assembly, const SourceMap &map, unsigned scalableBytes) {
  CpuCode code;
  std::map<uint32_t, CpuLineCode> byLine;
  const std::vector<string_view> lines = splitLines(assembly);
  for (uint32_t number = 0; number < lines.size(); ++number) {
    const std::optional<Instruction> instruction = instructionOf(lines[number]);
    if (!instruction)
      continue;
    const std::optional<unsigned> vector = widestVector(*instruction, scalableBytes);
    code.vectorBytes = std::max(code.vectorBytes, vector.value_or(0));
    const CpuCodeCounts counts = countsOf(*instruction, vector.has_value());
    add(code.total, counts);
    if (const auto place = placeOf(map, number)) {
      CpuLineCode &line = byLine.try_emplace(place->begin.line, *place).first->second;
      add(line.counts, counts);
    }
  }
  for (const auto &[number, line] : byLine)
    code.lines.push_back(line);
  return code;
}

} // namespace tilescope::compiler::machine
