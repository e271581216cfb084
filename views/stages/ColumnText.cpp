// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/ColumnText.h"

#include "views/common/Correlation.h"
#include "views/common/MovedPlaces.h"

#include <algorithm>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::LineMapping;
using compiler::PassRecord;
using compiler::SourceMap;
using compiler::Stage;
using compiler::StageId;

/// The way to LLVM IR begins in MLIR.
static TextLanguage languageOf(const PassRecord &record) {
  const std::string_view ir = record.ir;
  const bool isMlir =
      ir.starts_with("module") || ir.starts_with("#") || ir.starts_with("\"builtin");
  return isMlir ? TextLanguage::Mlir : stageLanguage(record.stage);
}

static ColumnText textOf(const PassRecord &record) {
  return {record.ir, &record.irMap, languageOf(record)};
}

std::optional<ColumnText> columnText(const CompileResult &result, StageId stage,
                                     const std::optional<PassKey> &pass) {
  if (!pass) {
    const Stage *made = result.stage(stage);
    if (!made || !made->ok || made->text.empty())
      return std::nullopt;
    return ColumnText{made->text, &made->sourceMap, stageLanguage(stage)};
  }
  const std::optional<size_t> index = findPass(result, *pass);
  if (!index || result.passes[*index].failed)
    return std::nullopt;
  const PassRecord *record = recordedUpTo(result, *index);
  // What changed and has no IR was not recorded; the IR before it is another one.
  const bool isKept = !result.passes[*index].changed || !result.passes[*index].ir.empty();
  return record && isKept ? std::optional(textOf(*record)) : std::nullopt;
}

PassStep passStep(const CompileResult &result, StageId stage, const std::optional<PassKey> &pass) {
  PassStep step;
  const PassRecord *recorded = nullptr, *before = nullptr;
  const std::optional<size_t> chosen = pass ? findPass(result, *pass) : std::nullopt;
  for (size_t i = 0; i < result.passes.size(); ++i) {
    const PassRecord &record = result.passes[i];
    const bool isMeant = pass ? chosen == i : record.stage == stage && record.changed;
    if (isMeant) {
      step.pass = &record;
      before = recorded;
    }
    if (record.changed && !record.ir.empty()) {
      recorded = &record;
      step.isRecorded = true;
    }
  }
  if (!step.pass)
    return step;
  if (!step.pass->changed) {
    if (before)
      step.before = step.after = textOf(*before);
    return step;
  }
  if (!step.pass->ir.empty())
    step.after = textOf(*step.pass);
  if (before && !translatesCode(*step.pass) && step.after)
    step.before = textOf(*before);
  return step;
}

static const LineMapping *mappingOf(const SourceMap &map, int32_t line) {
  if (line < 0)
    return nullptr;
  const auto at = static_cast<uint32_t>(line);
  const auto found = std::ranges::lower_bound(map.lines, at, {}, &LineMapping::line);
  return found == map.lines.end() || found->line != at ? nullptr : &*found;
}

SourceMap diffSources(const std::vector<DiffLine> &lines, const SourceMap &before,
                      const SourceMap &after) {
  SourceMap joined;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool isGone = lines[i].kind == DiffKind::Removed;
    if (const LineMapping *mapping =
            isGone ? mappingOf(before, lines[i].oldLine) : mappingOf(after, lines[i].newLine))
      joined.lines.push_back({static_cast<uint32_t>(i), mapping->sources});
  }
  return joined;
}

SourceMap movedSources(const SourceMap &map, std::string_view before, std::string_view after) {
  if (before == after)
    return map;
  const MovedPlaces places(before, after);
  SourceMap moved;
  for (const LineMapping &mapping : map.lines) {
    LineMapping there{mapping.line, {}};
    for (const SourceRange &source : mapping.sources)
      if (const std::optional<SourceRange> range = places.moved(source))
        there.sources.push_back(*range);
    if (!there.sources.empty())
      moved.lines.push_back(std::move(there));
  }
  return moved;
}

} // namespace tilescope::views
