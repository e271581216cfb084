// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/Compiler.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

namespace tilescope::tests {

/// Compiles `def k(PARAMETERS):` with this body up to a stage, without an error.
inline compiler::CompileOutcome compileKernel(const std::string &parameters,
                                              const std::string &body,
                                              const std::map<std::string, std::string> &signature,
                                              compiler::StageId stopAfter) {
  compiler::CompileRequest request;
  request.selection.signature = signature;
  request.path = "/kernels/k.py";
  request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(" + parameters +
                 "):\n" + body;
  request.stopAfter = stopAfter;
  compiler::Compiler compiler{compiler::CudaToolkit{}};
  compiler::CompileOutcome outcome = compiler.compile(request);
  for (const compiler::Diagnostic &diagnostic : outcome.result.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(outcome.result.ok);
  return outcome;
}

} // namespace tilescope::tests
