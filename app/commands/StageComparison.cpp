// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/StageComparison.h"

#include "profiler/report/StageDifference.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using compiler::Stage;
using compiler::StageId;

/// Null: the kernel does not have it as a text.
static const Stage *textOf(const ComparedSide &side, StageId id) {
  const Stage *stage = side.inspection.file.result.stage(id);
  return stage && stage->ok && !stage->text.empty() && id != StageId::Cubin ? stage : nullptr;
}

static profiler::StageDifference difference(const Stage &before, const Stage &after) {
  const compiler::StageKind &kind = compiler::stageKind(after.id);
  return profiler::stageDifference(std::string(kind.name), std::string(kind.title), before.text,
                                   after.text);
}

static std::string patchOf(const profiler::StageDifference &difference) {
  return profiler::patchText(difference.diff, std::numeric_limits<size_t>::max());
}

std::string stagesText(const ComparedSide &before, const ComparedSide &after,
                       const std::set<StageId> &emitted) {
  std::string text;
  for (const StageId id : emitted) {
    text += "\n" + std::string(compiler::stageName(id)) + ": ";
    const Stage *old = textOf(before, id), *now = textOf(after, id);
    if (id == StageId::Cubin)
      text += "bytes, which are compared as `sass`\n";
    else if (!old && !now)
      text += "neither has it\n";
    else if (!old || !now)
      text += "`" + (old ? after : before).name + "` does not have it\n";
    else {
      const profiler::StageDifference found = difference(*old, *now);
      text += profiler::differenceCount(found.diff) + "\n";
      if (!found.isSame())
        text += patchOf(found);
    }
  }
  return text;
}

nlohmann::json stagesJson(const ComparedSide &before, const ComparedSide &after,
                          const std::set<StageId> &emitted) {
  nlohmann::json stages = nlohmann::json::array();
  for (const compiler::StageKind &kind : compiler::kStageKinds) {
    const Stage *old = textOf(before, kind.id), *now = textOf(after, kind.id);
    if (!old || !now)
      continue;
    const profiler::StageDifference found = difference(*old, *now);
    nlohmann::json stage = {
        {"name", kind.name}, {"added", found.diff.numAdded}, {"removed", found.diff.numRemoved}};
    if (emitted.contains(kind.id))
      stage["diff"] = found.isSame() ? "" : patchOf(found);
    stages.push_back(std::move(stage));
  }
  return stages;
}

} // namespace tilescope::app
