// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/UnusedTensors.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void shapeUnused(FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
                 SuggestedLaunch &launch) {
  const auto loaded = std::ranges::find_if(parameters, [&](const KernelParameter &parameter) {
    const auto tensor = launch.tensors.find(parameter.name);
    return tensor != launch.tensors.end() && tensor->second.isRead;
  });
  if (loaded == parameters.end() || kernel.getNumArguments() < parameters.size())
    return;
  const std::vector<std::string> shape = launch.tensors.at(loaded->name).shape;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    const BlockArgument argument = kernel.getFunctionBody().getArgument(i);
    if (!isa<tt::PointerType>(argument.getType()) || !argument.use_empty())
      continue;
    SuggestedTensor &tensor = launch.tensors[parameters[i].name];
    tensor.shape = shape;
    tensor.isGuess = true;
  }
}

} // namespace tilescope::compiler
