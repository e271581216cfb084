// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/InputFile.h"

#include "app/launch/TritonCache.h"
#include "compiler/artifacts/DocumentEnding.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

#include <filesystem>

namespace tilescope::app {

using compiler::StageId;

Result<StageId> entryStage(std::string_view path, std::string_view text) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".py")
    return StageId::Ast;
  if (const std::optional<StageId> stage = compiler::stageOfEnding(ending))
    return *stage;
  if (ending == ".mlir") {
    if (text.find("ttg.") != std::string_view::npos)
      return StageId::Ttgir;
    return text.find("llvm.func") != std::string_view::npos ? StageId::LlvmIr : StageId::Ttir;
  }
  return Error{ErrorCode::InvalidInput, "`" + std::string(path) + "` is not a known kind of file",
               "kernel files end in .py, IR files in .ttir, .ttgir, .mlir, .ll or .ptx"};
}

Status checkInterpretable(std::string_view path, StageId entry) {
  if (entry <= StageId::Ttir)
    return {};
  return Error{ErrorCode::InvalidInput,
               "`" + std::string(path) + "` cannot run on the CPU: it is " +
                   std::string(compiler::stageTitle(entry)) +
                   ", and the interpreter executes kernel files and TTIR",
               "a GPU can run it, on this machine or over ssh"};
}

/// The earliest stage of the kernel that a cache folder holds.
static Result<std::string> fileOfFolder(const std::string &folder, const std::string &wanted) {
  std::string names;
  std::vector<CachedKernel> kernels;
  for (CachedKernel &kernel : cachedKernels(folder)) {
    names += (names.empty() ? "`" : ", `") + kernel.name + "`";
    if ((wanted.empty() || kernel.name == wanted) && !kernel.entryFile().empty())
      kernels.push_back(std::move(kernel));
  }
  if (kernels.size() == 1)
    return kernels.front().entryFile();
  if (names.empty())
    return Error{ErrorCode::InvalidInput, "`" + folder + "` holds no compiled kernel",
                 "a folder of Triton's cache has a file for each stage: name.ttir, name.ttgir, …"};
  if (kernels.empty())
    return Error{
        ErrorCode::InvalidInput,
        "`" + folder + "` holds no stage of `" + wanted + "` that compiles; it has " + names, ""};
  return Error{ErrorCode::Usage, "`" + folder + "` holds several kernels: " + names,
               "`--kernel NAME` says which"};
}

std::optional<Error> fileOfOtherKind(const std::string &path) {
  if (path.ends_with(".tskernel"))
    return Error{ErrorCode::InvalidInput, "`" + path + "` is a kernel package, not a source file",
                 "`tilescope-runner run " + path + "` runs it on a GPU"};
  if (path.ends_with(".onnx") || path.ends_with(".pt2"))
    return Error{ErrorCode::InvalidInput, "`" + path + "` is a model, not a source file",
                 "`tilescope model compile " + path +
                     " -o model.py` writes its kernels into a "
                     "kernel file"};
  return std::nullopt;
}

Result<InputFile> readInput(const std::string &path, const std::string &kernel) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    const Result<std::string> file = fileOfFolder(path, kernel);
    return file ? readInput(*file) : Result<InputFile>(file.error());
  }
  if (std::optional<Error> other = fileOfOtherKind(path))
    return *other;
  Result<std::string> text = profiler::readTextFile(path);
  if (!text)
    return text.error();
  const Result<StageId> entry = entryStage(path, *text);
  if (!entry)
    return entry.error();
  InputFile input{path, std::move(*text), *entry, {}};
  if (input.entry == StageId::Ast)
    return input;
  // The parser of kernel files says where; those of IR take any bytes.
  if (const std::optional<size_t> offset = profiler::firstInvalidUtf8(input.text))
    return Error{ErrorCode::InvalidInput,
                 "cannot read `" + path + "`: it is not UTF-8 from byte " +
                     std::to_string(*offset) + " on",
                 "save it in that encoding"};
  input.facts = metadataBeside(path);
  return input;
}

} // namespace tilescope::app
