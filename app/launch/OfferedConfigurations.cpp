// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/OfferedConfigurations.h"

#include "app/launch/ResolveLaunch.h"
#include "compiler/inference/AutotuneConfigs.h"
#include "compiler/inference/Configurations.h"
#include "compiler/support/NearestName.h"
#include "compiler/syntax/ParameterKeys.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilescope::app {

/// As the kernel's language writes it.
static std::string scalarText(const profiler::ScalarValue &value) {
  struct Visitor {
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      std::array<char, 32> text;
      const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
      return {text.data(), end};
    }
  };
  return std::visit(Visitor{}, value);
}

compiler::inference::KnownArguments knownArguments(const profiler::LaunchPlan &plan) {
  compiler::inference::KnownArguments known{plan.constexprs};
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanScalar *scalar = argument.scalar())
      known.values[argument.name] = scalarText(scalar->value);
    else
      known.tensors.insert(argument.name);
  return known;
}

/// The arguments whose value is known: from the launch block, or assumed.
static compiler::inference::KnownArguments knownArguments(const compiler::CompileResult &result) {
  const std::optional<profiler::LaunchPlan> plan = planOf(result.launch);
  compiler::inference::KnownArguments known;
  if (plan)
    known = knownArguments(*plan);
  for (const auto &[name, value] : result.constexprs)
    known.values.insert({name, value});
  return known;
}

std::vector<compiler::Configuration> offeredConfigurations(const compiler::CompileRequest &request,
                                                           const compiler::CompileResult &result) {
  const std::string &text = request.text;
  // Most files have none, and need not be parsed for it.
  if (request.entry != compiler::StageId::Ast ||
      (text.find("autotune") == std::string::npos && text.find("heuristics") == std::string::npos))
    return {};
  const auto tree = compiler::ast::parseModule(text);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *kernel = index.findFunction(result.kernel);
  return kernel ? compiler::inference::offeredConfigurations(index, *kernel, knownArguments(result))
                : std::vector<compiler::Configuration>();
}

std::vector<compiler::Diagnostic> configurationProblems(const compiler::CompileRequest &request,
                                                        const std::string &kernel) {
  std::vector<compiler::Diagnostic> problems;
  if (request.entry != compiler::StageId::Ast || request.text.find("autotune") == std::string::npos)
    return problems;
  const auto tree = compiler::ast::parseModule(request.text);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *function = index.findFunction(kernel);
  if (!function)
    return problems;
  std::vector<std::string_view> names;
  for (const compiler::ast::ParameterInfo &parameter : function->parameters)
    names.push_back(parameter.name);
  for (const auto &[name, range] : compiler::ast::unknownConfigurationKeys(index, *function)) {
    compiler::Diagnostic &problem = problems.emplace_back();
    problem.kind = compiler::DiagnosticKind::BadArgument;
    problem.severity = compiler::Severity::Warning;
    problem.range = range;
    problem.cause.subject = name;
    problem.message = "`" + kernel + "` has no parameter `" + std::string(name) +
                      "`, so that Triton cannot launch it with this configuration";
    if (const std::string near(closestName(name, names)); !near.empty())
      problem.fixes.push_back({range, "\"" + near + "\"", "write `" + near + "`"});
  }
  return problems;
}

bool isCompiledFor(const compiler::CompileResult &result,
                   const compiler::Configuration &configuration) {
  const auto areIn = [](const std::map<std::string, std::string> &values,
                        const std::map<std::string, std::string> &compiled) {
    return std::ranges::all_of(values, [&](const auto &value) {
      const auto found = compiled.find(value.first);
      return found != compiled.end() && found->second == value.second;
    });
  };
  return areIn(configuration.constexprs, result.constexprs) &&
         areIn(configuration.options, result.options);
}

/// Whether `offered` is `listed`, with or without what heuristics add.
static bool contains(const compiler::Configuration &offered,
                     const compiler::Configuration &listed) {
  return std::ranges::includes(offered.constexprs, listed.constexprs) &&
         std::ranges::includes(offered.options, listed.options);
}

std::vector<SourceRange> configurationPlaces(const compiler::CompileRequest &request,
                                             const std::string &kernel,
                                             const std::vector<compiler::Configuration> &offered) {
  const auto tree = compiler::ast::parseModule(request.text);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *function = index.findFunction(kernel);
  if (!function || !function->autotuneConfigs)
    return std::vector<SourceRange>(offered.size());
  std::vector<SourceRange> places(offered.size(), function->autotuneConfigs->range);
  const auto calls = compiler::ast::configurationCalls(index, *function);
  const auto listed = compiler::inference::configurationsOf(index, *function);
  if (calls.size() == listed.size())
    for (size_t i = 0; i < offered.size(); ++i)
      for (size_t k = 0; k < listed.size(); ++k)
        if (contains(offered[i], listed[k]))
          places[i] = calls[k]->range;
  return places;
}

} // namespace tilescope::app
