// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Prelude.h"

#include "compiler/frontend/PreludeSources.inc"
#include "compiler/syntax/Parser.h"

#include <cassert>

namespace tilescope::compiler::frontend {

namespace {
struct Prelude {
  std::vector<PreludeFile> files;
  llvm::StringMap<size_t> fileOfName;

  Prelude() {
    for (const auto &[name, text] : kPreludeSources) {
      PreludeFile file;
      file.path = "<tilescope>/prelude/" + std::string(name);
      file.tree = ast::parseModule(std::string(text));
      assert(!file.tree->hasErrors() && "the prelude does not parse");
      file.scan = scanModule(file.path, file.tree);
      for (const ast::FunctionDef *function : file.scan->functions)
        // Kernels take this one from `tl.standard`.
        if (!function->name.starts_with('_') || function->name == "_log2")
          fileOfName[function->name] = files.size();
      files.push_back(std::move(file));
    }
  }
};
} // namespace

static const Prelude &prelude() {
  static const Prelude instance;
  return instance;
}

std::span<const PreludeFile> preludeFiles() { return prelude().files; }

const PreludeFile *findPreludeFile(std::string_view name) {
  auto found = prelude().fileOfName.find(name);
  return found == prelude().fileOfName.end() ? nullptr : &prelude().files[found->second];
}

} // namespace tilescope::compiler::frontend
