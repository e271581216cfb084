// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A run that is made to observe its accesses.
#pragma once

#include "compiler/artifacts/TouchTrace.h"
#include "compiler/interpreter/AccessTrace.h"
#include "compiler/interpreter/Interpreter.h"

#include <optional>

namespace tilescope::compiler {

struct TraceOptions {
  /// Returns the observer of a thread; called before any program runs.
  std::function<AccessObserver &()> observer;
  /// The only program that is executed; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program;
  /// Those that are executed, where it is not one alone.
  ProgramSample sample;
  /// Compute only what addresses depend on: nothing is read or written, and arguments need no
  /// memory. Not for kernels of which `addressesDependOnData` is true.
  bool addressesOnly = false;
};

/// Whether the addresses that the kernel accesses can only be known by executing all of it.
bool addressesDependOnData(mlir::ModuleOp module);

/// Executes the kernel, in TTIR or TTGIR, and reports to the observers the operations that carry
/// `ttg::kOperationNumberAttr`. It does not look for races and undefined values.
Interpretation traceKernel(mlir::ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options, const TraceOptions &trace);

} // namespace tilescope::compiler
