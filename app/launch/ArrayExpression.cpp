// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayExpression.h"

#include "app/launch/ArrayErrors.h"
#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayIndices.h"
#include "app/launch/ArrayJoins.h"
#include "app/launch/ArrayOperand.h"
#include "app/launch/ArrayParts.h"
#include "app/launch/ArrayReductions.h"
#include "app/launch/ArrayRounding.h"
#include "app/launch/ArrayShapes.h"
#include "app/launch/ArrayTruths.h"
#include "app/launch/ExpectationBuilder.h"
#include "app/launch/ExpressionRoundings.h"
#include "app/launch/NumberExpression.h"
#include "app/launch/PlanValues.h"
#include "app/launch/SeveralAxes.h"
#include "app/launch/SizedTensor.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Parser.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;
using constant::Value;
using profiler::Dtype;
using profiler::PlanArgument;
using profiler::Tensor;
using Shape = std::vector<int64_t>;

/// Elements between two looks at the stop.
static constexpr int64_t kStopInterval = 4096;
/// Names that stand for evaluated parts; no user writes such names.
static constexpr const char *kReducedName = "__reduced_";

namespace {
class Evaluator {
public:
  /// `roundings`: of the kernel, as far as the expression has operations for them.
  Evaluator(const PlanArgument &output, const ArraySources &sources,
            const compiler::RoundingFacts &roundings);
  Result<Expectation> evaluate(const std::string &text);

private:
  /// `number`: with size and bounds; NaN where nothing is defined.
  using Take = std::function<void(const Shape &coordinates, int64_t element, const Value &value,
                                  const RoundedNumber &number)>;

  /// An expression in which names stand for what was worked out.
  struct PlainExpression {
    ast::ParsedExpression parsed;
    std::vector<ArrayOperand *> operands;
  };

  /// Works out reductions, products and indices of a text; names that are not known are errors.
  Result<PlainExpression> read(const std::string &text);
  Result<std::string> workOutParts(std::string text);
  Result<SizedTensor> wholeTensor(const std::string &text);
  SizedTensor sized(const ArrayOperand &operand) const;
  void keep(const std::string &name, const std::string &text, bool isReduced, SizedTensor made);
  bool namesTensor(const ast::Expr &expr) const;
  Result<int64_t> indexValue(const ast::Expr &expr) const;
  Result<SizedTensor> join(const ArrayPart &part);
  Result<SizedTensor> rearrange(const ArrayPart &part);
  Status workOut(const ArrayPart &part, const std::string &name);
  Status reduce(const Reduction &reduction, const std::string &name);
  Result<std::vector<ArrayOperand *>> operandsOf(const ast::Expr &expr);
  Status checkNames(const ast::ParsedExpression &parsed);
  Status forEach(const ast::ParsedExpression &parsed, const Shape &shape, const Take &take);
  /// What an expression comes to at the current element with the other indices that are as right there.
  std::vector<double> otherValues(const PlainExpression &plain);
  bool isTrial() const { return !m_sources.contents; }
  const RoundingRules *rules() const { return isTrial() ? nullptr : &m_rules; }

  const PlanArgument &m_output;
  const ArraySources &m_sources;
  ArrayOperands m_operands;
  std::map<std::string, Value, std::less<>> m_values;
  int m_numReduced = 0;
  /// A number stands in for the elements of all tensors.
  bool m_standsIn = false;
  /// An index stands in for that of an operand; null: for none.
  struct {
    const ArrayOperand *operand = nullptr;
    double index = 0;
  } m_other;
  Shape m_coordinates;
  constant::Environment m_environment = constant::hostEnvironment({});
  const RoundingRules m_rules;
  const RoundedNames m_roundedNames;
};

} // namespace

Evaluator::Evaluator(const PlanArgument &output, const ArraySources &sources,
                     const compiler::RoundingFacts &roundings)
    : m_output(output), m_sources(sources), m_values(planValues(sources.plan)),
      m_rules(output.tensor()->dtype, profiler::numElements(output.tensor()->shape), roundings,
              sources.reach),
      m_roundedNames{[this](std::string_view name) -> std::optional<RoundedNumber> {
                       const auto operand = m_operands.find(name);
                       if (operand == m_operands.end())
                         return std::nullopt;
                       return operand->second.roundedAt(m_coordinates, m_rules);
                     },
                     m_environment} {
  m_environment.lookup =
      [this, host = m_environment.lookup](std::string_view name) -> std::optional<Value> {
    if (const auto operand = m_operands.find(name); operand != m_operands.end())
      return m_standsIn                            ? Value::integer(1)
             : m_other.operand == &operand->second ? Value::integer(int64_t(m_other.index))
                                                   : operand->second.at(m_coordinates);
    const auto value = m_values.find(name);
    return value == m_values.end() ? host(name) : value->second;
  };
  addArrayFunctions(m_environment);
}

/// The tensors that an expression names. Arguments that none names are not made: they may be large.
Result<std::vector<ArrayOperand *>> Evaluator::operandsOf(const ast::Expr &expr) {
  std::set<std::string_view> names;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node))
      names.insert(name->id);
    return true;
  });
  std::vector<ArrayOperand *> operands;
  for (const std::string_view name : names) {
    auto known = m_operands.find(name);
    const PlanArgument *argument = m_sources.plan.argument(name);
    if (known == m_operands.end() && argument && argument->tensor()) {
      ArrayOperand operand{argument->name, argument->tensor()->shape, false, {}};
      operand.tensor.dtype = argument->tensor()->dtype;
      if (!isTrial()) {
        Result<Tensor> contents = m_sources.contents(*argument);
        if (!contents)
          return contents.error();
        operand.shape = contents->shape;
        operand.tensor = std::move(*contents);
      }
      known = m_operands.emplace(argument->name, std::move(operand)).first;
    }
    if (known != m_operands.end())
      operands.push_back(&known->second);
  }
  return operands;
}

/// A name or a function that is not known goes before shapes that do not fit.
Status Evaluator::checkNames(const ast::ParsedExpression &parsed) {
  m_standsIn = true;
  const constant::Evaluation value = constant::evaluate(*parsed.expr, m_environment);
  m_standsIn = false;
  const constant::PythonError &error = value.error.error;
  // Others may come from the number.
  if (!value && (error.type == "NameError" || error.type == "AttributeError"))
    return inWordsOfBlock(parsed.tree->source, error, m_sources.plan);
  return {};
}

Status Evaluator::forEach(const ast::ParsedExpression &parsed, const Shape &shape,
                          const Take &take) {
  const int64_t count = profiler::numElements(shape);
  Status failure;
  int64_t numFailed = 0;
  std::optional<NumberExpression> quick =
      isTrial() ? std::nullopt : NumberExpression::of(*parsed.expr, m_operands, m_environment);
  m_coordinates.assign(shape.size(), 0);
  for (int64_t element = 0; element < count && !isTrial();
       ++element, advance(m_coordinates, shape)) {
    if (element % kStopInterval == 0 && m_sources.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "stopped", ""};
    constant::Evaluation value{quick ? quick->at(m_coordinates) : std::nullopt, {}};
    if (!value)
      value = constant::evaluate(*parsed.expr, m_environment);
    if (!value && numFailed == 0)
      failure = inWordsOfBlock(parsed.tree->source, value.error.error, m_sources.plan);
    if (!value && !isOutOfDomain(value.error.error))
      return failure;
    RoundedNumber number = evaluateRounded(*parsed.expr, m_rules, m_roundedNames);
    if (Status status = value ? checkNumber(*value.value) : Status(); !status)
      return status;
    if (value)
      number.value = numberOf(*value.value).value_or(number.value);
    // What is chosen may be defined where what is not chosen is not.
    else if (++numFailed; !std::isfinite(number.value))
      number.value = std::numeric_limits<double>::quiet_NaN();
    take(m_coordinates, element, value ? *value.value : Value::real(number.value), number);
  }
  return numFailed > 0 && numFailed == count ? failure : Status();
}

std::vector<double> Evaluator::otherValues(const PlainExpression &plain) {
  std::vector<double> values;
  for (const ArrayOperand *operand : plain.operands)
    for (const double index : operand->othersAt(m_coordinates)) {
      m_other = {operand, index};
      const constant::Evaluation value = constant::evaluate(*plain.parsed.expr, m_environment);
      if (const std::optional<double> number = value ? numberOf(*value.value) : std::nullopt)
        values.push_back(*number);
    }
  m_other = {};
  return values;
}

static Result<ast::ParsedExpression> parse(const std::string &text) {
  ast::ParsedExpression parsed = ast::parseExpression(text);
  return parsed.expr ? Result(std::move(parsed))
                     : expressionError("`" + text + "` is not an expression");
}

Result<Evaluator::PlainExpression> Evaluator::read(const std::string &text) {
  if (Status status = checkIndices(text, m_sources.plan); !status)
    return status.error();
  const Result<std::string> plain =
      workOutParts(withPythonTruths(inSingleAxes(inMeans(text)), m_sources.plan));
  if (!plain)
    return plain.error();
  const Result<ast::ParsedExpression> parsed = parse(*plain);
  if (!parsed)
    return parsed.error();
  const Result<std::vector<ArrayOperand *>> operands = operandsOf(*parsed->expr);
  if (!operands)
    return operands.error();
  if (Status status = checkNames(*parsed); !status)
    return status.error();
  return PlainExpression{*parsed, *operands};
}

/// Evaluates a reduction; `name` stands for the result from now on.
Status Evaluator::reduce(const Reduction &reduction, const std::string &name) {
  const Result<PlainExpression> plain = read(reduction.operand);
  if (!plain)
    return plain.error();
  const Result<Shape> shape = broadcastShape(plain->operands);
  if (!shape)
    return shape.error();
  const std::optional<Shape> reduced = reducedShape(reduction, *shape);
  if (!reduced)
    return expressionError("`" + reduction.text + "`: `" + reduction.operand + "` of the shape " +
                           shapeText(*shape) + " has no axis " + std::to_string(*reduction.axis));
  if (isChoice(reduction.kind) && !profiler::numElements(*shape) && profiler::numElements(*reduced))
    return expressionError("`" + reduction.text + "`: it has no element to choose from");
  if (Status status = checkSize(*shape); !status)
    return status;
  for (ArrayOperand *operand : plain->operands)
    operand->strides = *broadcastStrides(operand->shape, *shape);
  const auto size = static_cast<size_t>(profiler::numElements(*reduced));
  std::vector<Accumulator> accumulators(isTrial() ? 0 : size, Accumulator(reduction.kind));
  bool areIntegers = reduction.kind != ReductionKind::Mean;
  const auto take = [&](const Shape &at, int64_t, const Value &value, const RoundedNumber &number) {
    areIntegers = areIntegers && !value.isFloat();
    accumulators[static_cast<size_t>(reducedElement(reduction, at, *shape))].add(number, m_rules);
  };
  if (Status status = forEach(plain->parsed, *shape, take); !status)
    return status;
  const bool isIndex =
      reduction.kind == ReductionKind::ArgMax || reduction.kind == ReductionKind::ArgMin;
  const Dtype dtype = areIntegers || isIndex ? Dtype::Int64 : Dtype::Fp64;
  if (isTrial()) {
    keep(name, reduction.text, true, {Tensor{dtype, *reduced, {}}});
    return {};
  }
  SizedTensor made{zerosOf(*reduced, dtype), zerosOf(*reduced)};
  std::map<int64_t, std::vector<double>> others;
  for (size_t i = 0; i < size; ++i) {
    const auto element = static_cast<int64_t>(i);
    made.values.set(element, accumulators[i].result());
    made.setErrors(element, accumulators[i].number(m_rules, !profiler::isFloat(dtype)));
    if (std::vector<double> each = accumulators[i].others(); !each.empty())
      others.emplace(element, std::move(each));
  }
  keep(name, reduction.text, true, std::move(made));
  m_operands.find(name)->second.others = std::move(others);
  return {};
}

/// A name stands for a tensor from now on.
void Evaluator::keep(const std::string &name, const std::string &text, bool isReduced,
                     SizedTensor made) {
  ArrayOperand operand{text, made.values.shape, isReduced, std::move(made.values)};
  operand.squares = std::move(made.squares);
  operand.below = std::move(made.below);
  operand.above = std::move(made.above);
  operand.terms = std::move(made.terms);
  m_operands.insert_or_assign(name, std::move(operand));
}

SizedTensor Evaluator::sized(const ArrayOperand &operand) const {
  SizedTensor whole{operand.tensor, operand.squares, operand.below, operand.above, operand.terms};
  whole.values.shape = operand.shape;
  if (isTrial() || !whole.squares.data.empty())
    return whole;
  whole.squares = zerosOf(operand.shape);
  for (int64_t i = 0; i < whole.squares.numElements(); ++i)
    whole.setErrors(i, operand.rounded(i, m_rules));
  return whole;
}

/// The tensor that a text stands for.
Result<SizedTensor> Evaluator::wholeTensor(const std::string &text) {
  const Result<PlainExpression> plain = read(text);
  if (!plain)
    return plain.error();
  if (ast::is<ast::Name>(plain->parsed.expr) && plain->operands.size() == 1)
    return sized(*plain->operands[0]);
  const Result<Shape> shape = broadcastShape(plain->operands);
  if (!shape)
    return shape.error();
  if (Status status = checkSize(*shape); !status)
    return status.error();
  for (ArrayOperand *operand : plain->operands)
    operand->strides = *broadcastStrides(operand->shape, *shape);
  std::vector<double> values;
  bool areIntegers = true;
  SizedTensor whole{Tensor{Dtype::Fp64, *shape, {}}, isTrial() ? Tensor() : zerosOf(*shape)};
  const auto take = [&](const Shape &, int64_t element, const Value &value,
                        const RoundedNumber &number) {
    areIntegers = areIntegers && !value.isFloat();
    values.push_back(number.value);
    whole.setErrors(element, number);
  };
  if (Status status = forEach(plain->parsed, *shape, take); !status)
    return status.error();
  whole.values = {areIntegers ? Dtype::Int64 : Dtype::Fp64, *shape, {}};
  whole.values.data.resize(values.size() * profiler::dtypeSize(whole.values.dtype));
  for (size_t i = 0; i < values.size(); ++i)
    whole.values.set(static_cast<int64_t>(i), values[i]);
  return whole;
}

/// Whether an expression names a tensor, or what was worked out of some.
bool Evaluator::namesTensor(const ast::Expr &expr) const {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const PlanArgument *argument = name ? m_sources.plan.argument(name->id) : nullptr;
    found = found || (argument && argument->tensor()) || (name && m_operands.contains(name->id));
    return !found;
  });
  return found;
}

/// A number in brackets.
Result<int64_t> Evaluator::indexValue(const ast::Expr &expr) const {
  static constexpr const char *kRule =
      "an index is a number, a slice such as `1:n`, one array of integers (or two of an array "
      "with two axes: `x[i, j]`), `None` or `...`";
  if (namesTensor(expr) || makesRange(expr))
    return expressionError(kRule);
  const constant::Evaluation value = constant::evaluate(expr, m_environment);
  if (!value)
    return inWordsOfBlock(callText(expr), value.error.error, m_sources.plan);
  const std::optional<int64_t> number = value.value->toInt64();
  return number ? Result<int64_t>(*number) : expressionError(kRule);
}

Result<SizedTensor> Evaluator::join(const ArrayPart &part) {
  std::vector<SizedTensor> operands;
  for (const std::string &text : part.operands) {
    Result<SizedTensor> operand = wholeTensor(text);
    if (!operand)
      return operand.error();
    operands.push_back(std::move(*operand));
  }
  return joinedWithSizes(part, operands, rules(),
                         [this](const ast::Expr &expr) { return indexValue(expr); });
}

/// A product, another order of axes, or brackets.
Result<SizedTensor> Evaluator::rearrange(const ArrayPart &part) {
  if (part.operand.empty())
    return expressionError("`" + part.text + "` names no tensor");
  const Result<SizedTensor> operand = wholeTensor(part.operand);
  if (!operand)
    return operand.error();
  if (part.kind != ArrayPart::Kind::Product)
    return movedWithSizes(part, *operand, rules(),
                          [this](const ast::Expr &expr) { return indexValue(expr); });
  const Result<SizedTensor> right = wholeTensor(part.right);
  if (!right)
    return right.error();
  return multipliedWithSizes(part, *operand, *right, rules(), m_sources.stop);
}

/// Works a part out; `name` stands for the result from now on.
Status Evaluator::workOut(const ArrayPart &part, const std::string &name) {
  Result<SizedTensor> made = isJoin(part.kind) ? join(part) : rearrange(part);
  if (!made)
    return made.error();
  if (Status status = checkSize(made->values.shape); !status)
    return status;
  keep(name, part.text, false, std::move(*made));
  return {};
}

/// Puts names for what is not element by element: reductions, products, indices.
Result<std::string> Evaluator::workOutParts(std::string text) {
  for (;;) {
    const Result<ast::ParsedExpression> parsed = parse(text);
    if (!parsed)
      return parsed.error();
    const Result<std::optional<Reduction>> reduction = findReduction(*parsed->tree, *parsed->expr);
    if (!reduction)
      return reduction.error();
    const std::optional<ArrayPart> part = findArrayPart(
        *parsed->tree, *parsed->expr, [this](const ast::Expr &expr) { return namesTensor(expr); });
    if (!*reduction && !part)
      return text;
    // The outer one first: it works out what is in it.
    const bool isPart =
        part &&
        (!*reduction || (part->begin <= (*reduction)->begin && (*reduction)->end <= part->end));
    const std::string name = kReducedName + std::to_string(m_numReduced++);
    if (Status status = isPart ? workOut(*part, name) : reduce(**reduction, name); !status)
      return status.error();
    const size_t begin = isPart ? part->begin : (*reduction)->begin;
    const size_t end = isPart ? part->end : (*reduction)->end;
    text.replace(begin, end - begin, name);
  }
}

Result<Expectation> Evaluator::evaluate(const std::string &text) {
  const Result<PlainExpression> plain = read(text);
  if (!plain)
    return plain.error();
  const profiler::PlanTensor &tensor = *m_output.tensor();
  for (ArrayOperand *operand : plain->operands) {
    const std::optional<Shape> strides = broadcastStrides(operand->shape, tensor.shape);
    if (!strides)
      return misfit(*operand, tensor.shape, " of `" + m_output.name + "`", text);
    operand->strides = *strides;
  }
  if (Status status = checkSize(tensor.shape); !status)
    return status.error();
  ExpectationBuilder builder(tensor.dtype, tensor.shape, m_rules, isTrial());
  const auto take = [&](const Shape &at, int64_t element, const Value &value,
                        const RoundedNumber &number) {
    builder.add(at, element, value, number);
    builder.addOthers(element, otherValues(*plain));
  };
  if (Status status = forEach(plain->parsed, tensor.shape, take); !status)
    return status.error();
  return builder.take(text);
}

Result<Expectation> evaluateArray(const std::string &text, const PlanArgument &output,
                                  const ArraySources &sources) {
  return Evaluator(output, sources, roundingsWithin(text, sources.roundings)).evaluate(text);
}

} // namespace tilescope::app
