// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/CallSites.h"

#include "compiler/inference/ModuleValues.h"
#include "compiler/types/ScalarKind.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tilescope::compiler::inference {

using namespace ast;
using Kind = PassedArgument::Kind;

namespace {

/// `torch.float16` as a signature writes it; empty for what is not a dtype.
std::string elementNamed(const Expr *expr) {
  // Most are named as in the kernel language.
  static constexpr std::pair<std::string_view, ScalarKind> kOthers[] = {
      {"half", ScalarKind::Fp16},        {"float", ScalarKind::Fp32},
      {"long", ScalarKind::Int64},       {"int", ScalarKind::Int32},
      {"bool", ScalarKind::Int1},        {"float8_e4m3fn", ScalarKind::Fp8e4nv},
      {"float8_e5m2", ScalarKind::Fp8e5}};
  auto *attribute = as<Attribute>(expr);
  auto *module = attribute ? as<Name>(attribute->value) : nullptr;
  if (!module || module->id != "torch")
    return {};
  std::optional<ScalarKind> element = scalarFromLanguageName(attribute->attr);
  for (auto [name, kind] : kOthers)
    if (attribute->attr == name)
      element = kind;
  return element ? std::string(scalarInfo(*element).signatureName) : std::string();
}

/// One function of the host: what its expressions are.
class HostFunction {
public:
  HostFunction(const ModuleIndex &index, const FunctionDef &function) : m_index(index) {
    readParameters(*function.args);
    for (const Stmt *stmt : function.body)
      walk(*stmt, [&](const Node &node) {
        if (auto *assign = as<Assign>(&node))
          for (const Expr *target : assign->targets)
            define(target, assign->value);
        else if (auto *step = as<AugAssign>(&node))
          define(step->target, step->value);
        return true;
      });
  }

  PassedArgument passed(const Expr *expr, int depth = 0) const {
    static constexpr int kMaxDepth = 6;
    if (!expr || depth > kMaxDepth)
      return {};
    if (auto *name = as<Name>(expr)) {
      if (auto found = m_definitions.find(name->id); found != m_definitions.end()) {
        for (const Expr *definition : found->second)
          if (PassedArgument value = passed(definition, depth + 1); value.kind != Kind::Unknown)
            return value;
        return parameter(name->id);
      }
      if (PassedArgument value = parameter(name->id); value.kind != Kind::Unknown)
        return value;
    }
    if (std::optional<PassedArgument> constant = evaluated(*expr))
      return *constant;
    if (auto *choice = as<IfExp>(expr)) {
      PassedArgument value = passed(choice->body, depth + 1);
      return value.kind == Kind::Unknown || value.text == "None" ? passed(choice->orelse, depth + 1)
                                                                 : value;
    }
    if (is<Compare>(expr))
      return {Kind::Boolean, {}};
    if (auto *unary = as<UnaryOp>(expr))
      return unary->op == UnaryOpKind::Not ? PassedArgument{Kind::Boolean, {}}
                                           : generalized(passed(unary->operand, depth + 1));
    if (auto *operation = as<BinOp>(expr))
      return combined(*operation, depth);
    if (auto *call = as<Call>(expr))
      return result(*call, depth);
    if (auto *part = as<Subscript>(expr)) {
      auto *shape = as<Attribute>(part->value);
      if (shape && shape->attr == "shape")
        return {Kind::Integer, {}};
      PassedArgument whole = passed(part->value, depth + 1);
      return whole.kind == Kind::Tensor ? whole : PassedArgument{};
    }
    if (auto *attribute = as<Attribute>(expr); attribute && attribute->attr == "shape")
      return {Kind::Integer, {}};
    return {};
  }

private:
  void readParameters(const Arguments &declared) {
    std::vector<const Arg *> positional(declared.posonlyargs.begin(), declared.posonlyargs.end());
    positional.insert(positional.end(), declared.args.begin(), declared.args.end());
    size_t firstDefault = positional.size() - declared.defaults.size();
    for (size_t i = 0; i < positional.size(); ++i)
      addParameter(*positional[i],
                   i < firstDefault ? nullptr : declared.defaults[i - firstDefault]);
    for (size_t i = 0; i < declared.kwonlyargs.size(); ++i)
      addParameter(*declared.kwonlyargs[i], declared.kwDefaults[i]);
  }

  void addParameter(const Arg &parameter, const Expr *value) {
    PassedArgument &fact = m_parameters[parameter.arg];
    std::string_view type;
    if (auto *name = as<Name>(parameter.annotation))
      type = name->id;
    else if (auto *attribute = as<Attribute>(parameter.annotation))
      type = attribute->attr;
    if (type == "Tensor")
      fact.kind = Kind::Tensor;
    else if (type == "float")
      fact.kind = Kind::Real;
    else if (type == "int")
      fact.kind = Kind::Integer;
    else if (type == "bool")
      fact.kind = Kind::Boolean;
    else if (value)
      if (std::optional<PassedArgument> constant = evaluated(*value); constant)
        fact = generalized(*constant);
  }

  PassedArgument parameter(std::string_view name) const {
    auto found = m_parameters.find(name);
    return found == m_parameters.end() ? PassedArgument{} : found->second;
  }

  void define(const Expr *target, const Expr *value) {
    if (auto *name = as<Name>(target))
      m_definitions[name->id].push_back(value);
    auto *targets = as<Tuple>(target);
    auto *values = as<Tuple>(value);
    for (size_t i = 0; targets && i < targets->elts.size(); ++i)
      define(targets->elts[i], values && values->elts.size() == targets->elts.size()
                                   ? values->elts[i]
                                   // `M, N = x.shape`
                                   : value);
  }

  std::optional<PassedArgument> evaluated(const Expr &expr) const {
    constant::Environment names = moduleEnvironment(m_index);
    static constexpr int kMaxLookups = 50;
    int numLookups = 0;
    names.lookup = [&, lookUpGlobal =
                           names.lookup](std::string_view name) -> std::optional<constant::Value> {
      if (m_parameters.contains(name) || ++numLookups > kMaxLookups)
        return std::nullopt;
      if (auto local = m_definitions.find(name); local != m_definitions.end())
        return local->second.size() == 1 ? constant::evaluate(*local->second[0], names).value
                                         : std::nullopt;
      return lookUpGlobal(name);
    };
    constant::Evaluation value = constant::evaluate(expr, names);
    if (!value)
      return std::nullopt;
    bool isPlain = value.value->isNumber() || value.value->isNone() || value.value->isStr() ||
                   value.value->isDType();
    return isPlain ? std::optional(PassedArgument{Kind::Constant, languageText(*value.value)})
                   : std::nullopt;
  }

  PassedArgument combined(const BinOp &operation, int depth) const {
    PassedArgument left = generalized(passed(operation.left, depth + 1));
    PassedArgument right = generalized(passed(operation.right, depth + 1));
    for (const PassedArgument &side : {left, right})
      if (side.kind == Kind::Tensor)
        return {Kind::Tensor, {}};
    if (operation.op == BinaryOpKind::Div || left.kind == Kind::Real || right.kind == Kind::Real)
      return {Kind::Real, {}};
    return left.kind == Kind::Integer && right.kind == Kind::Integer ? left : PassedArgument{};
  }

  PassedArgument result(const Call &call, int depth) const {
    for (const Keyword *keyword : call.keywords)
      if (keyword->arg == "dtype")
        return {Kind::Tensor, elementNamed(keyword->value)};
    const std::string path = m_index.resolve(*call.func);
    if (path == "triton.cdiv" || path.ends_with("next_power_of_2"))
      return {Kind::Integer, {}};
    if (path == "math.sqrt" || path == "math.log2" || path == "math.log" || path == "math.exp")
      return {Kind::Real, {}};
    if (auto *builtin = as<Name>(call.func)) {
      if (builtin->id == "len" || builtin->id == "int" || builtin->id == "round")
        return {Kind::Integer, {}};
      if (builtin->id == "float")
        return {Kind::Real, {}};
      if (builtin->id == "bool")
        return {Kind::Boolean, {}};
      return {};
    }
    auto *method = as<Attribute>(call.func);
    if (!method)
      return {};
    const std::string_view name = method->attr;
    if (name == "stride" || name == "size" || name == "numel" || name == "dim" ||
        name == "element_size")
      return {Kind::Integer, {}};
    if (path.starts_with("torch.")) {
      static constexpr std::string_view kMakers[] = {"empty",      "zeros",      "ones",  "full",
                                                     "empty_like", "zeros_like", "randn", "rand",
                                                     "ones_like",  "tensor",     "cat",   "sum"};
      bool isMaker = std::ranges::find(kMakers, name) != std::end(kMakers);
      return isMaker ? PassedArgument{Kind::Tensor, {}} : PassedArgument{};
    }
    if (name == "to" && !call.args.empty())
      if (std::string element = elementNamed(call.args[0]); !element.empty())
        return {Kind::Tensor, element};
    static constexpr std::pair<std::string_view, std::string_view> kTensorMethods[] = {
        {"contiguous", ""}, {"view", ""},      {"reshape", ""},   {"transpose", ""},
        {"new_empty", ""},  {"new_zeros", ""}, {"flatten", ""},   {"float", "fp32"},
        {"half", "fp16"},   {"long", "i64"},   {"unsqueeze", ""}, {"permute", ""}};
    for (auto [known, element] : kTensorMethods)
      if (name == known) {
        PassedArgument self = passed(method->value, depth + 1);
        bool keepsElement = element.empty() && self.kind == Kind::Tensor;
        return {Kind::Tensor, keepsElement ? self.text : std::string(element)};
      }
    return {};
  }

  const ModuleIndex &m_index;
  std::map<std::string_view, PassedArgument> m_parameters;
  std::map<std::string_view, std::vector<const Expr *>> m_definitions;
};

/// Whether `call` is `kernel[grid](...)`, with or without something wrapped around the kernel.
bool launches(const Call &call, std::string_view kernel) {
  auto *launch = as<Subscript>(call.func);
  const Expr *launched = launch ? launch->value : nullptr;
  if (auto *wrapper = as<Call>(launched); wrapper && wrapper->args.size() == 1)
    launched = wrapper->args[0];
  auto *name = as<Name>(launched);
  return name && name->id == kernel;
}

} // namespace

PassedArgument generalized(const PassedArgument &value) {
  if (value.kind != Kind::Constant)
    return value;
  if (value.text == "True" || value.text == "False")
    return {Kind::Boolean, {}};
  if (value.text.find_first_not_of("-0123456789") == std::string::npos)
    return {Kind::Integer, {}};
  if (value.text.find_first_not_of("-+.e0123456789") == std::string::npos)
    return {Kind::Real, {}};
  return {};
}

std::map<std::string, PassedArgument, std::less<>> argumentsPassedTo(const ModuleIndex &index,
                                                                     const JitFunction &kernel) {
  std::map<std::string, PassedArgument, std::less<>> result;
  auto readLaunch = [&](const HostFunction &host, const Call &call) {
    auto add = [&](const std::string &parameter, const Expr *value) {
      PassedArgument argument = host.passed(value);
      if (argument.kind != Kind::Unknown)
        result.emplace(parameter, argument);
    };
    for (size_t i = 0; i < std::min(call.args.size(), kernel.parameters.size()); ++i) {
      if (is<Starred>(call.args[i]))
        break;
      add(kernel.parameters[i].name, call.args[i]);
    }
    for (const Keyword *keyword : call.keywords)
      if (keyword->arg && kernel.findParameter(*keyword->arg))
        add(std::string(*keyword->arg), keyword->value);
  };
  for (const Stmt *definition : index.otherDefinitions)
    walk(*definition, [&](const Node &node) {
      auto *function = as<FunctionDef>(&node);
      if (!function)
        return true;
      std::optional<HostFunction> host;
      walk(*function, [&](const Node &inner) {
        auto *call = as<Call>(&inner);
        if (!call || !launches(*call, kernel.name))
          return true;
        if (!host)
          host.emplace(index, *function);
        readLaunch(*host, *call);
        return true;
      });
      return false;
    });
  return result;
}

} // namespace tilescope::compiler::inference
