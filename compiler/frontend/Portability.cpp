// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Portability.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

void warnUnportable(Emitter &emitter, const std::string &what) {
  const Frame &frame = emitter.frame();
  if (!frame.isModuleLevel && !frame.isCompileTime && !frame.module->isPrelude)
    emitter.warn(DiagnosticKind::UnsupportedSyntax, what + ": Triton does not compile this");
}

bool isPortableBuiltin(std::string_view name) {
  static constexpr std::string_view kNames[] = {"float", "getattr", "hasattr", "int",  "isinstance",
                                                "len",   "list",    "max",     "min",  "print",
                                                "range", "repr",    "str",     "tuple"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

} // namespace tilescope::compiler::frontend
