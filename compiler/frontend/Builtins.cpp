// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Builtins.h"

#include "compiler/frontend/Prelude.h"
#include "compiler/syntax/LanguageReference.h"

#include "llvm/ADT/StringMap.h"

#include <charconv>

namespace tilescope::compiler::frontend {

static constant::Value parseDefault(std::string_view text) {
  if (text == "None")
    return constant::Value::none();
  if (text == "True" || text == "False")
    return constant::Value::boolean(text == "True");
  if (text == "()")
    return constant::Value::tuple({});
  if (text.starts_with('"'))
    return constant::Value::string(std::string(text.substr(1, text.size() - 2)));
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return constant::Value::integer(number);
}

/// Splits `a, b=None, *c` into parameters. The texts are our own, so they are well-formed.
static std::vector<Parameter> parseParameters(std::string_view text) {
  std::vector<Parameter> parameters;
  while (!text.empty()) {
    size_t end = text.find(", ");
    std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
    Parameter parameter;
    if (part.starts_with('*')) {
      parameter.isVariadic = true;
      part.remove_prefix(1);
    }
    size_t equals = part.find('=');
    parameter.name = part.substr(0, equals);
    if (equals != std::string_view::npos)
      parameter.defaultValue = parseDefault(part.substr(equals + 1));
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

namespace {
struct Table {
  std::vector<const Builtin *> all;
  llvm::StringMap<const Builtin *> byName;
  llvm::DenseMap<const Builtin *, std::vector<Parameter>> parameters;

  Table() {
    for (std::span<const Builtin> family :
         {programBuiltins(), shapeBuiltins(), memoryBuiltins(), atomicBuiltins(),
          blockPointerBuiltins(), descriptorBuiltins(), mathBuiltins(), reductionBuiltins(),
          dotBuiltins(), dotScaledBuiltins(), debugBuiltins(), externBuiltins(), pythonBuiltins(),
          targetBuiltins()})
      for (const Builtin &builtin : family) {
        all.push_back(&builtin);
        byName[builtin.name] = &builtin;
        parameters[&builtin] = parseParameters(builtin.parameters);
      }
  }
};
} // namespace

static const Table &table() {
  static const Table instance;
  return instance;
}

const Builtin *findBuiltin(std::string_view name) { return table().byName.lookup(name); }
std::span<const Builtin *const> allBuiltins() { return table().all; }
const std::vector<Parameter> &parametersOf(const Builtin &builtin) {
  return table().parameters.find(&builtin)->second;
}

bool isPreludeMethod(std::string_view name) {
  return findPreludeFile(name) && ast::findReference("tensor." + std::string(name));
}

std::string BuiltinObject::repr() const { return "<function " + std::string(builtin.name) + ">"; }

} // namespace tilescope::compiler::frontend
