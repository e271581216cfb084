// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of `tl` that is written in the kernel language, and modules that kernels import where
// they are not installed. The files are built into the library and
// parsed once per process.
#pragma once

#include "compiler/frontend/Modules.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

struct PreludeFile {
  /// `<tilescope>/prelude/standard.py`
  std::string path;
  std::shared_ptr<const ast::SyntaxTree> tree;
  /// Bindings of its top level. Shared by all compilations: nothing may be cached in it.
  std::unique_ptr<const SourceModule> scan;
};

/// All of them, parsed. Thread-safe.
std::span<const PreludeFile> preludeFiles();

/// The file that defines `tl.name`, or null. Names with a leading underscore are private.
const PreludeFile *findPreludeFile(std::string_view name);

/// The file that is the module of this name, e.g. `triton.tools.ragged_tma`, or null.
const PreludeFile *findPreludeModule(std::string_view dotted);

} // namespace tilescope::compiler::frontend
