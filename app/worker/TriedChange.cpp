// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/TriedChange.h"

#include "compiler/artifacts/AppliedFix.h"
#include "compiler/pipeline/SourceEdits.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>

namespace tilescope::app {

using namespace compiler;

/// What has to be replaced in one text to get another.
static DiagnosticFix editBetween(const std::string &before, const std::string &after) {
  const auto [left, right] = std::ranges::mismatch(before, after);
  auto oldEnd = before.end();
  auto newEnd = after.end();
  while (oldEnd != left && newEnd != right && oldEnd[-1] == newEnd[-1])
    --oldEnd, --newEnd;
  const auto positionOf = [&](std::string::const_iterator at) {
    const auto line = std::count(before.begin(), at, '\n');
    const size_t offset = static_cast<size_t>(at - before.begin());
    const size_t begin = offset == 0 ? 0 : before.rfind('\n', offset - 1) + 1;
    return Position{static_cast<uint32_t>(line), static_cast<uint32_t>(offset - begin)};
  };
  return {{positionOf(left), positionOf(oldEnd), 0}, std::string(right, newEnd), ""};
}

/// The block of the launch; nothing where several, or none, could be it.
static std::optional<size_t> blockOf(const std::string &text, const profiler::LaunchPlan &plan) {
  const std::vector<profiler::LaunchBlock> blocks = profiler::parseLaunchBlocks(text).blocks;
  std::optional<size_t> found;
  for (size_t index = 0; index < blocks.size(); ++index)
    if (profiler::isOfPlan(blocks[index], plan)) {
      if (found)
        return std::nullopt;
      found = index;
    }
  return found;
}

/// Another value of an option, in the launch's block.
static std::optional<TriedChange> setOption(const CountTask &task, const ProposedChange &change) {
  const CompileRequest &request = task.message.request;
  const std::optional<size_t> block = blockOf(request.text, task.plan);
  if (!block)
    return std::nullopt;
  const Result<std::string> text =
      profiler::editLaunchBlock(request.text, *block, {{{"options", change.name}, change.value}});
  if (!text || *text == request.text)
    return std::nullopt;
  TriedChange result{editBetween(request.text, *text), request};
  result.edit.title = "set `" + change.name + "` to " + change.value;
  result.request.text = *text;
  result.request.selection.options[change.name] = change.value;
  return result;
}

/// The value of an argument as the block of the launch writes it.
static std::optional<std::string> writtenValue(const std::string &text, size_t block,
                                               const std::string &argument) {
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(text);
  for (const profiler::LaunchArgument &each : blocks.blocks[block].args)
    if (each.name == argument && !each.isTensor)
      return each.value.text;
  return std::nullopt;
}

/// What gives a constexpr the value that its argument has in the launch block: the expression moves from the
/// arguments; a size of its name stays where it is, since others may be made of it, and a default says it
/// already. Nothing where the block gives no value that can be written again.
static std::optional<std::vector<profiler::LaunchEdit>>
asConstexpr(const std::string &text, size_t block, const std::string &name) {
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(text);
  std::vector<profiler::LaunchEdit> edits;
  std::string value;
  if (const std::optional<std::string> written = writtenValue(text, block, name)) {
    edits.push_back({{"args", name}, std::nullopt});
    value = *written;
  } else if (std::ranges::find(blocks.blocks[block].sizes, name, &profiler::LaunchEntry::name) !=
             blocks.blocks[block].sizes.end()) {
    value = name;
  } else {
    return edits;
  }
  if (value.find_first_of("\"\\") != std::string::npos)
    return std::nullopt;
  edits.push_back({{"constexprs", name}, "\"" + value + "\""});
  return edits;
}

/// A parameter with a `tl.constexpr`, and its value among the block's.
static std::optional<TriedChange> setConstexpr(const CountTask &task,
                                               const ProposedChange &change) {
  const CompileRequest &request = task.message.request;
  const auto annotated = makeConstexpr(request.text, task.plan.kernel, change.name);
  const std::optional<size_t> block = blockOf(request.text, task.plan);
  const profiler::PlanArgument *argument = task.plan.argument(change.name);
  const int64_t *number =
      argument && argument->scalar() ? std::get_if<int64_t>(&argument->scalar()->value) : nullptr;
  if (!annotated || !block || !number)
    return std::nullopt;
  const auto edits = asConstexpr(request.text, *block, change.name);
  if (!edits)
    return std::nullopt;
  const Result<std::string> text =
      profiler::editLaunchBlock(fixedText(request.text, *annotated), *block, *edits);
  if (!text)
    return std::nullopt;
  TriedChange result{editBetween(request.text, *text), request};
  result.edit.title = annotated->title;
  result.request.text = *text;
  result.request.selection.signature.erase(change.name);
  result.request.selection.constexprs[change.name] = std::to_string(*number);
  return result;
}

static std::optional<TriedChange> setSpecialized(const CountTask &task,
                                                 const ProposedChange &change) {
  const CompileRequest &request = task.message.request;
  std::optional<DiagnosticFix> edit = specialize(request.text, task.plan.kernel, change.name);
  if (!edit)
    return std::nullopt;
  TriedChange result{std::move(*edit), request};
  result.request.text = fixedText(request.text, result.edit);
  // As a launch without the list chooses, if the type does not say so already.
  if (const auto type = result.request.selection.signature.find(change.name);
      type != result.request.selection.signature.end() &&
      type->second.find(':') == std::string::npos)
    type->second += ":1";
  return result;
}

static std::optional<DiagnosticFix> editFor(const std::string &text, const FoundHint &hint) {
  const ProposedChange &change = *hint.change;
  switch (change.kind) {
  case ChangeKind::DropArguments:
    return dropArguments(text, hint.range, change.names);
  case ChangeKind::SetArgument:
    return setArgument(text, hint.range, change.name, change.value);
  case ChangeKind::ReuseResult:
    return reuseResult(text, hint.range, change.place);
  case ChangeKind::Hoist:
    return hoistAssignment(text, hint.range);
  case ChangeKind::Option:
  case ChangeKind::Specialize:
  case ChangeKind::Constexpr:
    break;
  }
  return std::nullopt;
}

std::optional<TriedChange> makeChange(const CountTask &task, const FoundHint &hint) {
  if (hint.change->kind == ChangeKind::Option)
    return setOption(task, *hint.change);
  if (hint.change->kind == ChangeKind::Constexpr)
    return setConstexpr(task, *hint.change);
  if (hint.change->kind == ChangeKind::Specialize)
    return setSpecialized(task, *hint.change);
  const CompileRequest &request = task.message.request;
  std::optional<DiagnosticFix> edit =
      hint.range.file == 0 ? editFor(request.text, hint) : std::nullopt;
  if (!edit)
    return std::nullopt;
  TriedChange result{std::move(*edit), request};
  result.request.text = fixedText(request.text, result.edit);
  return result;
}

} // namespace tilescope::app
