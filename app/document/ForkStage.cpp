// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/document/ForkStage.h"

#include <algorithm>

namespace tilescope::app {

using compiler::CompileResult;
using compiler::StageId;
using profiler::LaunchArgument;
using profiler::LaunchBlock;
using profiler::LaunchEntry;

static void setEntry(std::vector<LaunchEntry> &entries, const std::string &name,
                     const std::string &value) {
  const auto known = std::ranges::find(entries, name, &LaunchEntry::name);
  if (known == entries.end())
    entries.push_back({name, {}, {value, {}, {}}});
  else
    known->value = {value, {}, {}};
}

static std::map<std::string, std::string> compiledOptions(const CompileResult &result) {
  return {{"num_warps", std::to_string(result.metadata.numWarps)},
          {"num_stages", std::to_string(result.metadata.numStages)}};
}

/// In the kernel's order, by which documents without argument names tell arguments apart.
static void sortArguments(std::vector<LaunchArgument> &arguments, const CompileResult &result) {
  const auto &parameters = result.metadata.parameters;
  std::ranges::stable_sort(arguments, {}, [&](const LaunchArgument &argument) {
    return std::ranges::find(parameters, argument.name, &compiler::KernelParameter::name) -
           parameters.begin();
  });
}

std::string forkText(const KernelDocument &document, const CompileResult &result, StageId stage) {
  const compiler::Stage *made = result.stage(stage);
  // A document's own text has its launch blocks.
  if (!made || !document.launchBlock() || stage == document.source->entry)
    return made ? made->text : std::string();
  LaunchBlock block = *document.launchBlock();
  block.kernel = result.metadata.name;
  for (const auto &[name, value] : result.constexprs)
    setEntry(block.constexprs, name, value);
  for (const auto &[name, value] : compiledOptions(result))
    setEntry(block.options, name, value);
  // An argument that is a compile-time value is not a parameter of the document.
  std::erase_if(block.args, [&](const LaunchArgument &argument) {
    return result.constexprs.contains(argument.name);
  });
  sortArguments(block.args, result);
  const char *mark = stage == StageId::LlvmIr ? ";" : "//";
  return profiler::formatLaunchBlock(block, mark) + "\n" + made->text;
}

KernelChoice forkChoice(const KernelDocument &document, const CompileResult &result) {
  KernelChoice choice;
  if (!document.launchBlock())
    choice.options = compiledOptions(result);
  return choice;
}

} // namespace tilescope::app
