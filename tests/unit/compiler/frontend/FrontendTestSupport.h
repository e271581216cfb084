// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::compiler {

/// The result of one emission, with the module as text.
struct Emitted {
  std::string text;
  std::vector<Diagnostic> diagnostics;
  std::vector<ValueFacts> values;
  std::vector<SourceFile> files;
  std::string kernel;
  std::vector<std::string> kernels;
  std::map<std::string, std::string> signature;
  std::map<std::string, std::string> constexprs;
  std::vector<std::string> assumptions;
  std::vector<KernelParameter> parameters;

  /// The messages of all diagnostics, one a line, for failing checks.
  std::string messages() const;
};

Emitted emit(const std::string &source, const Selection &selection = {},
             const std::string &path = "test.py");

/// The body as the statements of a kernel `k(x_ptr, y_ptr, n, B: tl.constexpr)` with fp32 pointers
/// and B = 16, `i`, `x` and `m` (a mask) being defined.
Emitted emitBody(const std::string &body, Selection selection = {});
/// The lines of a function's body, as deep as they are in one.
std::string indented(std::string_view body);

/// Whether the pieces occur in the text in that order.
bool inOrder(const std::string &text, const std::vector<std::string> &pieces);

} // namespace tilescope::compiler
