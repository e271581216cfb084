// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SeveralChanges.h"

#include "compiler/artifacts/AppliedFix.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tilescope::app {

using compiler::DiagnosticFix;

DiagnosticFix replacing(const KernelText &kernel, const compiler::ast::Node &node,
                        const std::string &code) {
  return {node.range, code,
          "write `" + code + "` for `" + std::string(kernel.text(node)) + "` in line " +
              std::to_string(node.range.begin.line + 1)};
}

DiagnosticFix together(const KernelText &kernel, std::vector<Change> changes, std::string title) {
  std::ranges::stable_sort(changes, {}, [](const Change &each) { return each.range.begin; });
  compiler::DiagnosticFix fix{
      {changes.front().range.begin, changes.back().range.end, 0}, "", std::move(title)};
  Position end = fix.range.begin;
  for (const Change &each : changes) {
    fix.replacement += std::string(kernel.tree().text({end, each.range.begin, 0})) + each.code;
    end = each.range.end;
  }
  return fix;
}

std::vector<DiagnosticFix> changedLines(const std::string &text, const DiagnosticFix &fix) {
  const std::string fixed = compiler::fixedText(text, fix);
  const std::vector<std::string_view> before = splitLines(text), after = splitLines(fixed);
  if (before.size() != after.size() || fix.range.begin.line == fix.range.end.line)
    return {fix};
  std::vector<DiagnosticFix> parts;
  for (uint32_t line = std::min<uint32_t>(fix.range.end.line + 1, uint32_t(before.size()));
       line-- > fix.range.begin.line;) {
    const std::string_view was = before[line], is = after[line];
    if (was == is)
      continue;
    const auto begin = static_cast<size_t>(std::ranges::mismatch(was, is).in1 - was.begin());
    size_t end = 0;
    while (end < std::min(was.size(), is.size()) - begin &&
           was[was.size() - 1 - end] == is[is.size() - 1 - end])
      ++end;
    parts.push_back({{{line, static_cast<uint32_t>(begin)},
                      {line, static_cast<uint32_t>(was.size() - end)},
                      fix.range.file},
                     std::string(is.substr(begin, is.size() - end - begin)),
                     fix.title});
  }
  return parts;
}

} // namespace tilescope::app
