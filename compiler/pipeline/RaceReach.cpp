// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RaceReach.h"

#include "compiler/interpreter/ArgumentReach.h"
#include "compiler/interpreter/PreparedKernel.h"

#include <algorithm>

namespace tilescope::compiler {

std::optional<std::vector<std::string>>
decidedByRace(mlir::ModuleOp module, const InterpreterLaunch &launch, const std::string &raced) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  const auto argument = std::ranges::find(launch.arguments, raced, &InterpreterArgument::name);
  if (!kernel || kernel.getNumArguments() != launch.arguments.size() ||
      argument == launch.arguments.end())
    return std::nullopt;
  const llvm::BitVector reached = interpreter::argumentsReachedBy(
      static_cast<unsigned>(argument - launch.arguments.begin()), kernel);
  std::vector<std::string> names;
  for (const unsigned each : reached.set_bits())
    names.push_back(launch.arguments[each].name);
  return reached.all() ? std::nullopt : std::optional(names);
}

} // namespace tilescope::compiler
