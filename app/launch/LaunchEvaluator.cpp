// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/LaunchEvaluator.h"

#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayReductions.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/constant/Operators.h"
#include "compiler/syntax/Parser.h"

namespace tilescope::app {

namespace constant = compiler::constant;
using profiler::ExpressionFault;
using profiler::LaunchValue;

/// A value of another kind keeps what it was made from.
static constant::Value toConstant(const LaunchValue &value) {
  struct Visitor {
    constant::Value operator()(std::monostate) const { return constant::Value::none(); }
    constant::Value operator()(bool flag) const { return constant::Value::boolean(flag); }
    constant::Value operator()(int64_t number) const { return constant::Value::integer(number); }
    constant::Value operator()(uint64_t number) const {
      return constant::Value::integer(constant::Int::fromUint64(number));
    }
    constant::Value operator()(double number) const { return constant::Value::real(number); }
    constant::Value operator()(const std::string &string) const {
      return constant::Value::string(string);
    }
    constant::Value operator()(const LaunchValue::Opaque &opaque) const {
      return *static_cast<const constant::Value *>(opaque.value.get());
    }
  };
  return std::visit(Visitor{}, value.value);
}

std::optional<LaunchValue> toLaunchValue(const constant::Value &value) {
  LaunchValue result;
  result.text = value.isDType() ? "tl." + value.dtype().languageName() : constant::repr(value);
  switch (value.kind()) {
  case constant::Value::Kind::None:
    break;
  case constant::Value::Kind::Bool:
    result.value = value.boolean();
    break;
  case constant::Value::Kind::Int:
    if (std::optional<int64_t> small = value.toInt64())
      result.value = *small;
    else if (std::optional<uint64_t> large = value.integer().toUint64())
      result.value = *large;
    else
      return std::nullopt;
    break;
  case constant::Value::Kind::Float:
    result.value = value.real();
    break;
  case constant::Value::Kind::Str:
    result.value = value.str();
    break;
  default:
    result.value = LaunchValue::Opaque{std::make_shared<const constant::Value>(value)};
  }
  return result;
}

/// What all expressions of one block may take together: a fraction of a second.
static constexpr int64_t kBlockSteps = constant::kMaxEvaluationSteps / 4;

/// The reduction that a text calls, as `tl.sum` too; empty: none.
static std::string reductionIn(const std::string &text) {
  const compiler::ast::ParsedExpression parsed = compiler::ast::parseExpression(text);
  std::string found;
  if (parsed.expr)
    compiler::ast::walk(*parsed.expr, [&](const compiler::ast::Node &node) {
      const auto *call = compiler::ast::as<compiler::ast::Call>(&node);
      const auto *name = call ? compiler::ast::as<compiler::ast::Name>(call->func) : nullptr;
      const auto *member = call ? compiler::ast::as<compiler::ast::Attribute>(call->func) : nullptr;
      const std::string_view called = name ? name->id : member ? member->attr : "";
      if (found.empty() && isReduction(called))
        found = parsed.tree->text(call->func->range);
      return found.empty();
    });
  return found;
}

static ExpressionFault faultOf(const std::string &text, const constant::PythonError &error) {
  const std::string reduction = error.type == "SyntaxError" ? "" : reductionIn(text);
  const bool isOfOne = error.type == "AttributeError" ||
                       (error.type == "NameError" && error.cause.subject == reduction) ||
                       error.cause.need == compiler::Need::Sequence;
  if (!reduction.empty() && isOfOne)
    return {.message =
                "`" + reduction +
                "` makes one number of the elements of a tensor, which only `expected` names"};
  if (error.type == "NameError")
    return {.kind = ExpressionFault::Kind::UndefinedName,
            .name = error.cause.subject,
            .functions = "cdiv, next_power_of_2, " + arrayFunctionNames()};
  if (error.type == "SyntaxError")
    return {.kind = ExpressionFault::Kind::Syntax};
  return {.message = error.message.empty() ? error.type : error.message};
}

namespace {
/// The environment of one block: the host's functions, those of `expected`, and the names that the
/// block defines.
class BlockEvaluator {
public:
  BlockEvaluator() : m_host(constant::hostEnvironment({})) { addArrayFunctions(m_host); }

  profiler::Evaluated evaluate(const std::string &text, const profiler::LaunchNames &names) {
    constant::Environment environment = m_host;
    environment.stepsLeft = &m_stepsLeft;
    environment.lookup = [&](std::string_view name) -> std::optional<constant::Value> {
      const auto known = names.find(name);
      return known == names.end() ? m_host.lookup(name) : toConstant(known->second);
    };
    const constant::ValueOrError value = constant::evaluateTextIn(text, environment);
    if (!value)
      return faultOf(text, value.error());
    if (std::optional<LaunchValue> known = toLaunchValue(*value))
      return *std::move(known);
    return ExpressionFault{.message = "`" + constant::repr(*value) + "` does not fit in 64 bits"};
  }

private:
  constant::Environment m_host;
  int64_t m_stepsLeft = kBlockSteps;
};
} // namespace

profiler::Evaluator makeLaunchEvaluator() {
  return [evaluator = std::make_shared<BlockEvaluator>()](const std::string &text,
                                                          const profiler::LaunchNames &names) {
    return evaluator->evaluate(text, names);
  };
}

} // namespace tilescope::app
