// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/InputFile.h"

#include "profiler/data/FileIo.h"

#include <filesystem>

namespace tilescope::app {

using compiler::StageId;

Result<StageId> entryStage(std::string_view path, std::string_view text) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".py")
    return StageId::Ast;
  if (ending == ".ttir")
    return StageId::Ttir;
  if (ending == ".ttgir")
    return StageId::Ttgir;
  if (ending == ".ll" || ending == ".llir")
    return StageId::LlvmIr;
  if (ending == ".ptx")
    return StageId::Ptx;
  if (ending == ".mlir") {
    if (text.find("ttg.") != std::string_view::npos)
      return StageId::Ttgir;
    return text.find("llvm.func") != std::string_view::npos ? StageId::LlvmIr : StageId::Ttir;
  }
  return Error{ErrorCode::InvalidInput, "`" + std::string(path) + "` is of no known kind",
               "kernel files end in .py, IR files in .ttir, .ttgir, .mlir, .ll or .ptx"};
}

Result<InputFile> readInput(const std::string &path) {
  Result<std::string> text = profiler::readFile(path);
  if (!text)
    return Error{ErrorCode::InvalidInput, text.error().message, text.error().hint};
  const Result<StageId> entry = entryStage(path, *text);
  if (!entry)
    return entry.error();
  return InputFile{path, std::move(*text), *entry};
}

} // namespace tilescope::app
