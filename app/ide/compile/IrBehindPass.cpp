// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/IrBehindPass.h"

#include <algorithm>

namespace tilescope::app {

using compiler::CompileRequest;
using compiler::CompileResult;
using compiler::LineMapping;
using compiler::PassRecord;
using compiler::SourceMap;
using compiler::Stage;
using compiler::StageId;

CompileRequest requestBehind(const CompileRequest &document, const PassRecord &record) {
  CompileRequest request;
  request.revision = document.revision;
  request.path = document.path + ".ttgir";
  request.text = record.ir;
  request.entry = StageId::Ttgir;
  // Warps, target and arguments are stated in the IR; a limit of registers is not.
  request.selection.options = document.selection.options;
  request.stopAfter = StageId::Cubin;
  return request;
}

SourceRange sourceBehind(const SourceMap &irMap, const SourceRange &place) {
  if (place.file != 0 || place.empty())
    return {};
  const std::vector<SourceRange> sources = views::documentSources(irMap, place.begin.line);
  return sources.empty() ? SourceRange() : sources.front();
}

static SourceMap sourceMapBehind(const SourceMap &irMap, const SourceMap &onward) {
  SourceMap moved;
  for (const LineMapping &mapping : onward.lines) {
    LineMapping there{mapping.line, {}};
    for (const SourceRange &place : mapping.sources)
      if (place.file == 0 && !place.empty())
        for (const SourceRange &source : views::documentSources(irMap, place.begin.line))
          there.sources.push_back(source);
    if (!there.sources.empty())
      moved.lines.push_back(std::move(there));
  }
  return moved;
}

ResultPointer resultBehind(const CompileResult &document, const PassRecord &record,
                           const CompileResult &onward) {
  auto result = std::make_shared<CompileResult>();
  result->revision = document.revision;
  result->ok = true;
  result->kernel = document.kernel;
  result->kernels = document.kernels;
  result->target = document.target;
  result->files = document.files;
  result->metadata = onward.metadata;
  result->resources = onward.resources;
  if (const Stage *stage = onward.stage(StageId::Ttgir); stage && stage->ok) {
    Stage moved;
    moved.id = StageId::Ttgir;
    moved.ok = true;
    moved.text = stage->text;
    moved.sourceMap = sourceMapBehind(record.irMap, stage->sourceMap);
    result->stages.push_back(std::move(moved));
  }
  result->layouts = onward.layouts;
  for (compiler::LayoutFacts &facts : result->layouts)
    facts.source = sourceBehind(record.irMap, facts.source);
  return result;
}

void moveToSource(const SourceMap &irMap, compiler::SharedFacts &facts) {
  const auto move = [&](auto &each) { each.range = sourceBehind(irMap, each.range); };
  std::ranges::for_each(facts.steps, move);
  std::ranges::for_each(facts.buffers, move);
  std::ranges::for_each(facts.rings, move);
  for (compiler::SharedAccess &access : facts.accesses)
    move(access.facts);
}

} // namespace tilescope::app
