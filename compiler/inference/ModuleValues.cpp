// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ModuleValues.h"

#include "compiler/constant/Operators.h"

#include <memory>
#include <utility>

namespace tilescope::compiler::inference {

using constant::Value;

/// A name imported from a module that works on the host: `from triton import Config`.
static std::optional<Value> importedValue(const std::string &path) {
  if (std::optional<Value> module = constant::hostModule(path))
    return module;
  size_t dot = path.rfind('.');
  std::optional<Value> module =
      dot == std::string::npos ? std::nullopt : constant::hostModule(path.substr(0, dot));
  if (!module)
    return std::nullopt;
  constant::ValueOrError member =
      constant::hostEnvironment({}).attribute(*module, std::string_view(path).substr(dot + 1));
  return member ? std::optional(*member) : std::nullopt;
}

static constant::Environment environmentAt(const ast::ModuleIndex &index, int depth,
                                           std::shared_ptr<int> lookupsLeft) {
  constant::Environment result = constant::hostEnvironment({});
  result.lookup = [&index, depth, lookupsLeft = std::move(lookupsLeft),
                   lookUpHost = result.lookup](std::string_view name) -> std::optional<Value> {
    // Globals that refer to each other in a circle have no value.
    static constexpr int kMaxDepth = 8;
    if (--*lookupsLeft < 0)
      return std::nullopt;
    if (auto found = index.imports.find(name); found != index.imports.end())
      return importedValue(found->second);
    const ast::ModuleConstant *global = index.findConstant(name);
    if (!global || depth >= kMaxDepth)
      return lookUpHost(name);
    return constant::evaluate(*global->value, environmentAt(index, depth + 1, lookupsLeft)).value;
  };
  return result;
}

constant::Environment moduleEnvironment(const ast::ModuleIndex &index) {
  // The user waits for the answer: an endless list must not hold it up.
  static constexpr int kMaxLookups = 20000;
  return environmentAt(index, 0, std::make_shared<int>(kMaxLookups));
}

std::string languageText(const Value &value) {
  return value.isDType() ? "tl." + value.dtype().languageName() : constant::repr(value);
}

} // namespace tilescope::compiler::inference
