// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/support/Result.h"

#include <string>
#include <string_view>

namespace tilescope::app {

/// A file that can be compiled.
struct InputFile {
  std::string path;
  std::string text;
  /// The stage at which it enters.
  compiler::StageId entry{};
};

/// The stage at which a file enters, by its name and, for `.mlir`, by its text.
Result<compiler::StageId> entryStage(std::string_view path, std::string_view text);

Result<InputFile> readInput(const std::string &path);

} // namespace tilescope::app
