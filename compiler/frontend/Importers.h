// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// A file that imports a function of another one, and what it calls it.
struct Importer {
  std::string path;
  std::shared_ptr<const ast::SyntaxTree> tree;
  std::string alias;
};

/// Files that import `name` from the file at `path` and name it in a `@triton.jit` function: those
/// in the same folder and its subfolders, then those in the folder above and its subfolders. A few;
/// how much is searched is bounded. None when there is no file at `path`.
std::vector<Importer> importersOf(const std::string &path, std::string_view name);

} // namespace tilescope::compiler::frontend
