// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Modules.h"
#include "compiler/inference/ImportedFunctions.h"

#include <map>
#include <memory>

namespace tilescope::compiler::frontend {

/// The functions that one file of a compilation imports from others, which are read when they are
/// asked for. The modules must outlive it.
class ModuleImports final : public inference::ImportedFunctions {
public:
  ModuleImports(ModuleTable &modules, const SourceModule &module)
      : ModuleImports(modules, module, 0) {}

  Found find(std::string_view name) const override;

private:
  struct File {
    ast::ModuleIndex index;
    std::unique_ptr<ModuleImports> imports;
  };
  ModuleImports(ModuleTable &modules, const SourceModule &module, int depth)
      : m_modules(modules), m_module(module), m_depth(depth) {}

  ModuleTable &m_modules;
  const SourceModule &m_module;
  /// Files that import each other in a circle would go on for ever.
  int m_depth;
  mutable std::map<const SourceModule *, File> m_files;
};

} // namespace tilescope::compiler::frontend
