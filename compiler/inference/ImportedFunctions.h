// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>

namespace tilescope::compiler::inference {

/// The `@triton.jit` functions that a file imports, by the names that it uses for them.
class ImportedFunctions {
public:
  /// A function of another file, what names mean there, and what that file imports itself.
  struct Found {
    const ast::ModuleIndex *index = nullptr;
    const ast::JitFunction *function = nullptr;
    const ImportedFunctions *imports = nullptr;
  };

  virtual ~ImportedFunctions() = default;
  /// Without a function when the name stands for none. The functions found live as long as this
  /// object.
  virtual Found find(std::string_view name) const = 0;
};

} // namespace tilescope::compiler::inference
