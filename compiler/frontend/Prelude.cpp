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
  llvm::StringMap<size_t> fileOfModule;

  /// Of the private ones kernels take some from `tl.standard`: `_log2`, `_sum_combine`,
  /// `_elementwise_max` …
  static bool isFound(std::string_view name) {
    return !name.starts_with('_') || name == "_log2" || name.starts_with("_elementwise_") ||
           name.find("_combine") != std::string_view::npos;
  }

  Prelude() {
    for (const auto &[name, text] : kPreludeSources) {
      PreludeFile file;
      file.path = "<tilescope>/prelude/" + std::string(name);
      file.tree = ast::parseModule(std::string(text));
      assert(!file.tree->hasErrors() && "the prelude does not parse");
      file.scan = scanModule(file.path, file.tree);
      std::string_view stem = name.substr(0, name.rfind('.'));
      bool isModule = stem.find('.') != std::string_view::npos;
      if (isModule)
        fileOfModule[stem] = files.size();
      for (const ast::FunctionDef *function : file.scan->functions)
        if (!isModule && isFound(function->name))
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

static const PreludeFile *find(const llvm::StringMap<size_t> &index, std::string_view key) {
  auto found = index.find(key);
  return found == index.end() ? nullptr : &prelude().files[found->second];
}

const PreludeFile *findPreludeFile(std::string_view name) {
  return find(prelude().fileOfName, name);
}

const PreludeFile *findPreludeModule(std::string_view dotted) {
  return find(prelude().fileOfModule, dotted);
}

} // namespace tilescope::compiler::frontend
