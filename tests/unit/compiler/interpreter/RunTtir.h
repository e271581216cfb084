// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include <string>
#include <string_view>

namespace tilescope::tests {

/// Parses a module of TTIR and executes its public function.
compiler::Interpretation runTtir(std::string_view text, const compiler::InterpreterLaunch &launch,
                                 const compiler::InterpreterOptions &options = {});

/// Arguments of a launch.
template <typename Range> compiler::InterpreterArgument memory(std::string name, Range &elements) {
  compiler::InterpreterArgument argument;
  argument.name = std::move(name);
  argument.data = reinterpret_cast<std::byte *>(elements.data());
  argument.sizeBytes = elements.size() * sizeof(elements[0]);
  return argument;
}
compiler::InterpreterArgument scalar(std::string name, int64_t value);

} // namespace tilescope::tests
