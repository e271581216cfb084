// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/AutotuneConfigs.h"

#include "compiler/inference/Heuristics.h"
#include "compiler/inference/ModuleValues.h"

#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace tilescope::compiler::inference {

using constant::Value;

static Configuration configuration(const ast::JitFunction &kernel,
                                   const constant::ConfigObject &config) {
  Configuration result;
  if (config.kwargs.isDict())
    for (const auto &[name, value] : config.kwargs.entries())
      if (name.isStr() && kernel.findParameter(name.str()))
        result.constexprs[name.str()] = languageText(value);
  for (const auto &[name, value] : config.options)
    if (isLaunchOption(name) && !value.isNone())
      result.options[name] = languageText(value);
  return result;
}

std::vector<Configuration> configurationsOf(const ast::ModuleIndex &index,
                                            const ast::JitFunction &kernel) {
  std::vector<Configuration> result;
  if (!kernel.autotuneConfigs)
    return result;
  constant::Evaluation configs =
      constant::evaluate(*kernel.autotuneConfigs, moduleEnvironment(index));
  if (!configs || !configs.value->isSequence())
    return result;
  for (const Value &item : configs.value->items())
    if (const auto *config = item.as<constant::ConfigObject>())
      result.push_back(configuration(kernel, *config));
  return result;
}

/// What an expression for configurations refers to: itself, the value of a global, or the
/// function of the file that makes them.
static const ast::Node *configurationSource(const ast::ModuleIndex &index, const ast::Expr &expr) {
  const ast::Expr *named = &expr;
  if (auto *call = ast::as<ast::Call>(named))
    named = call->func;
  auto *name = ast::as<ast::Name>(named);
  if (!name)
    return &expr;
  if (const ast::ModuleConstant *global = index.findConstant(name->id))
    return global->value;
  for (const ast::Stmt *definition : index.otherDefinitions)
    if (auto *function = ast::as<ast::FunctionDef>(definition);
        function && function->name == name->id)
      return function;
  return &expr;
}

/// The first `Config(...)` in the text of `source`.
static const ast::Call *firstConfigCall(const ast::ModuleIndex &index, const ast::Node &source) {
  const ast::Call *config = nullptr;
  ast::walk(source, [&](const ast::Node &node) {
    auto *call = config ? nullptr : ast::as<ast::Call>(&node);
    if (call && index.resolve(*call->func).ends_with("Config"))
      config = call;
    return !config;
  });
  return config;
}

/// The names that loops and comprehensions of `source` bind, each with the first of its values.
static std::map<std::string, Value, std::less<>> loopNamesOf(const ast::ModuleIndex &index,
                                                             const ast::Node &source) {
  std::map<std::string, Value, std::less<>> names;
  ast::walk(source, [&](const ast::Node &node) {
    const ast::Expr *target = nullptr, *values = nullptr;
    if (auto *loop = ast::as<ast::For>(&node))
      std::tie(target, values) = std::pair(loop->target, loop->iter);
    else if (auto *generator = ast::as<ast::Comprehension>(&node))
      std::tie(target, values) = std::pair(generator->target, generator->iter);
    if (auto *name = ast::as<ast::Name>(target))
      if (constant::Evaluation found = constant::evaluate(*values, moduleEnvironment(index));
          found && found.value->isSequence() && !found.value->items().empty())
        names.emplace(name->id, found.value->items()[0]);
    return true;
  });
  return names;
}

namespace {

/// What one `Config(...)` sets, as far as its text shows it.
class ConfigReader {
public:
  ConfigReader(const ast::JitFunction &kernel, const constant::Environment &names)
      : m_kernel(kernel), m_names(names) {}

  std::vector<ConfiguredValue> read(const ast::Call &config) {
    static constexpr std::string_view kPositional[] = {"kwargs", "num_warps", "num_stages",
                                                       "num_ctas"};
    for (size_t i = 0; i < config.args.size() && i < std::size(kPositional); ++i)
      readArgument(kPositional[i], *config.args[i]);
    for (const ast::Keyword *keyword : config.keywords)
      if (keyword->arg)
        readArgument(*keyword->arg, *keyword->value);
    return std::move(m_values);
  }

private:
  void readArgument(std::string_view name, const ast::Expr &expr) {
    if (name == "kwargs")
      return readConstants(expr);
    constant::Evaluation value = constant::evaluate(expr, m_names);
    if (isLaunchOption(name) && value && !value.value->isNone())
      m_values.push_back(
          {ConfiguredValue::Kind::Option, std::string(name), languageText(*value.value)});
  }

  /// Where one entry cannot be worked out, the others still count.
  void readConstants(const ast::Expr &expr) {
    if (auto *dict = ast::as<ast::Dict>(&expr)) {
      for (size_t i = 0; i < dict->keys.size(); ++i)
        if (auto *key = ast::as<ast::Constant>(dict->keys[i]))
          if (constant::Evaluation value = constant::evaluate(*dict->values[i], m_names))
            setConstant(key->text, *value.value);
    } else if (constant::Evaluation value = constant::evaluate(expr, m_names);
               value && value.value->isDict()) {
      for (const auto &[key, each] : value.value->entries())
        if (key.isStr())
          setConstant(key.str(), each);
    }
  }

  void setConstant(std::string_view name, const Value &value) {
    if (m_kernel.findParameter(name))
      m_values.push_back(
          {ConfiguredValue::Kind::Constexpr, std::string(name), languageText(value)});
  }

  const ast::JitFunction &m_kernel;
  const constant::Environment &m_names;
  std::vector<ConfiguredValue> m_values;
};

} // namespace

std::vector<ConfiguredValue> firstConfiguration(const ast::ModuleIndex &index,
                                                const ast::JitFunction &kernel) {
  if (!kernel.autotuneConfigs)
    return {};
  const ast::Node &source = *configurationSource(index, *kernel.autotuneConfigs);
  const ast::Call *config = firstConfigCall(index, source);
  if (!config)
    return {};
  const std::map<std::string, Value, std::less<>> loopNames = loopNamesOf(index, source);
  constant::Environment names = moduleEnvironment(index);
  names.lookup = [&loopNames, lookUp = names.lookup](std::string_view name) {
    auto found = loopNames.find(name);
    return found != loopNames.end() ? std::optional(found->second) : lookUp(name);
  };
  return ConfigReader(kernel, names).read(*config);
}

} // namespace tilescope::compiler::inference
