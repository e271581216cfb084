// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What kernels write for functions that NumPy, PyTorch and Python have.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Emitter.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// Whether a dotted path leads into a library that computes outside of kernels: NumPy, PyTorch.
inline bool isHostLibrary(std::string_view path) {
  const std::string_view package = path.substr(0, path.find('.'));
  return package == "numpy" || package == "torch";
}

/// Whether kernels write something else for a function of this name, e.g. `relu`.
bool hasCounterpart(std::string_view name);

/// For a function of the host's libraries, or of Python: what kernels have for it, e.g. `tl.exp`
/// for `math.exp`, `tl.maximum(x, 0)` for `relu`. Empty when they have
/// nothing of that name.
std::vector<std::string> counterpartNotes(std::string_view path);

/// Adds these notes for the attribute `name` at the diagnostic's place, with the operand that the
/// source has there, and a fix where the same call works in a kernel.
void explainCounterpart(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// Says of a name that is not defined, `inf` or `nan`, how kernels write it; with a fix. Returns
/// whether it is one of them.
bool explainPlainValue(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// Says of a name that is not defined, but called, what kernels write for a function of this name,
/// e.g. `mean(x)`; with a fix. Returns whether it is one.
bool explainPlainCall(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

} // namespace tilescope::compiler::frontend
