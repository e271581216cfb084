// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <utility>

namespace tilescope::compiler {

/// The outcome of an interpretation that is not possible; `message` says why.
template <typename Outcome> Outcome unsupported(std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunUnsupported;
  diagnostic.message = std::move(message);
  Outcome outcome;
  outcome.diagnostics.push_back(std::move(diagnostic));
  return outcome;
}

} // namespace tilescope::compiler
