// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/DiagnosticKind.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tilescope::compiler {

/// An error of a pass that is more than a failed pass. The kind travels in the metadata of MLIR's
/// diagnostic, not in its words.
inline mlir::InFlightDiagnostic emitError(mlir::Operation *op, DiagnosticKind kind) {
  mlir::InFlightDiagnostic error = op->emitError();
  error.getUnderlyingDiagnostic()->getMetadata().push_back(
      mlir::DiagnosticArgument(static_cast<unsigned>(kind)));
  return error;
}

/// The kind that `emitError` attached to it; nothing for all other diagnostics.
inline std::optional<DiagnosticKind> kindOf(mlir::Diagnostic &diagnostic) {
  if (diagnostic.getMetadata().empty())
    return std::nullopt;
  return static_cast<DiagnosticKind>(diagnostic.getMetadata().front().getAsUnsigned());
}

} // namespace tilescope::compiler
