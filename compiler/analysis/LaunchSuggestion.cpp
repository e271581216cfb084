// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchSuggestion.h"

#include "compiler/analysis/AddressReach.h"
#include "compiler/analysis/GridExtents.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

namespace tilescope::compiler {

/// `size` to this power, as an expression.
static std::string powerOfSize(size_t power) {
  if (power == 0)
    return "1";
  std::vector<std::string> factors(power, "size");
  return llvm::join(factors, " * ");
}

/// The largest tensors stay at a few hundred thousand elements.
static int64_t sizeForRank(size_t rank) {
  constexpr int64_t sizes[] = {4096, 4096, 512, 64, 32};
  return sizes[std::min<size_t>(rank, 4)];
}

SuggestedLaunch suggestLaunch(mlir::FunctionOpInterface kernel,
                              const std::vector<KernelParameter> &parameters,
                              const std::map<std::string, std::string> &constexprs) {
  SuggestedLaunch launch;
  if (kernel.isExternal() || kernel.getNumArguments() < parameters.size())
    return launch;
  std::map<unsigned, size_t> powers;
  size_t highest = 1;
  for (const auto &[tensor, reach] : reachOfTensors(kernel)) {
    if (tensor >= parameters.size())
      continue;
    // In the order of the parameters, as strides are usually given: outer dimensions first.
    size_t power = reach.strides.size() + (reach.hasUnitStep ? 1 : 0);
    const size_t rank = std::clamp<size_t>(std::max(power, size_t(reach.degree)), 1, 4);
    launch.shapes[parameters[tensor].name].assign(rank, "size");
    highest = std::max(highest, rank);
    for (const unsigned stride : reach.strides)
      powers[stride] = std::max(powers[stride], std::min<size_t>(--power, 3));
  }
  launch.size = sizeForRank(highest);
  for (const auto &[argument, power] : powers)
    if (argument < parameters.size())
      launch.strides[parameters[argument].name] = powerOfSize(power);
  launch.grid = gridExtents(kernel, constexprs);
  return launch;
}

} // namespace tilescope::compiler
