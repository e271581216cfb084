// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A run that is made to observe its accesses.
#pragma once

#include "compiler/artifacts/TouchTrace.h"
#include "compiler/interpreter/AccessTrace.h"
#include "compiler/interpreter/Interpreter.h"

#include <optional>
#include <set>

namespace tilescope::compiler {

struct TraceOptions {
  /// Returns the observer of a thread; called before any program runs.
  std::function<AccessObserver &()> observer;
  /// The only program that is executed; nothing: the whole grid.
  std::optional<std::array<int32_t, 3>> program;
  /// Those that are executed, where it is not one alone.
  ProgramSample sample;
  /// Execute only what addresses depend on, where less than all of the kernel does.
  bool addressesOnly = false;
};

/// What it takes to know the addresses that a kernel accesses.
struct AddressNeeds {
  /// All of it must be executed, on the memory of all arguments.
  bool isWhole = false;
  /// Otherwise the arguments whose memory is read, by number.
  std::set<unsigned> arguments;

  bool dependOnData() const { return isWhole || !arguments.empty(); }
  bool dependOn(unsigned argument) const { return isWhole || arguments.contains(argument); }
};
AddressNeeds findAddressNeeds(mlir::ModuleOp module);

/// Executes the kernel, in TTIR or TTGIR, and reports to the observers the operations that carry
/// `ttg::kOperationNumberAttr`. It does not look for races and undefined values.
Interpretation traceKernel(mlir::ModuleOp module, const InterpreterLaunch &launch,
                           const InterpreterOptions &options, const TraceOptions &trace);

} // namespace tilescope::compiler
