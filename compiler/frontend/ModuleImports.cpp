// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ModuleImports.h"

namespace tilescope::compiler::frontend {

inference::ImportedFunctions::Found ModuleImports::find(std::string_view name) const {
  static constexpr int kMaxDepth = 4;
  auto binding = m_module.bindings.find(name);
  if (binding == m_module.bindings.end() || m_depth >= kMaxDepth)
    return {};
  const Binding &import = binding->second;
  if (import.kind != Binding::Kind::Import || import.member.empty())
    return {};
  const SourceModule *source = m_modules.import(m_module, import.module, import.level);
  if (!source)
    return {};
  File &file = m_files[source];
  if (!file.imports)
    file = {ast::indexModule(*source->tree),
            std::unique_ptr<ModuleImports>(new ModuleImports(m_modules, *source, m_depth + 1))};
  if (const ast::JitFunction *function = file.index.findFunction(import.member))
    return {&file.index, function, file.imports.get()};
  // Packages export the definitions of their files.
  return file.imports->find(import.member);
}

} // namespace tilescope::compiler::frontend
