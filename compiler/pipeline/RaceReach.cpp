// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RaceReach.h"

#include "compiler/interpreter/ArgumentReach.h"
#include "compiler/interpreter/PreparedKernel.h"

#include <algorithm>

namespace tilescope::compiler {

/// The position of an argument of the kernel; nothing: it is not known.
static std::optional<unsigned> positionOf(const std::string &name, tt::FuncOp kernel,
                                          const InterpreterLaunch &launch) {
  const auto argument = std::ranges::find(launch.arguments, name, &InterpreterArgument::name);
  if (!kernel || kernel.getNumArguments() != launch.arguments.size() ||
      argument == launch.arguments.end())
    return std::nullopt;
  return static_cast<unsigned>(argument - launch.arguments.begin());
}

std::optional<std::vector<std::string>>
decidedByRace(mlir::ModuleOp module, const InterpreterLaunch &launch, const std::string &raced) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  const std::optional<unsigned> argument = positionOf(raced, kernel, launch);
  if (!argument)
    return std::nullopt;
  const llvm::BitVector reached = interpreter::argumentsReachedBy(*argument, kernel);
  std::vector<std::string> names;
  for (const unsigned each : reached.set_bits())
    names.push_back(launch.arguments[each].name);
  return reached.all() ? std::nullopt : std::optional(names);
}

bool readsIntoItself(mlir::ModuleOp module, const InterpreterLaunch &launch,
                     const std::string &raced) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  const std::optional<unsigned> argument = positionOf(raced, kernel, launch);
  return !argument || interpreter::reachesItself(*argument, kernel);
}

} // namespace tilescope::compiler
