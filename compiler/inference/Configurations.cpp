// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Configurations.h"

#include "compiler/inference/AutotuneConfigs.h"
#include "compiler/inference/ModuleValues.h"

namespace tilescope::compiler::inference {

using constant::Value;

/// More than these are not looked through.
static constexpr size_t kMaxOffered = 64;
/// What all heuristics of a kernel may take together, for all of its configurations.
static constexpr int64_t kMaxSteps = constant::kMaxEvaluationSteps / 4;

/// What a heuristic returns for these arguments; nothing when it asks for more, or is not a lambda.
static std::optional<std::string> heuristicValue(const ast::Expr &heuristic,
                                                 const std::map<std::string, std::string> &known,
                                                 int64_t &stepsLeft) {
  const auto *lambda = ast::as<ast::Lambda>(&heuristic);
  if (!lambda || lambda->args->args.size() != 1)
    return std::nullopt;
  Value::Entries entries;
  constant::Environment environment = constant::hostEnvironment({});
  environment.stepsLeft = &stepsLeft;
  for (const auto &[name, text] : known)
    if (const constant::ValueOrError value = constant::evaluateTextIn(text, environment))
      entries.emplace_back(Value::string(name), *value);
  const std::string parameter(lambda->args->args[0]->arg);
  environment = constant::hostEnvironment({{parameter, Value::dict(std::move(entries))}});
  environment.stepsLeft = &stepsLeft;
  const constant::Evaluation result = constant::evaluate(*lambda->body, environment);
  if (!result)
    return std::nullopt;
  return languageText(*result.value);
}

static bool isCondition(const ast::Expr &heuristic) {
  const auto *lambda = ast::as<ast::Lambda>(&heuristic);
  if (!lambda)
    return false;
  const auto *negation = ast::as<ast::UnaryOp>(lambda->body);
  return lambda->body->kind == ast::NodeKind::Compare ||
         lambda->body->kind == ast::NodeKind::BoolOp ||
         (negation && negation->op == ast::UnaryOpKind::Not);
}

/// `configuration` with every value that the heuristic `name` may have.
static void addVariants(const Configuration &configuration, const std::string &name,
                        const ast::Expr &heuristic, const std::map<std::string, std::string> &known,
                        int64_t &stepsLeft, std::vector<Configuration> &variants) {
  std::map<std::string, std::string> arguments = configuration.constexprs;
  arguments.insert(known.begin(), known.end());
  std::vector<std::string> values;
  if (std::optional<std::string> value = heuristicValue(heuristic, arguments, stepsLeft))
    values = {*value};
  else if (isCondition(heuristic))
    values = {"True", "False"};
  variants.insert(variants.end(), std::max<size_t>(values.size(), 1), configuration);
  for (size_t i = 0; i < values.size(); ++i)
    variants[variants.size() - values.size() + i].constexprs[name] = values[i];
}

std::vector<Configuration> offeredConfigurations(const ast::ModuleIndex &index,
                                                 const ast::JitFunction &kernel,
                                                 const std::map<std::string, std::string> &known) {
  std::vector<Configuration> offered = configurationsOf(index, kernel);
  if (offered.empty())
    offered.emplace_back();
  int64_t stepsLeft = kMaxSteps;
  for (const auto &[name, heuristic] : kernel.heuristics) {
    if (!kernel.findParameter(name))
      continue;
    std::vector<Configuration> variants;
    for (const Configuration &configuration : offered)
      if (variants.size() < kMaxOffered)
        addVariants(configuration, name, *heuristic, known, stepsLeft, variants);
    offered = std::move(variants);
  }
  // One that says nothing is not a choice.
  std::erase(offered, Configuration());
  return offered;
}

} // namespace tilescope::compiler::inference
