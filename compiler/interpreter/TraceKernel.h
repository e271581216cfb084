// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A run that is made for what it tells of its accesses.
#pragma once

#include "compiler/interpreter/AccessTrace.h"
#include "compiler/interpreter/Interpreter.h"

#include <optional>

namespace tilescope::compiler {

struct TraceOptions {
  /// Gives each thread its observer; called before any program runs.
  std::function<AccessObserver &()> observer;
  /// The only program that is executed; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program;
  /// Compute only what addresses depend on: nothing is read or written, and arguments need no
  /// memory. Not for kernels of which `addressesDependOnData` is true.
  bool addressesOnly = false;
};

/// Whether the addresses that the kernel accesses can only be known by executing all of it.
bool addressesDependOnData(mlir::ModuleOp module);

/// Executes the kernel, in TTIR or TTGIR, and tells the observers of the operations that carry
/// `ttg::kOperationNumberAttr`. Races and values that nobody defined are not looked for.
Interpretation traceKernel(mlir::ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options, const TraceOptions &trace);

} // namespace tilescope::compiler
