// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SweptNames.h"

#include "compiler/artifacts/LaunchOptions.h"
#include "compiler/support/Text.h"

#include <algorithm>

namespace tilescope::app {

SweptKind sweptKind(const std::string &name, const profiler::LaunchBlock &block,
                    const SourceKernel *kernel) {
  const auto isAmong = [&](const std::vector<profiler::LaunchEntry> &entries) {
    return std::ranges::find(entries, name, &profiler::LaunchEntry::name) != entries.end();
  };
  if (isAmong(block.sizes))
    return SweptKind::Size;
  if (isAmong(block.options) || compiler::isLaunchOption(name))
    return SweptKind::Option;
  if (isAmong(block.constexprs))
    return SweptKind::Constexpr;
  if (kernel != nullptr)
    for (const profiler::LaunchParameter &parameter : kernel->parameters)
      if (parameter.name == name && parameter.isConstexpr)
        return SweptKind::Constexpr;
  return SweptKind::Unknown;
}

std::vector<std::string> sweptNames(std::string_view key) {
  std::vector<std::string> names;
  for (;;) {
    const size_t comma = key.find(',');
    names.emplace_back(trimmed(key.substr(0, comma)));
    if (comma == std::string_view::npos)
      return names;
    key.remove_prefix(comma + 1);
  }
}

std::vector<profiler::LaunchProblem> sweepProblems(const profiler::LaunchBlock &block,
                                                   const SourceKernel *kernel) {
  std::vector<profiler::LaunchProblem> problems;
  for (const profiler::LaunchSweep &sweep : block.sweep)
    for (const std::string &name : sweptNames(sweep.name))
      if (sweptKind(name, block, kernel) == SweptKind::Unknown)
        problems.push_back({sweep.nameRange,
                            "sweep over `" + name + "`, which is not a size, constexpr, or option",
                            ""});
  return problems;
}

} // namespace tilescope::app
