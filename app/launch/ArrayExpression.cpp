// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayExpression.h"

#include "app/launch/ArrayFunctions.h"
#include "app/launch/ArrayParts.h"
#include "app/launch/ArrayReductions.h"
#include "app/launch/ArrayShapes.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
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

/// Some seconds of evaluation.
static constexpr int64_t kMostElements = 4 << 20;
/// Elements between two looks at the stop.
static constexpr int64_t kStopInterval = 4096;
/// Names that stand for evaluated parts; no user writes such names.
static constexpr const char *kReducedName = "__reduced_";

static Error wrong(std::string what) { return {ErrorCode::InvalidInput, std::move(what), ""}; }

namespace {

/// A tensor that an expression names: an argument, or what was worked out of some.
struct Operand {
  /// As the user wrote it.
  std::string text;
  Shape shape;
  bool isReduced = false;
  /// Without data where only names and shapes are checked.
  Tensor tensor;
  /// Elements from one index of an axis of what is evaluated to the next; 0 where it is broadcast.
  Shape strides = {};

  Value at(const Shape &coordinates) const {
    int64_t element = 0;
    for (size_t axis = 0; axis < coordinates.size(); ++axis)
      element += coordinates[axis] * strides[axis];
    const double value = tensor.at(element);
    return profiler::isFloat(tensor.dtype) ? Value::real(value) : Value::integer(int64_t(value));
  }
};

class Evaluator {
public:
  Evaluator(const PlanArgument &output, const ArraySources &sources);
  Result<Tensor> evaluate(const std::string &text);

private:
  using Take = std::function<void(const Shape &coordinates, int64_t element, const Value &value)>;

  /// An expression in which names stand for what was worked out.
  struct PlainExpression {
    ast::ParsedExpression parsed;
    std::vector<Operand *> operands;
  };

  /// Works out reductions, products and indices of a text; names that are not known are errors.
  Result<PlainExpression> read(const std::string &text);
  Result<std::string> workOutParts(std::string text);
  Result<Tensor> wholeTensor(const std::string &text);
  bool namesTensor(const ast::Expr &expr) const;
  Result<int64_t> indexValue(const ast::Expr &expr) const;
  Status workOut(const ArrayPart &part, const std::string &name);
  Status reduce(const Reduction &reduction, const std::string &name);
  Result<std::vector<Operand *>> operandsOf(const ast::Expr &expr);
  Result<Shape> broadcastShape(const std::vector<Operand *> &operands) const;
  Error misfit(const Operand &operand, const Shape &shape, const std::string &where) const;
  Status checkNames(const ast::ParsedExpression &parsed);
  Status forEach(const ast::ParsedExpression &parsed, const Shape &shape, const Take &take);
  Error inOurWords(const std::string &text, const constant::PythonError &error) const;
  std::string knownNames() const;
  bool isTrial() const { return !m_sources.contents; }

  const PlanArgument &m_output;
  const ArraySources &m_sources;
  std::map<std::string, Operand, std::less<>> m_operands;
  std::map<std::string, Value, std::less<>> m_values;
  int m_numReduced = 0;
  /// A number stands in for the elements of all tensors.
  bool m_standsIn = false;
  Shape m_coordinates;
  constant::Environment m_environment = constant::hostEnvironment({});
};

} // namespace

static Value scalarValue(const profiler::PlanScalar &scalar) {
  return std::visit(
      [](auto number) {
        using Number = decltype(number);
        if constexpr (std::is_same_v<Number, bool>)
          return Value::boolean(number);
        else if constexpr (std::is_same_v<Number, double>)
          return Value::real(number);
        else
          return Value::integer(int64_t(number));
      },
      scalar.value);
}

Evaluator::Evaluator(const PlanArgument &output, const ArraySources &sources)
    : m_output(output), m_sources(sources) {
  for (const auto *literals : {&sources.plan.sizes, &sources.plan.constexprs})
    for (const auto &[name, literal] : *literals)
      if (const constant::ValueOrError value = constant::evaluateText(literal, {}))
        m_values.insert_or_assign(name, *value);
  for (const PlanArgument &argument : sources.plan.args)
    if (const profiler::PlanScalar *scalar = argument.scalar())
      m_values.insert_or_assign(argument.name, scalarValue(*scalar));
  m_environment.lookup =
      [this, host = m_environment.lookup](std::string_view name) -> std::optional<Value> {
    if (const auto operand = m_operands.find(name); operand != m_operands.end())
      return m_standsIn ? Value::integer(1) : operand->second.at(m_coordinates);
    const auto value = m_values.find(name);
    return value == m_values.end() ? host(name) : value->second;
  };
  addArrayFunctions(m_environment);
}

/// The tensors that an expression names. Arguments that none names are not made: they may be large.
Result<std::vector<Operand *>> Evaluator::operandsOf(const ast::Expr &expr) {
  std::set<std::string_view> names;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node))
      names.insert(name->id);
    return true;
  });
  std::vector<Operand *> operands;
  for (const std::string_view name : names) {
    auto known = m_operands.find(name);
    const PlanArgument *argument = m_sources.plan.argument(name);
    if (known == m_operands.end() && argument && argument->tensor()) {
      Operand operand{argument->name, argument->tensor()->shape, false, {}};
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

/// What would make an operand fit.
static std::string adviceFor(const Operand &operand, const Shape &shape) {
  if (operand.isReduced && operand.shape.size() + 1 == shape.size())
    return "; `keepdims=True` keeps the axis, with the extent 1";
  if (operand.shape.size() <= shape.size())
    return {};
  size_t axis = operand.shape.size() - 1;
  for (size_t each = 0; each < operand.shape.size(); ++each) {
    Shape without = operand.shape;
    without.erase(without.begin() + static_cast<ptrdiff_t>(each));
    if (without == shape)
      axis = each;
  }
  return "; `sum(" + operand.text + ", axis=" + std::to_string(axis) +
         ")` has one axis less; the reductions over an axis are " + reductionNames();
}

Error Evaluator::misfit(const Operand &operand, const Shape &shape,
                        const std::string &where) const {
  return wrong("`" + operand.text + "` has the shape " + shapeText(operand.shape) +
               ", which does not fit " + shapeText(shape) + where + adviceFor(operand, shape));
}

Result<Shape> Evaluator::broadcastShape(const std::vector<Operand *> &operands) const {
  Shape shape;
  for (const Operand *operand : operands) {
    const size_t rank = std::max(shape.size(), operand->shape.size());
    Shape both(rank, 1);
    for (size_t back = 1; back <= rank; ++back) {
      const int64_t a = back <= shape.size() ? shape[shape.size() - back] : 1;
      const int64_t b =
          back <= operand->shape.size() ? operand->shape[operand->shape.size() - back] : 1;
      if (a != b && a != 1 && b != 1)
        return misfit(*operand, shape, " of what it is combined with");
      both[rank - back] = a == 1 ? b : a;
    }
    shape = std::move(both);
  }
  return shape;
}

std::string Evaluator::knownNames() const {
  std::string text;
  std::set<std::string_view> listed;
  const auto add = [&](const std::string &name) {
    if (listed.insert(name).second)
      text += (text.empty() ? "`" : ", `") + name + "`";
  };
  for (const PlanArgument &argument : m_sources.plan.args)
    add(argument.name);
  for (const auto *values : {&m_sources.plan.sizes, &m_sources.plan.constexprs})
    for (const auto &[name, value] : *values)
      add(name);
  return text;
}

/// Python's complaint in the words of a launch block.
Error Evaluator::inOurWords(const std::string &text, const constant::PythonError &error) const {
  const std::string reductions = "; over an axis, or over all elements: " + reductionNames();
  const std::string functions = arrayFunctionNames() + reductions;
  const std::string &name = error.cause.subject;
  if (error.type == "NameError") {
    if (text.find(name + "(") != std::string::npos)
      return wrong("`" + name + "` is not a function that can be used here; use one of " +
                   functions);
    return wrong("`" + name + "` is not defined; the names here are " + knownNames());
  }
  if (error.type != "AttributeError")
    return wrong(error.text());
  return wrong(name.empty() ? error.message + reductions
                            : "`." + name + "` cannot be used here; use one of " + functions);
}

/// A name or a function that is not known goes before shapes that do not fit.
Status Evaluator::checkNames(const ast::ParsedExpression &parsed) {
  m_standsIn = true;
  const constant::Evaluation value = constant::evaluate(*parsed.expr, m_environment);
  m_standsIn = false;
  const constant::PythonError &error = value.error.error;
  // Others may come from the number.
  if (!value && (error.type == "NameError" || error.type == "AttributeError"))
    return inOurWords(parsed.tree->source, error);
  return {};
}

static Status checkSize(const Shape &shape) {
  const int64_t count = profiler::numElements(shape);
  if (count > kMostElements)
    return wrong("an expression is evaluated for at most " + std::to_string(kMostElements) +
                 " elements; this one has " + std::to_string(count));
  return {};
}

Status Evaluator::forEach(const ast::ParsedExpression &parsed, const Shape &shape,
                          const Take &take) {
  const int64_t count = profiler::numElements(shape);
  for (int64_t element = 0; element < count && !isTrial(); ++element) {
    if (element % kStopInterval == 0 && m_sources.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "stopped", ""};
    m_coordinates = profiler::elementCoordinates(element, shape);
    const constant::Evaluation value = constant::evaluate(*parsed.expr, m_environment);
    if (!value)
      return inOurWords(parsed.tree->source, value.error.error);
    take(m_coordinates, element, *value.value);
  }
  return {};
}

static Result<ast::ParsedExpression> parse(const std::string &text) {
  ast::ParsedExpression parsed = ast::parseExpression(text);
  if (!parsed.expr)
    return wrong("`" + text + "` is not an expression");
  return parsed;
}

Result<Evaluator::PlainExpression> Evaluator::read(const std::string &text) {
  const Result<std::string> plain = workOutParts(text);
  if (!plain)
    return plain.error();
  const Result<ast::ParsedExpression> parsed = parse(*plain);
  if (!parsed)
    return parsed.error();
  const Result<std::vector<Operand *>> operands = operandsOf(*parsed->expr);
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
    return wrong("`" + reduction.text + "`: `" + reduction.operand + "` of the shape " +
                 shapeText(*shape) + " has no axis " + std::to_string(*reduction.axis));
  if (Status status = checkSize(*shape); !status)
    return status;
  for (Operand *operand : plain->operands)
    operand->strides = *broadcastStrides(operand->shape, *shape);
  const auto size = static_cast<size_t>(profiler::numElements(*reduced));
  std::vector<Accumulator> accumulators(isTrial() ? 0 : size, Accumulator(reduction.kind));
  bool areIntegers = reduction.kind != ReductionKind::Mean;
  const auto take = [&](const Shape &at, int64_t, const Value &value) {
    areIntegers = areIntegers && !value.isFloat();
    accumulators[static_cast<size_t>(reducedElement(reduction, at, *shape))].add(
        numberOf(value).value_or(0));
  };
  if (Status status = forEach(plain->parsed, *shape, take); !status)
    return status;
  const bool isIndex =
      reduction.kind == ReductionKind::ArgMax || reduction.kind == ReductionKind::ArgMin;
  Operand result{reduction.text,
                 *reduced,
                 true,
                 {areIntegers || isIndex ? Dtype::Int64 : Dtype::Fp64, *reduced, {}}};
  if (!isTrial()) {
    result.tensor.data.resize(size * profiler::dtypeSize(result.tensor.dtype));
    for (size_t i = 0; i < size; ++i)
      result.tensor.set(static_cast<int64_t>(i), accumulators[i].result());
  }
  m_operands.insert_or_assign(name, std::move(result));
  return {};
}

/// The tensor that a text stands for.
Result<Tensor> Evaluator::wholeTensor(const std::string &text) {
  const Result<PlainExpression> plain = read(text);
  if (!plain)
    return plain.error();
  if (ast::is<ast::Name>(plain->parsed.expr) && plain->operands.size() == 1) {
    Tensor tensor = plain->operands[0]->tensor;
    tensor.shape = plain->operands[0]->shape;
    return tensor;
  }
  const Result<Shape> shape = broadcastShape(plain->operands);
  if (!shape)
    return shape.error();
  if (Status status = checkSize(*shape); !status)
    return status.error();
  for (Operand *operand : plain->operands)
    operand->strides = *broadcastStrides(operand->shape, *shape);
  std::vector<double> values;
  bool areIntegers = true;
  const auto take = [&](const Shape &, int64_t, const Value &value) {
    areIntegers = areIntegers && !value.isFloat();
    values.push_back(numberOf(value).value_or(0));
  };
  if (Status status = forEach(plain->parsed, *shape, take); !status)
    return status.error();
  Tensor tensor{areIntegers ? Dtype::Int64 : Dtype::Fp64, *shape, {}};
  tensor.data.resize(values.size() * profiler::dtypeSize(tensor.dtype));
  for (size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<int64_t>(i), values[i]);
  return tensor;
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
      "an index is a number, a slice such as `1:n`, `None` or `...`";
  if (namesTensor(expr))
    return wrong(kRule);
  const constant::Evaluation value = constant::evaluate(expr, m_environment);
  const std::optional<int64_t> number = value ? value.value->toInt64() : std::nullopt;
  if (!number)
    return wrong(value ? kRule : value.error.error.text());
  return *number;
}

/// Works a part out; `name` stands for the result from now on.
Status Evaluator::workOut(const ArrayPart &part, const std::string &name) {
  const Result<Tensor> operand = wholeTensor(part.operand);
  if (!operand)
    return operand.error();
  Result<Tensor> made = transposed(*operand);
  if (part.kind == ArrayPart::Kind::Index)
    made = indexed(part, *operand, [this](const ast::Expr &expr) { return indexValue(expr); });
  if (part.kind == ArrayPart::Kind::Product) {
    const Result<Tensor> right = wholeTensor(part.right);
    if (!right)
      return right.error();
    made = multiplied(part, *operand, *right, m_sources.stop);
  }
  if (!made)
    return made.error();
  if (Status status = checkSize(made->shape); !status)
    return status;
  Operand result{part.text, made->shape, false, std::move(*made)};
  m_operands.insert_or_assign(name, std::move(result));
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
    std::string name = kReducedName;
    name += std::to_string(m_numReduced++);
    if (Status status = isPart ? workOut(*part, name) : reduce(**reduction, name); !status)
      return status.error();
    const size_t begin = isPart ? part->begin : (*reduction)->begin;
    const size_t end = isPart ? part->end : (*reduction)->end;
    text.replace(begin, end - begin, name);
  }
}

Result<Tensor> Evaluator::evaluate(const std::string &text) {
  const Result<PlainExpression> plain = read(text);
  if (!plain)
    return plain.error();
  const profiler::PlanTensor &tensor = *m_output.tensor();
  for (Operand *operand : plain->operands) {
    const std::optional<Shape> strides = broadcastStrides(operand->shape, tensor.shape);
    if (!strides)
      return misfit(*operand, tensor.shape, " of `" + m_output.name + "`");
    operand->strides = *strides;
  }
  if (Status status = checkSize(tensor.shape); !status)
    return status.error();
  Tensor result{tensor.dtype, tensor.shape, {}};
  if (!isTrial())
    result.data.resize(static_cast<size_t>(*profiler::tensorBytes(tensor.dtype, tensor.shape)));
  bool areNumbers = true;
  const auto take = [&](const Shape &, int64_t element, const Value &value) {
    const std::optional<double> number = numberOf(value);
    areNumbers = areNumbers && number;
    if (number)
      result.set(element, *number);
  };
  if (Status status = forEach(plain->parsed, tensor.shape, take); !status)
    return status.error();
  if (!areNumbers)
    return wrong("`" + text + "` is not a number");
  return result;
}

Result<Tensor> evaluateArray(const std::string &text, const PlanArgument &output,
                             const ArraySources &sources) {
  return Evaluator(output, sources).evaluate(text);
}

} // namespace tilescope::app
