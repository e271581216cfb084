// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// Where a name is defined.
struct Definition {
  /// Empty: in the document that was asked about.
  std::string path;
  /// The text of `path`.
  std::string text;
  SourceRange range;
};

/// Where the name at a place of a kernel file is defined: in the file itself, in a file of the
/// project that it imports from (one of `known`, else beside `path` on the disk), or in the prelude
/// when it is a `tl` function that is written in the kernel language.
std::optional<Definition> findDefinition(const std::string &text, const std::string &path,
                                         Position position,
                                         const std::vector<compiler::SourceFile> &known);

/// The function of the language, such as `tl.load`, that the name at a place is; empty: it is none.
std::string builtInAt(const std::string &text, Position position);

} // namespace tilescope::app
