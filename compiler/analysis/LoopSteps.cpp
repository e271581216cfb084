// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LoopSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void noteLoopSteps(FunctionOpInterface kernel, const IndexBounds &bounds,
                   const std::vector<KernelParameter> &parameters, std::vector<SizeNeeds> &sizes) {
  kernel->walk([&](scf::ForOp loop) {
    const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    const ArgumentSet ends = bounds.endsIn(loop.getUpperBound());
    if (!step || *step <= 1 || ends.size() != 1)
      return;
    const auto needs = std::ranges::find(sizes, parameters[*ends.begin()].name, &SizeNeeds::name);
    if (needs != sizes.end())
      needs->loopStep = std::max(needs->loopStep, *step);
  });
}

} // namespace tilescope::compiler
