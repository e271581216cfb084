// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The arguments whose values depend on the outcome of a race for `raced`, itself included; nothing:
/// any may.
std::optional<std::vector<std::string>>
decidedByRace(mlir::ModuleOp module, const InterpreterLaunch &launch, const std::string &raced);

/// Whether what is read of `raced` may decide what is stored to it.
bool readsIntoItself(mlir::ModuleOp module, const InterpreterLaunch &launch,
                     const std::string &raced);

} // namespace tilescope::compiler
