// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ParameterKeys.h"

#include <algorithm>
#include <set>

namespace tilescope::compiler::ast {

/// What a name of the file stands for, as far as decorators use it; null for others.
static const Node *definitionOf(const ModuleIndex &index, std::string_view name) {
  if (const ModuleConstant *global = index.findConstant(name))
    return global->value;
  for (const Stmt *definition : index.otherDefinitions)
    if (const auto *function = as<FunctionDef>(definition); function && function->name == name)
      return function;
  return nullptr;
}

std::vector<const Node *> decoratorSources(const ModuleIndex &index, const JitFunction &kernel) {
  std::vector<const Node *> sources(kernel.def->decoratorList.begin(),
                                    kernel.def->decoratorList.end());
  std::set<const Node *> seen(sources.begin(), sources.end());
  for (size_t i = 0; i < sources.size(); ++i)
    walk(*sources[i], [&](const Node &node) {
      const auto *name = as<Name>(&node);
      const Node *definition = name ? definitionOf(index, name->id) : nullptr;
      if (definition && seen.insert(definition).second)
        sources.push_back(definition);
      return true;
    });
  return sources;
}

static const Constant *stringOf(const Node &node) {
  const auto *constant = as<Constant>(&node);
  return constant && constant->constantKind == ConstantKind::Str ? constant : nullptr;
}

std::vector<SourceRange> parameterKeys(const SyntaxTree &tree, const ModuleIndex &index,
                                       const JitFunction &kernel, std::string_view parameter) {
  std::vector<SourceRange> places;
  if (!kernel.findParameter(parameter))
    return places;
  std::set<const Node *> values;
  for (const Node *source : decoratorSources(index, kernel))
    walk(*source, [&](const Node &node) {
      // What a key stands for is no name.
      if (const auto *dict = as<Dict>(&node))
        values.insert(dict->values.begin(), dict->values.end());
      const Constant *text = values.contains(&node) ? nullptr : stringOf(node);
      if (!text || text->text != parameter || tree.text(node.range).size() != parameter.size() + 2)
        return true;
      SourceRange place = node.range;
      ++place.begin.column;
      --place.end.column;
      places.push_back(place);
      return true;
    });
  std::ranges::sort(places);
  const auto [first, last] = std::ranges::unique(places);
  places.erase(first, last);
  return places;
}

std::vector<const Call *> configurationCalls(const ModuleIndex &index, const JitFunction &kernel) {
  std::vector<const Call *> calls;
  for (const Node *source : decoratorSources(index, kernel))
    walk(*source, [&](const Node &node) {
      const auto *call = as<Call>(&node);
      const std::string path = call ? index.resolve(*call->func) : "";
      if (path.starts_with("triton.") && path.ends_with(".Config"))
        calls.push_back(call);
      return true;
    });
  return calls;
}

/// The dictionary of a `Config(...)`; null where it is not written out.
static const Dict *configuredBy(const Call &config) {
  for (const Keyword *keyword : config.keywords)
    if (keyword->arg == "kwargs")
      return as<Dict>(keyword->value);
  return config.args.empty() ? nullptr : as<Dict>(config.args[0]);
}

std::vector<UnknownKey> unknownConfigurationKeys(const ModuleIndex &index,
                                                 const JitFunction &kernel) {
  std::vector<UnknownKey> unknown;
  // `**meta` takes any.
  if (!kernel.autotuneConfigs || !kernel.keywords.empty())
    return unknown;
  for (const Call *config : configurationCalls(index, kernel))
    if (const Dict *dict = configuredBy(*config))
      for (const Expr *key : dict->keys)
        if (const Constant *name = key ? stringOf(*key) : nullptr;
            name && !kernel.findParameter(name->text))
          unknown.push_back({name->text, key->range});
  return unknown;
}

} // namespace tilescope::compiler::ast
