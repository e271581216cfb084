// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/pipeline/FileTable.h"

#include "mlir/IR/Diagnostics.h"

#include <vector>

namespace tilescope::compiler {

/// While it lives, collects what MLIR reports in a context, in words for users.
class DiagnosticCollector {
public:
  /// `kind` is given to errors. Everything referred to must outlive the collector.
  DiagnosticCollector(mlir::MLIRContext &context, DiagnosticKind kind, FileTable &files,
                      std::vector<Diagnostic> &diagnostics);

  bool hasErrors() const { return m_hasErrors; }

private:
  bool m_hasErrors = false;
  mlir::ScopedDiagnosticHandler m_handler;
};

/// The diagnostic with its place, and the places of its notes and callers as labels.
Diagnostic translateDiagnostic(mlir::Diagnostic &diagnostic, DiagnosticKind kind, FileTable &files);

} // namespace tilescope::compiler
