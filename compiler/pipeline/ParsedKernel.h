// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/TraceKernel.h"
#include "compiler/pipeline/CountAccesses.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace mlir {
class AsmParserState;
} // namespace mlir

namespace tilescope::compiler {

/// A kernel that is read back from its text, in a context of its own: the places of
/// its operations are lines of that text.
class ParsedKernel {
public:
  /// `places` of definitions, which point into the text; may be null.
  explicit ParsedKernel(const std::string &text, mlir::AsmParserState *places = nullptr);

  mlir::MLIRContext *context() { return &m_context; }
  /// Null when the text could not be read.
  mlir::ModuleOp module() { return m_module.get(); }
  /// The first thing that was wrong.
  const std::string &message() const { return m_message; }
  /// Makes the last change of blocks and layouts: what is executed afterwards is what is lowered.
  bool settle();

private:
  mlir::MLIRContext m_context;
  std::string m_message;
  std::optional<mlir::ScopedDiagnosticHandler> m_handler;
  mlir::OwningOpRef<mlir::ModuleOp> m_module;
};

/// Fills in the arguments of a launch, with the memory that is needed; what it lacks, or nothing.
std::optional<std::string> addArguments(const CompileResult &compiled,
                                        const LaunchArguments &arguments, const AddressNeeds &needs,
                                        InterpreterLaunch &launch);

} // namespace tilescope::compiler
