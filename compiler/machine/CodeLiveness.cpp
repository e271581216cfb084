// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/CodeLiveness.h"

#include "compiler/machine/PtxSteps.h"
#include "compiler/machine/SassFlow.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::machine {

size_t CodeLiveness::peak() const {
  const auto most = std::ranges::max_element(
      counts, {}, [](const std::array<int, kNumRegisterFiles> &each) { return each[0]; });
  return most == counts.end() ? 0 : static_cast<size_t>(most - counts.begin());
}

std::optional<size_t> CodeLiveness::stepAt(uint32_t line) const {
  const auto found = std::ranges::lower_bound(lines, line);
  if (found == lines.end())
    return std::nullopt;
  return static_cast<size_t>(found - lines.begin());
}

/// From steps and values to what is alive.
static void solve(CodeLiveness &code) {
  code.predecessors = predecessorsOf(code.steps);
  code.live = aliveDuring(code.steps, code.values.size());
  code.counts.assign(code.steps.size(), {});
  for (size_t i = 0; i < code.steps.size(); ++i)
    for (const ValueIndex value : code.live.valuesOf(i)) {
      const CodeValue &each = code.values[value];
      code.counts[i][static_cast<size_t>(each.file)] += each.size;
    }
}

CodeLiveness sassLiveness(std::string_view sass, std::string_view cubin) {
  const SassProgram program = parseSass(sass, cubin);
  CodeLiveness code;
  code.steps = sassSteps(program);
  for (const SassInstruction &each : program.instructions)
    code.lines.push_back(each.line);
  for (MachineRegister reg = 0; reg < kNumMachineRegisters; ++reg)
    code.values.push_back({nameOf(reg), fileOf(reg), 1});
  solve(code);
  return code;
}

CodeLiveness ptxLiveness(std::string_view ptx) {
  CodeLiveness code;
  PtxSteps read = readPtxSteps(ptx);
  code.steps = std::move(read.steps);
  code.lines = std::move(read.lines);
  for (PtxRegister &each : read.registers)
    code.values.push_back({std::move(each.name),
                           each.isPredicate ? RegisterFile::Predicate : RegisterFile::General,
                           each.isPredicate ? 1 : (each.bits + 31) / 32});
  solve(code);
  return code;
}

std::optional<SourceRange> placeInDocument(const SourceMap &map, uint32_t line) {
  const auto found = std::ranges::lower_bound(map.lines, line, {}, &LineMapping::line);
  if (found == map.lines.end() || found->line != line)
    return std::nullopt;
  const auto place = std::ranges::find(found->sources, 0u, &SourceRange::file);
  return place == found->sources.end() ? std::nullopt : std::optional(*place);
}

std::vector<AliveGroup> aliveGroups(const CodeLiveness &code, size_t step, const SourceMap &map) {
  // By line of the source; what has no place is one group, -1.
  std::map<int64_t, AliveGroup> byLine;
  for (const ValueIndex value : code.live.valuesOf(step)) {
    const auto at = static_cast<uint32_t>(step);
    std::vector<uint32_t> writers = writersOf(code.steps, code.predecessors, at, value);
    const auto &own = code.steps[step].writes;
    if (std::ranges::find(own, value) != own.end())
      writers.push_back(at);
    std::optional<SourceRange> place;
    for (auto writer = writers.rbegin(); writer != writers.rend() && !place; ++writer)
      place = placeInDocument(map, code.lines[*writer]);
    AliveGroup &group = byLine[place ? int64_t{place->begin.line} : -1];
    if (!group.place)
      group.place = place;
    group.values.push_back(value);
    if (code.values[value].file == RegisterFile::General)
      group.registers += code.values[value].size;
    for (const uint32_t writer : writers)
      group.writers.push_back(code.lines[writer]);
  }
  std::vector<AliveGroup> groups;
  for (auto &[line, group] : byLine) {
    std::ranges::sort(group.writers);
    const auto rest = std::ranges::unique(group.writers);
    group.writers.erase(rest.begin(), rest.end());
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, [](const AliveGroup &a, const AliveGroup &b) {
    return a.registers != b.registers ? a.registers > b.registers : a.values < b.values;
  });
  return groups;
}

std::string valueNames(const CodeLiveness &code, const std::vector<ValueIndex> &values) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    size_t last = i;
    // Neighbors of the machine's registers are one range; those of PTX have nothing in common.
    const bool isMachine = !code.values[values[i]].name.starts_with('%');
    while (isMachine && last + 1 < values.size() && values[last + 1] == values[last] + 1 &&
           code.values[values[last + 1]].file == code.values[values[i]].file)
      ++last;
    text += (text.empty() ? "" : ", ") + code.values[values[i]].name;
    if (last > i)
      text += "\u2013" + code.values[values[last]].name;
    i = last + 1;
  }
  return text;
}

static std::string_view lineOf(std::string_view source, uint32_t number) {
  for (; number > 0 && !source.empty(); --number)
    source.remove_prefix(std::min(source.find('\n') + 1, source.size()));
  return source.substr(0, source.find('\n'));
}

static bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `acc` of `acc += …`, `a, b` of `a, b = …`; empty where nothing is assigned.
static std::string_view assignedName(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  size_t end = 0;
  while (end < line.size() && (isNameChar(line[end]) || line[end] == ',' || line[end] == ' '))
    ++end;
  const size_t equals = line.find('=', end);
  const bool isAssignment =
      end > 0 && equals != std::string_view::npos && equals <= end + 2 &&
      line.substr(end, equals - end).find_first_of("(<>!:") == std::string_view::npos &&
      line.substr(equals, 2) != "==";
  if (!isAssignment)
    return {};
  const std::string_view name = line.substr(0, end);
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

std::string placeName(std::string_view source, const SourceRange &place) {
  const std::string_view line = lineOf(source, place.begin.line);
  if (const std::string_view name = assignedName(line); !name.empty())
    return std::string(name);
  constexpr size_t kMost = 32;
  std::string_view text = line.substr(std::min<size_t>(place.begin.column, line.size()));
  if (place.end.line == place.begin.line && place.end.column > place.begin.column)
    text = text.substr(0, place.end.column - place.begin.column);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "…";
}

} // namespace tilescope::compiler::machine
