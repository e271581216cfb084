// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/PtxSteps.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace tilescope::compiler::machine {

using std::string_view;

static bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// Whether the first operand is only read.
static bool writesNothing(string_view operation) {
  static constexpr std::array<string_view, 34> kEffects = {"st.",
                                                           "red.",
                                                           "bar.",
                                                           "barrier.",
                                                           "bra",
                                                           "brx.",
                                                           "ret",
                                                           "exit",
                                                           "trap",
                                                           "membar",
                                                           "fence.",
                                                           "cp.async",
                                                           "prefetch",
                                                           "call",
                                                           "griddepcontrol",
                                                           "stmatrix",
                                                           "wgmma.fence",
                                                           "wgmma.commit",
                                                           "wgmma.wait",
                                                           "mbarrier.init",
                                                           "mbarrier.inval",
                                                           "mbarrier.expect_tx",
                                                           "mbarrier.complete_tx",
                                                           "discard",
                                                           "applypriority",
                                                           "setmaxnreg",
                                                           "nanosleep",
                                                           "tcgen05.st",
                                                           "tcgen05.mma",
                                                           "tcgen05.cp",
                                                           "tcgen05.commit",
                                                           "tcgen05.wait",
                                                           "tcgen05.fence",
                                                           "tcgen05.dealloc"};
  return std::ranges::any_of(kEffects,
                             [&](string_view name) { return operation.starts_with(name); });
}

/// Accumulates into its first operand.
static bool readsItsResult(string_view operation) { return operation.starts_with("wgmma.mma"); }

namespace {

/// What is known while the lines go by.
class PtxReader {
public:
  void readLine(string_view line, uint32_t number) {
    line = trimmed(line.substr(0, line.find("//")));
    if (m_isOver || line.empty())
      return;
    if (line.starts_with(".reg"))
      return declare(line);
    if (line.find(".entry") != string_view::npos)
      m_isInside = true;
    if (!m_isInside)
      return;
    if (line.starts_with('}') && --m_depth == 0)
      m_isOver = true;
    if (line == "{" || line.ends_with("{"))
      ++m_depth;
    // `$L__BB0_2:` and, of inline assembly, `{ .reg .pred p; mov.u32 …; }` on one line.
    if (const size_t colon = line.find(':'); line.starts_with('$') && colon != string_view::npos) {
      m_labels[line.substr(0, colon)] = static_cast<uint32_t>(m_read.steps.size());
      line = trimmed(line.substr(colon + 1));
    }
    while (!line.empty()) {
      const size_t end = std::min(line.find(';'), line.size());
      readInstruction(trimmed(line.substr(0, end)), number, end < line.size());
      line = trimmed(line.substr(std::min(end + 1, line.size())));
    }
  }

  PtxSteps finish() {
    const auto count = static_cast<uint32_t>(m_read.steps.size());
    for (uint32_t i = 0; i < count; ++i) {
      LivenessStep &step = m_read.steps[i];
      if ((!m_ends[i] || step.isGuarded) && i + 1 < count)
        step.next.push_back(i + 1);
      const auto target = m_labels.find(m_targets[i]);
      if (target != m_labels.end() && target->second < count)
        step.next.push_back(target->second);
    }
    return std::move(m_read);
  }

private:
  /// `.reg .b32 %r<100>;`
  void declare(string_view line) {
    const size_t mark = line.find('%'), open = line.find('<');
    if (mark == string_view::npos || open == string_view::npos || open < mark)
      return;
    int bits = 32;
    if (const size_t type = line.find(" ."); type != string_view::npos) {
      const string_view name = line.substr(type + 2, line.find(' ', type + 2) - type - 2);
      m_isPredicate[line.substr(mark, open - mark)] = name == "pred";
      if (name.size() > 1)
        std::from_chars(name.data() + 1, name.data() + name.size(), bits);
    }
    m_bits[line.substr(mark, open - mark)] = bits;
  }

  ValueIndex valueOf(string_view name) {
    const auto [found, isNew] =
        m_values.emplace(name, static_cast<ValueIndex>(m_read.registers.size()));
    if (isNew) {
      const string_view prefix = name.substr(0, name.find_first_of("0123456789"));
      m_read.registers.push_back({std::string(name), m_bits.contains(prefix) ? m_bits[prefix] : 32,
                                  m_isPredicate.contains(prefix) && m_isPredicate[prefix]});
    }
    return found->second;
  }

  /// Special registers have a dot or no number.
  void addRegisters(string_view text, std::vector<ValueIndex> &values) {
    for (size_t at = text.find('%'); at != string_view::npos; at = text.find('%', at + 1)) {
      size_t end = at + 1;
      while (end < text.size() && isWord(text[end]))
        ++end;
      const string_view name = text.substr(at, end - at);
      const string_view prefix = name.substr(0, name.find_first_of("0123456789"));
      if (m_bits.contains(prefix) && prefix.size() < name.size())
        values.push_back(valueOf(name));
    }
  }

  void readInstruction(string_view text, uint32_t number, bool isWhole) {
    while (text.starts_with('{') || text.starts_with('}'))
      text = trimmed(text.substr(1));
    if (!isWhole || text.empty() || text.starts_with('.'))
      return;
    LivenessStep step;
    if (text.starts_with('@')) {
      const size_t blank = std::min(text.find_first_of(" \t"), text.size());
      addRegisters(text.substr(0, blank), step.reads);
      step.isGuarded = true;
      text = trimmed(text.substr(blank));
    }
    const size_t blank = std::min(text.find_first_of(" \t"), text.size());
    const string_view operation = text.substr(0, blank), operands = trimmed(text.substr(blank));
    const size_t first = writesNothing(operation) ? 0 : endOfFirst(operands);
    addRegisters(operands.substr(0, first), step.writes);
    if (readsItsResult(operation))
      step.reads.insert(step.reads.end(), step.writes.begin(), step.writes.end());
    addRegisters(operands.substr(first), step.reads);
    const bool isBranch = operation.starts_with("bra");
    m_ends.push_back(isBranch || operation == "ret" || operation == "exit" || operation == "trap");
    m_targets.push_back(isBranch ? operands : string_view());
    m_read.steps.push_back(std::move(step));
    m_read.lines.push_back(number);
  }

  /// Of `{%r1, %r2}` or `%r1|%p1`, up to the comma behind it.
  static size_t endOfFirst(string_view operands) {
    const size_t close = operands.starts_with('{') ? operands.find('}') : 0;
    return close == string_view::npos ? operands.size()
                                      : std::min(operands.find(',', close), operands.size());
  }

  PtxSteps m_read;
  std::unordered_map<string_view, int> m_bits;
  std::unordered_map<string_view, bool> m_isPredicate;
  std::unordered_map<string_view, ValueIndex> m_values;
  std::unordered_map<string_view, uint32_t> m_labels;
  std::vector<bool> m_ends;
  std::vector<string_view> m_targets;
  int m_depth = 0;
  bool m_isInside = false, m_isOver = false;
};

} // namespace

PtxSteps readPtxSteps(string_view ptx) {
  PtxReader reader;
  uint32_t number = 0;
  for (const string_view line : splitLines(ptx))
    reader.readLine(line, number++);
  return reader.finish();
}

} // namespace tilescope::compiler::machine
