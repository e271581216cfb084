// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TraceChoice.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/TraceJson.h"

#include <set>

namespace tilescope::app {

/// The first, the middle and the last one: of a large grid, of its first wave and of its last.
static std::string usualPrograms(const profiler::LaunchPlan &plan) {
  const int64_t count = plan.grid[0] * plan.grid[1] * plan.grid[2];
  std::string list;
  for (const int64_t program : std::set<int64_t>{0, count / 2, std::max<int64_t>(count, 1) - 1})
    list += (list.empty() ? "" : ",") + std::to_string(program);
  return list;
}

compiler::Selection tracedSelection(const compiler::Selection &selection, const TraceChoice &choice,
                                    const profiler::LaunchPlan &plan) {
  const auto quoted = [](const std::string &text) { return "\"" + text + "\""; };
  compiler::Selection traced = selection;
  traced.options["trace"] = quoted(choice.kinds.empty() ? "all" : choice.kinds);
  traced.options["trace_programs"] =
      quoted(choice.programs.empty() ? usualPrograms(plan) : choice.programs);
  if (!choice.warps.empty())
    traced.options["trace_warps"] = quoted(choice.warps);
  return traced;
}

Result<std::optional<profiler::TraceTable>> traceTableOf(std::string_view ptx) {
  constexpr std::string_view kBegin = "// tilescope.trace ";
  const size_t at = ptx.rfind(kBegin);
  if (at == ptx.npos || (at > 0 && ptx[at - 1] != '\n'))
    return std::optional<profiler::TraceTable>();
  std::string_view text = ptx.substr(at + kBegin.size());
  text = text.substr(0, text.find('\n'));
  const auto table = profiler::readJson(text, "a trace's scopes", profiler::traceTableFromJson);
  if (!table)
    return table.error();
  return std::optional(*table);
}

} // namespace tilescope::app
