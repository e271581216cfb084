// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `triton`, `triton.language` and `math` mean in launch expressions and module-level code.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/constant/Internal.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::compiler::constant {

namespace {

/// What a name of the host stands for. Of one kind and name, there is one.
class HostObject : public Extension {
public:
  enum class Kind { Module, Function };
  HostObject(Kind kind, std::string name) : kind(kind), name(std::move(name)) {}
  std::string typeName() const override { return kind == Kind::Module ? "module" : "function"; }
  std::string repr() const override {
    return kind == Kind::Module ? "<module '" + name + "'>" : "<function " + name + ">";
  }
  bool equals(const Extension &other) const override {
    const auto *object = dynamic_cast<const HostObject *>(&other);
    return object != nullptr && object->kind == kind && object->name == name;
  }

  Kind kind;
  std::string name;
};

} // namespace

static Value moduleValue(std::string name) {
  return Value::extension(
      std::make_shared<const HostObject>(HostObject::Kind::Module, std::move(name)));
}
static Value functionValue(std::string name) {
  return Value::extension(
      std::make_shared<const HostObject>(HostObject::Kind::Function, std::move(name)));
}
/// Null: the value is no object of that kind.
static const HostObject *hostObject(const Value &value, HostObject::Kind kind) {
  const auto *object = value.as<HostObject>();
  return object != nullptr && object->kind == kind ? object : nullptr;
}

std::string ConfigObject::repr() const {
  std::string text = "Config(" + constant::repr(kwargs);
  for (const auto &[name, value] : options)
    text += ", " + name + "=" + constant::repr(value);
  return text + ")";
}

static PythonError noMember(const std::string &module, std::string_view name) {
  return {"AttributeError", "module '" + module + "' has no attribute '" + std::string(name) + "'"};
}

static ValueOrError moduleMember(const std::string &module, std::string_view name) {
  if (module == "math") {
    if (std::optional<Value> constant = mathConstant(name))
      return *constant;
    if (isMathFunction(name))
      return functionValue("math." + std::string(name));
    return noMember(module, name);
  }
  if (module == "triton") {
    if (name == "cdiv" || name == "next_power_of_2" || name == "Config")
      return functionValue(std::string(name));
    if (name == "language")
      return moduleValue("triton.language");
    return noMember(module, name);
  }
  if (std::optional<DType> type = dtypeFromLanguageName(name))
    return Value::dtype(*type);
  if (name == "cdiv" || name == "constexpr" || name == "pointer_type")
    return functionValue(std::string(name));
  if (name == "math")
    return moduleValue("math");
  return noMember(module, name);
}

static ValueOrError callCdiv(const Value::Items &args) {
  if (args.size() != 2)
    return typeError("cdiv() takes 2 arguments (" + std::to_string(args.size()) + " given)");
  using ast::BinaryOpKind;
  ValueOrError less = applyBinary(BinaryOpKind::Sub, args[1], Value::integer(1));
  if (!less)
    return less;
  ValueOrError sum = applyBinary(BinaryOpKind::Add, args[0], *less);
  if (!sum)
    return sum;
  return applyBinary(BinaryOpKind::FloorDiv, *sum, args[1]);
}

static ValueOrError callNextPowerOf2(const Value::Items &args) {
  if (args.size() != 1 || !isIntegral(args[0]))
    return typeError("next_power_of_2() takes one int");
  Int value = args[0].integer();
  if (value <= Int(0))
    return Value::integer(0);
  return Value::integer(*Int::shiftLeft(Int(1), Int((value - Int(1)).bitLength())));
}

static ValueOrError callConfig(const Value::Items &args, const Keywords &keywords) {
  Value kwargs = Value::dict({});
  Keywords options;
  static constexpr std::string_view kPositional[] = {"num_warps", "num_stages", "num_ctas"};
  for (size_t i = 1; i < args.size() && i <= std::size(kPositional); ++i)
    options.emplace_back(std::string(kPositional[i - 1]), args[i]);
  if (!args.empty())
    kwargs = args[0];
  for (const auto &[name, value] : keywords) {
    if (name == "kwargs")
      kwargs = value;
    else
      options.emplace_back(name, value);
  }
  if (!kwargs.isDict())
    return typeError("the first argument of Config() must be a dict, not " + kwargs.typeName());
  return Value::extension(std::make_shared<const ConfigObject>(kwargs, std::move(options)));
}

static ValueOrError callHost(const Value &callee, const Value::Items &args,
                             const Keywords &keywords) {
  const HostObject *function = hostObject(callee, HostObject::Kind::Function);
  if (!function)
    return typeError(quotedType(callee) + " object is not callable", Need::Function, {&callee});
  const std::string &name = function->name;
  if (name == "cdiv")
    return callCdiv(args);
  if (name == "next_power_of_2")
    return callNextPowerOf2(args);
  if (name == "Config")
    return callConfig(args, keywords);
  if (name == "constexpr" && args.size() == 1)
    return args[0];
  if (name == "pointer_type" && !args.empty() && args[0].isDType())
    return Value::dtype(DType::pointerTo(args[0].dtype()));
  if (name.starts_with("math."))
    return callMath(std::string_view(name).substr(5), args);
  return typeError(name + "() got unsuitable arguments");
}

static ValueOrError hostAttribute(const Value &object, std::string_view name) {
  if (const HostObject *module = hostObject(object, HostObject::Kind::Module))
    return moduleMember(module->name, name);
  if (auto *config = object.as<ConfigObject>()) {
    if (name == "kwargs")
      return config->kwargs;
    for (const auto &[option, value] : config->options)
      if (option == name)
        return value;
  }
  // `.value` of a constexpr, which is transparent here.
  return PythonError{"AttributeError",
                     quotedType(object) + " object has no attribute '" + std::string(name) + "'",
                     {.subject = std::string(name)}};
}

std::optional<Value> hostModule(std::string_view moduleName) {
  if (moduleName == "triton" || moduleName == "triton.language" || moduleName == "math")
    return moduleValue(std::string(moduleName));
  return std::nullopt;
}

std::optional<Value> launchFunction(std::string_view name) {
  if (name == "cdiv" || name == "next_power_of_2")
    return functionValue(std::string(name));
  return std::nullopt;
}

Environment hostEnvironment(std::map<std::string, Value, std::less<>> names) {
  Environment environment;
  environment.lookup = [names = std::move(names)](std::string_view name) -> std::optional<Value> {
    if (auto found = names.find(name); found != names.end())
      return found->second;
    if (name == "tl")
      return hostModule("triton.language");
    if (std::optional<Value> module = hostModule(name))
      return module;
    return launchFunction(name);
  };
  environment.attribute = hostAttribute;
  environment.call = callHost;
  return environment;
}

ValueOrError evaluateText(std::string_view text,
                          const std::map<std::string, Value, std::less<>> &names) {
  return evaluateTextIn(text, hostEnvironment(names));
}

ValueOrError evaluateTextIn(std::string_view text, const Environment &environment) {
  ast::ParsedExpression parsed = ast::parseExpression(std::string(text));
  if (!parsed.expr) {
    std::string message = "invalid expression";
    for (const Diagnostic &diagnostic : parsed.tree->diagnostics)
      if (diagnostic.severity == Severity::Error) {
        message = diagnostic.message;
        break;
      }
    return PythonError{"SyntaxError", message};
  }
  Evaluation result = evaluate(*parsed.expr, environment);
  if (!result)
    return result.error.error;
  return *result.value;
}

} // namespace tilescope::compiler::constant
