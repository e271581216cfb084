// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/registers/RegistersContent.h"

#include <algorithm>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

std::string RegistersContent::lineText(const Code &code, size_t step) {
  std::string_view text = code.text;
  for (uint32_t line = code.liveness.lines[step]; line > 0; --line)
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  text = text.substr(0, text.find('\n'));
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string() : std::string(text.substr(first));
}

static const Stage *finished(const CompileResult &result, StageId id) {
  const Stage *stage = result.stage(id);
  return stage && stage->ok && !stage->text.empty() ? stage : nullptr;
}

RegistersContentPointer makeRegistersContent(const CompileResult &result, std::string source) {
  auto content = std::make_shared<RegistersContent>();
  content->sass.stage = StageId::Sass;
  content->ptx.stage = StageId::Ptx;
  content->source = std::move(source);
  content->target = result.target;
  content->resources = result.resources;
  if (content->resources.sharedBytes < 0)
    content->resources.sharedBytes = result.metadata.sharedBytes;
  if (content->resources.threads < 0)
    content->resources.threads = int64_t{result.metadata.numWarps} * 32;
  content->limit = registerLimit(result, content->resources.threads);
  if (const Stage *sass = finished(result, StageId::Sass)) {
    const Stage *cubin = finished(result, StageId::Cubin);
    content->sass.text = sass->text;
    content->sass.map = sass->sourceMap;
    content->sass.liveness =
        compiler::machine::sassLiveness(sass->text, cubin ? cubin->text : std::string());
  }
  if (const Stage *ptx = finished(result, StageId::Ptx)) {
    content->ptx.text = ptx->text;
    content->ptx.map = ptx->sourceMap;
    content->ptx.liveness = compiler::machine::ptxLiveness(ptx->text);
  }
  return content;
}

} // namespace tilescope::views
