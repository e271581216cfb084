// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Deadline.h"
#include "compiler/interpreter/TraceKernel.h"

#include <memory>
#include <optional>
#include <vector>

namespace tilescope::compiler {

/// Computes the addresses of all programs of a launch once more; `input` has the launch, a number of
/// threads, a limit of time and a stop token. Returns what `make` made, an `Observer` for each thread;
/// nothing where the programs have not come to their ends in time.
template <typename Observer, typename Input, typename Make>
std::optional<std::vector<std::unique_ptr<Observer>>>
observeAddresses(mlir::ModuleOp module, const Input &input, const Make &make) {
  InterpreterLaunch launch = input.launch;
  launch.watches.clear();
  for (InterpreterArgument &argument : launch.arguments)
    argument.countUnwritten = false;
  const interpreter::Deadline deadline(input.stop, input.limit);
  InterpreterOptions options;
  options.numThreads = input.numThreads;
  options.stop = deadline.token();
  std::vector<std::unique_ptr<Observer>> observers;
  TraceOptions traced;
  traced.addressesOnly = true;
  traced.observer = [&]() -> AccessObserver & { return *observers.emplace_back(make()); };
  if (!traceKernel(module, launch, options, traced).completed)
    return std::nullopt;
  return observers;
}

} // namespace tilescope::compiler
