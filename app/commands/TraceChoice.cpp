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

/// The most registers per thread with which as many blocks fit on a multiprocessor; nothing where
/// that is not known. A few more, and another block may not fit: that would be another kernel.
static std::optional<int64_t> mostRegisters(const profiler::KernelPackage &plain) {
  constexpr int64_t kRegisters = 65536, kStep = 8, kMost = 255;
  const int64_t threads = int64_t(plain.numWarps) * 32;
  if (!plain.registers || *plain.registers <= 0)
    return std::nullopt;
  const int64_t taken = (*plain.registers + kStep - 1) / kStep * kStep;
  const int64_t blocks = kRegisters / (taken * threads);
  if (blocks == 0)
    return std::nullopt;
  return std::min(kRegisters / (blocks * threads) / kStep * kStep, kMost);
}

compiler::Selection tracedSelection(const compiler::Selection &selection, const TraceChoice &choice,
                                    const profiler::KernelPackage &plain) {
  const auto quoted = [](const std::string &text) { return "\"" + text + "\""; };
  compiler::Selection traced = selection;
  traced.options["trace"] = quoted(choice.kinds.empty() ? "all" : choice.kinds);
  traced.options["trace_programs"] =
      quoted(choice.programs.empty() ? usualPrograms(plain.plan) : choice.programs);
  if (!choice.warps.empty())
    traced.options["trace_warps"] = quoted(choice.warps);
  if (const auto registers = mostRegisters(plain); registers && !traced.options.contains("maxnreg"))
    traced.options["maxnreg"] = std::to_string(*registers);
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
