// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "tests/fuzz/Check.h"

#include <algorithm>
#include <string>

namespace tilescope::fuzz {

/// A compiler that assembles nothing. Lives as long as the program, as a worker's does.
inline compiler::Compiler &compiler() {
  static compiler::Compiler instance{compiler::CudaToolkit{}};
  return instance;
}

inline compiler::CompileRequest document(compiler::StageId entry, const uint8_t *data,
                                         size_t size) {
  compiler::CompileRequest request;
  request.path = "fuzz.txt";
  request.text.assign(reinterpret_cast<const char *>(data), size);
  request.entry = entry;
  request.stopAfter = compiler::StageId::Ptx;
  return request;
}

/// A document compiles, or an error says why it does not.
inline void requireAnswer(const compiler::CompileResult &result) {
  using compiler::Diagnostic;
  requireSound(result.diagnostics);
  const bool hasErrors = std::ranges::any_of(result.diagnostics, [](const Diagnostic &d) {
    return d.severity == compiler::Severity::Error;
  });
  require(result.ok == !hasErrors, "a result is good, or has an error");
  for (const Diagnostic &diagnostic : result.diagnostics) {
    require(diagnostic.kind != compiler::DiagnosticKind::Internal, "nothing fails inside");
    require(diagnostic.message.find("without a reason") == std::string::npos,
            "a pass that fails says why");
  }
}

inline void compileDocument(compiler::StageId entry, const uint8_t *data, size_t size) {
  requireAnswer(compiler().compile(document(entry, data, size)).result);
  compiler().trim();
}

} // namespace tilescope::fuzz
