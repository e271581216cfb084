// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// A file that can be compiled.
struct InputFile {
  std::string path;
  std::string text;
  /// The stage at which it enters.
  compiler::StageId entry{};
  /// Target and options that Triton wrote down beside an IR file.
  compiler::Selection facts;
};

/// A file of another kind, by its name: a kernel package, a model. The error says what reads it.
std::optional<Error> fileOfOtherKind(const std::string &path);

/// The stage at which a file enters, by its name and, for `.mlir`, by its text.
Result<compiler::StageId> entryStage(std::string_view path, std::string_view text);

/// Fails, saying why, when the interpreter cannot run a document that enters at `entry`.
Status checkInterpretable(std::string_view path, compiler::StageId entry);

/// Reads a kernel or IR file. A folder of Triton's cache stands for the earliest stage of its
/// kernel; `kernel` says which one when it holds several.
Result<InputFile> readInput(const std::string &path, const std::string &kernel = {});

} // namespace tilescope::app
