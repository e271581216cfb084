// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Configurations.h"

#include "compiler/inference/AutotuneConfigs.h"

namespace tilescope::compiler::inference {

/// More than these are not looked through.
static constexpr size_t kMaxOffered = 64;
/// `configuration` with every value that the heuristic `name` may have.
static void addVariants(const ast::ModuleIndex &index, const Configuration &configuration,
                        const std::string &name, const ast::Expr &heuristic,
                        const KnownArguments &known, int64_t &stepsLeft,
                        std::vector<Configuration> &variants) {
  KnownArguments arguments{configuration.constexprs, known.tensors};
  arguments.values.insert(configuration.options.begin(), configuration.options.end());
  arguments.values.insert(known.values.begin(), known.values.end());
  std::vector<std::string> values;
  if (std::optional<std::string> value = heuristicValue(index, heuristic, arguments, stepsLeft))
    values = {*value};
  else if (isCondition(index, heuristic))
    values = {"True", "False"};
  variants.insert(variants.end(), std::max<size_t>(values.size(), 1), configuration);
  for (size_t i = 0; i < values.size(); ++i) {
    Configuration &variant = variants[variants.size() - values.size() + i];
    (isLaunchOption(name) ? variant.options : variant.constexprs)[name] = values[i];
  }
}

std::vector<Configuration> offeredConfigurations(const ast::ModuleIndex &index,
                                                 const ast::JitFunction &kernel,
                                                 const KnownArguments &known) {
  std::vector<Configuration> offered = configurationsOf(index, kernel);
  if (offered.empty())
    offered.emplace_back();
  int64_t stepsLeft = kMaxHeuristicSteps;
  for (const auto &[name, heuristic] : kernel.heuristics) {
    if (!isComputable(kernel, name))
      continue;
    std::vector<Configuration> variants;
    for (const Configuration &configuration : offered)
      if (variants.size() < kMaxOffered)
        addVariants(index, configuration, name, *heuristic, known, stepsLeft, variants);
    offered = std::move(variants);
  }
  // One that says nothing is not a choice.
  std::erase(offered, Configuration());
  return offered;
}

} // namespace tilescope::compiler::inference
