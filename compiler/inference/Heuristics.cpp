// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Heuristics.h"

#include "compiler/inference/ModuleValues.h"

#include <memory>
#include <utility>

namespace tilescope::compiler::inference {

using constant::Value;

namespace {

/// A tensor that a launch passes.
class TensorArgument : public constant::Extension {
public:
  std::string typeName() const override { return "Tensor"; }
  std::string repr() const override { return "<Tensor>"; }
};

/// What a function of one parameter returns.
struct Returning {
  std::string_view parameter;
  const ast::Expr *result = nullptr;
};

} // namespace

/// Of a body that is one `return`, behind a docstring.
static const ast::Expr *returnedBy(const ast::FunctionDef &function) {
  for (const ast::Stmt *stmt : function.body) {
    const auto *text = ast::as<ast::ExprStmt>(stmt);
    if (text && ast::as<ast::Constant>(text->value))
      continue;
    const auto *result = ast::as<ast::Return>(stmt);
    return result ? result->value : nullptr;
  }
  return nullptr;
}

/// A lambda, or the function or the lambda that a name of the file means.
static std::optional<Returning> functionOf(const ast::ModuleIndex &index, const ast::Expr &expr) {
  const ast::Expr *meant = &expr;
  if (const auto *name = ast::as<ast::Name>(meant)) {
    for (const ast::Stmt *definition : index.otherDefinitions)
      if (const auto *function = ast::as<ast::FunctionDef>(definition);
          function && function->name == name->id && function->args->args.size() == 1)
        if (const ast::Expr *result = returnedBy(*function))
          return Returning{function->args->args[0]->arg, result};
    if (const ast::ModuleConstant *global = index.findConstant(name->id))
      meant = global->value;
  }
  const auto *lambda = ast::as<ast::Lambda>(meant);
  if (!lambda || lambda->args->args.size() != 1)
    return std::nullopt;
  return Returning{lambda->args->args[0]->arg, lambda->body};
}

static Value argumentsOf(const KnownArguments &known, int64_t &stepsLeft) {
  Value::Entries entries;
  constant::Environment environment = constant::hostEnvironment({});
  environment.stepsLeft = &stepsLeft;
  for (const auto &[name, text] : known.values)
    if (const constant::ValueOrError value = constant::evaluateTextIn(text, environment))
      entries.emplace_back(Value::string(name), *value);
  for (const std::string &name : known.tensors)
    entries.emplace_back(Value::string(name), Value::extension(std::make_shared<TensorArgument>()));
  return Value::dict(std::move(entries));
}

std::optional<std::string> heuristicValue(const ast::ModuleIndex &index, const ast::Expr &heuristic,
                                          const KnownArguments &known, int64_t &stepsLeft) {
  const std::optional<Returning> function = functionOf(index, heuristic);
  if (!function)
    return std::nullopt;
  constant::Environment environment = moduleEnvironment(index);
  environment.lookup = [lookUp = environment.lookup, parameter = function->parameter,
                        arguments = argumentsOf(known, stepsLeft)](std::string_view name) {
    return name == parameter ? std::optional(arguments) : lookUp(name);
  };
  environment.stepsLeft = &stepsLeft;
  const constant::Evaluation result = constant::evaluate(*function->result, environment);
  if (!result || result.value->isExtension())
    return std::nullopt;
  return languageText(*result.value);
}

bool isCondition(const ast::ModuleIndex &index, const ast::Expr &heuristic) {
  const std::optional<Returning> function = functionOf(index, heuristic);
  if (!function)
    return false;
  const auto *negation = ast::as<ast::UnaryOp>(function->result);
  return function->result->kind == ast::NodeKind::Compare ||
         function->result->kind == ast::NodeKind::BoolOp ||
         (negation && negation->op == ast::UnaryOpKind::Not);
}

bool isLaunchOption(std::string_view name) {
  return name == "num_warps" || name == "num_stages" || name == "num_ctas" || name == "maxnreg";
}

bool isComputable(const ast::JitFunction &kernel, const std::string &name) {
  return kernel.findParameter(name) || isLaunchOption(name);
}

} // namespace tilescope::compiler::inference
