// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutChoice.h"

#include "compiler/support/Text.h"
#include "views/common/Correlation.h"
#include "views/common/PrincipalOperation.h"

#include <algorithm>
#include <set>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::LayoutFacts;
using compiler::Stage;
using compiler::StageId;
using Reason = LayoutChoice::Reason;

static int64_t extent(const SourceRange &range) {
  return (static_cast<int64_t>(range.end.line) - range.begin.line) * 100000 + range.end.column -
         range.begin.column;
}

/// The smaller; of equals the later wins: it is the value after its operands were prepared.
static bool isBetter(const LayoutFacts &later, const LayoutFacts &best) {
  return std::pair(extent(later.source), -principalRank(later.op)) <=
         std::pair(extent(best.source), -principalRank(best.op));
}

static bool isLarger(const LayoutFacts &later, const LayoutFacts &best) {
  return std::pair(extent(later.source), principalRank(later.op)) >=
         std::pair(extent(best.source), principalRank(best.op));
}

int layoutAt(const std::vector<LayoutFacts> &layouts, const Focus &focus) {
  if (focus.stage == StageId::Ttgir)
    for (size_t i = 0; i < layouts.size(); ++i)
      if (layouts[i].stageLine == focus.position.line)
        return static_cast<int>(i);
  int best = -1;
  bool isBestMeant = false;
  for (size_t i = 0; i < layouts.size(); ++i) {
    const SourceRange &range = layouts[i].source;
    if (range.file != 0 || range.empty())
      continue;
    // What other views mark goes first; machine code knows only where a range begins.
    const bool isMeant = std::ranges::any_of(focus.sources, [&](const SourceRange &source) {
      return source.begin == range.begin && (source.end == range.end || source.empty());
    });
    const bool isAround =
        !focus.stage && (range.contains(focus.position) || range.end == focus.position);
    if (!isMeant && (isBestMeant || !isAround))
      continue;
    if (best < 0 || isMeant > isBestMeant || isBetter(layouts[i], layouts[best]))
      best = static_cast<int>(i);
    isBestMeant = isBestMeant || isMeant;
  }
  return best;
}

/// Names of values that a line of IR mentions, in order.
static std::vector<std::string_view> valuesIn(std::string_view line) {
  static constexpr std::string_view kNamePart =
      "%#_.$-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<std::string_view> names;
  for (size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at)) {
    const size_t end = std::min(line.find_first_not_of(kNamePart, at), line.size());
    names.push_back(line.substr(at, end - at));
    at = end;
  }
  return names;
}

/// Names of what a store writes and, behind it, of where it writes to; nothing for other lines.
static std::vector<std::string_view> storedBy(std::string_view line) {
  // Which of its operands an operation writes.
  static constexpr std::pair<std::string_view, size_t> kStores[] = {
      {"tt.store ", 1},
      {"ttg.local_store ", 0},
      {"ttg.async_copy_global_to_local ", 1},
      {"tt.descriptor_store ", SIZE_MAX}};
  for (const auto &[operation, position] : kStores) {
    const size_t at = line.find(operation);
    if (at == std::string_view::npos)
      continue;
    std::vector<std::string_view> names = valuesIn(line.substr(at));
    if (names.empty())
      return {};
    std::swap(names.front(), names[std::min(position, names.size() - 1)]);
    names.resize(std::min<size_t>(names.size(), 2));
    return names;
  }
  return {};
}

/// The last value of this name that is defined before a line.
static int definedBefore(const std::vector<LayoutFacts> &layouts, std::string_view name,
                         uint32_t line) {
  int best = -1;
  for (size_t i = 0; i < layouts.size(); ++i)
    if (layouts[i].value == name && layouts[i].stageLine < line &&
        (best < 0 || layouts[i].stageLine > layouts[best].stageLine))
      best = static_cast<int>(i);
  return best;
}

/// What a line of TTGIR that is related to the focus stores.
static int storedAt(const CompileResult &result, const Focus &focus, Relation wanted) {
  const Stage *stage = result.stage(StageId::Ttgir);
  if (!stage)
    return -1;
  const std::vector<std::string_view> lines = splitLines(stage->text);
  const std::vector<Relation> relations =
      relateLines(stage->sourceMap, lines.size(), focus.sources);
  for (uint32_t line = 0; line < lines.size(); ++line) {
    const bool isMeant = focus.stage == StageId::Ttgir
                             ? focus.position.line == line
                             : line < relations.size() && relations[line] == wanted;
    if (!isMeant)
      continue;
    for (std::string_view name : storedBy(lines[line]))
      if (const int index = definedBefore(result.layouts, name, line); index >= 0)
        return index;
  }
  return -1;
}

/// The line of the document that is focused, if any.
static std::optional<uint32_t> focusedLine(const Focus &focus) {
  if (!focus.stage)
    return focus.position.line;
  return focus.sources.empty() ? std::nullopt : std::optional(focus.sources.front().begin.line);
}

/// The value of the largest expression that begins on the focused line.
static int madeOnLine(const std::vector<LayoutFacts> &layouts, uint32_t line) {
  int best = -1;
  for (size_t i = 0; i < layouts.size(); ++i) {
    const SourceRange &range = layouts[i].source;
    if (range.file == 0 && !range.empty() && range.begin.line == line &&
        (best < 0 || isLarger(layouts[i], layouts[best])))
      best = static_cast<int>(i);
  }
  return best;
}

/// The value of the statement on a line, which ends where the statement does: `mask = offsets < n`.
static int assignedBy(const std::vector<LayoutFacts> &layouts, const SourceRange &statement,
                      uint32_t line) {
  int best = -1;
  for (size_t i = 0; i < layouts.size(); ++i) {
    const SourceRange &range = layouts[i].source;
    if (range.file == 0 && range.begin.line == line && range.end == statement.end &&
        (best < 0 || isLarger(layouts[i], layouts[best])))
      best = static_cast<int>(i);
  }
  return best;
}

/// Whether the line lies among those that made values; a document in IR has others, too.
static bool isInKernel(const CompileResult &result, uint32_t line) {
  const Stage *stage = result.stage(StageId::Ttgir);
  if (!stage)
    return false;
  const std::vector<std::string_view> lines = splitLines(stage->text);
  uint32_t first = UINT32_MAX, last = 0;
  for (const compiler::LineMapping &mapping : stage->sourceMap.lines) {
    const std::string_view text = mapping.line < lines.size() ? lines[mapping.line] : "";
    const size_t begin = text.find_first_not_of(' ');
    const bool makesValue = begin != std::string_view::npos && text[begin] == '%';
    for (const SourceRange &range : mapping.sources)
      if (range.file == 0 && (makesValue || !storedBy(text).empty())) {
        first = std::min(first, range.begin.line);
        last = std::max(last, range.end.line);
      }
  }
  return first <= line && line <= last;
}

bool isLoad(const LayoutFacts &facts) {
  return facts.op == "tt.load" || facts.op == "tt.descriptor_load" || facts.op == "ttg.local_load";
}

/// The first load, or else the first value that is not a constant.
static int firstValue(const std::vector<LayoutFacts> &layouts) {
  auto found = std::ranges::find_if(layouts, isLoad);
  if (found == layouts.end())
    found = std::ranges::find_if(
        layouts, [](const LayoutFacts &facts) { return facts.op != "arith.constant"; });
  return layouts.empty() || found == layouts.end() ? static_cast<int>(layouts.size()) - 1
                                                   : static_cast<int>(found - layouts.begin());
}

/// Whether the source computes a block at the place: `fp32[128, 64]`; with its layout behind it in
/// TTGIR: `fp32[128, 64] · #ttg…`.
static bool isBlockOfSource(const CompileResult &result, const Focus &focus) {
  return std::ranges::any_of(result.values, [&](const compiler::ValueFacts &value) {
    const bool isThere = value.range.contains(focus.position) ||
                         value.range.end == focus.position ||
                         (value.isDefinition && value.range.begin.line == focus.position.line);
    return value.range.file == 0 && isThere &&
           (value.type.ends_with(']') || value.type.find("] · ") != std::string::npos);
  });
}

/// The constant that a line of the source names: of one that a pass has made anew with another
/// layout, the name is left and the place is not. -1: none.
static int constantNamedAt(const CompileResult &result, uint32_t line) {
  const std::vector<std::string_view> lines =
      splitLines(result.files.empty() ? std::string_view() : result.files.front().text);
  for (const compiler::ValueFacts &value : result.values) {
    const SourceRange &range = value.range;
    if (!value.isDefinition || range.file != 0 || range.begin.line != line ||
        line >= lines.size() || range.end.line != line || range.end.column > lines[line].size())
      continue;
    const std::string name =
        "%" +
        std::string(lines[line].substr(range.begin.column, range.end.column - range.begin.column));
    for (size_t i = 0; i < result.layouts.size(); ++i)
      if (const LayoutFacts &facts = result.layouts[i];
          facts.op == "arith.constant" &&
          (facts.value == name || facts.value.starts_with(name + "_")))
        return static_cast<int>(i);
  }
  return -1;
}

/// The first value that a function computes for a line which calls it, and that is used behind the
/// line: `a` of `a, b = rotate(x, y)`. The places of such values are those in the function. -1: none.
static int computedFor(const CompileResult &result, uint32_t line) {
  const Stage *stage = result.stage(StageId::Ttgir);
  if (!stage)
    return -1;
  std::set<uint32_t> made;
  for (const compiler::LineMapping &mapping : stage->sourceMap.lines)
    if (std::ranges::any_of(mapping.sources, [&](const SourceRange &source) {
          return source.file == 0 && source.begin.line == line;
        }))
      made.insert(mapping.line);
  std::set<std::string_view> used;
  const std::vector<std::string_view> lines = splitLines(stage->text);
  for (uint32_t at = 0; at < lines.size(); ++at)
    if (!made.contains(at))
      for (const std::string_view name : valuesIn(lines[at]))
        used.insert(name);
  int first = -1;
  for (size_t i = 0; i < result.layouts.size(); ++i) {
    const LayoutFacts &facts = result.layouts[i];
    if (made.contains(facts.stageLine) && used.contains(facts.value) &&
        (first < 0 || facts.stageLine < result.layouts[first].stageLine))
      first = static_cast<int>(i);
  }
  return first;
}

LayoutChoice chooseLayout(const CompileResult &result, const Focus &focus) {
  const std::vector<LayoutFacts> &layouts = result.layouts;
  const std::optional<uint32_t> line = focusedLine(focus);
  if (layouts.empty() || focus.isNew)
    return {};
  if (focus.empty())
    return {firstValue(layouts), Reason::Outside};
  if (const int index = layoutAt(layouts, focus); index >= 0)
    return {index, Reason::Made};
  if (const int index = storedAt(result, focus, Relation::SameRange); index >= 0)
    return {index, Reason::Stored};
  if (focus.stage || !line)
    return {};
  // Between expressions the place means the whole line: what encloses the place there is the kernel,
  // or a loop. A line of IR is one operation.
  const bool isIr = !result.stages.empty() && result.stages.front().id != StageId::Ast;
  const bool isOnExpression = !isIr && !focus.sources.empty() && !focus.sources.front().empty() &&
                              focus.sources.front().begin.line == *line;
  if (isOnExpression) {
    if (const int index = assignedBy(layouts, focus.sources.front(), *line); index >= 0)
      return {index, Reason::Made};
  } else {
    if (const int index = madeOnLine(layouts, *line); index >= 0)
      return {index, Reason::Made};
    if (const int index = storedAt(result, focus, Relation::SameLine); index >= 0)
      return {index, Reason::Stored};
  }
  if (!isInKernel(result, *line))
    return {firstValue(layouts), Reason::Outside};
  if (const int index = constantNamedAt(result, *line); index >= 0)
    return {index, Reason::Made};
  if (const int index = computedFor(result, *line); index >= 0)
    return {index, Reason::Made};
  return {-1, isBlockOfSource(result, focus) ? Reason::Removed : Reason::Nothing};
}

} // namespace tilescope::views
