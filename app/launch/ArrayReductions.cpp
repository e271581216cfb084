// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayReductions.h"

#include "app/launch/ReductionCalls.h"
#include "app/launch/RewriteParts.h"
#include "app/launch/SourceOffset.h"
#include "compiler/constant/Evaluate.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;

static Error misunderstood(const Reduction &reduction, const std::string &what) {
  return {ErrorCode::InvalidInput, "`" + reduction.text + "`: " + what, ""};
}

static Status readArgument(std::string_view name, const ast::Expr &expr, Reduction &reduction) {
  const constant::Evaluation value = constant::evaluate(expr, constant::hostEnvironment({}));
  if (name == "axis" || name == "dim") {
    if (value && value.value->isNone())
      return {};
    reduction.axis = value ? value.value->toInt64() : std::nullopt;
    if (!reduction.axis)
      return misunderstood(reduction,
                           ast::is<ast::Tuple>(&expr) || ast::is<ast::List>(&expr)
                               ? "several axes are numbers that all count from the first, as in "
                                 "`axis=(1, 2)`, or all from the last, as in `axis=(-2, -1)`"
                               : "the axis is one number, such as `axis=1`");
    return {};
  }
  // Torch divides by one less, and NumPy by all.
  if (name == "ddof" && isSpread(reduction.kind)) {
    if (value && value.value->toInt64() == 0)
      return {};
    return misunderstood(reduction,
                         "`ddof` is 0 here; `x.var() * n / (n - 1)` divides by one less");
  }
  // As NumPy, Torch and Triton have it.
  if (name != "keepdims" && name != "keepdim" && name != "keep_dims")
    return misunderstood(reduction, "`" + std::string(name) +
                                        "` is not known here; a reduction takes `axis` and "
                                        "`keepdims`");
  if (!value || !value.value->isBool())
    return misunderstood(reduction, "`keepdims` is `True` or `False`");
  reduction.keepsAxis = value.value->boolean();
  return {};
}

/// `axes` (may be null) takes several of them as they are written.
static Result<Reduction> readReduction(const ast::SyntaxTree &tree, const ast::Call &call,
                                       const ReductionCall &parts, std::string *axes = nullptr) {
  Reduction reduction;
  reduction.kind = parts.kind;
  reduction.text = tree.text(call.range);
  reduction.operand = tree.text(parts.operand->range);
  reduction.begin = offsetOf(tree, call.range.begin);
  reduction.end = offsetOf(tree, call.range.end);
  if (parts.rest.size() > 1)
    return misunderstood(reduction, "a reduction takes `axis` and `keepdims`");
  const auto read = [&](std::string_view name, const ast::Expr &value) -> Status {
    const bool areSeveral = ast::is<ast::Tuple>(&value) || ast::is<ast::List>(&value);
    if (!axes || !areSeveral || (name != "axis" && name != "dim"))
      return readArgument(name, value, reduction);
    *axes = tree.text(value.range);
    return {};
  };
  if (!parts.rest.empty())
    if (Status status = read("axis", *parts.rest.front()); !status)
      return status.error();
  for (const ast::Keyword *keyword : call.keywords)
    if (Status status = read(keyword->arg.value_or("**"), *keyword->value); !status)
      return status.error();
  return reduction;
}

Result<std::optional<Reduction>> findReduction(const ast::SyntaxTree &tree, const ast::Expr &expr) {
  std::optional<Result<Reduction>> found;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = found ? nullptr : ast::as<ast::Call>(&node);
    if (const std::optional<ReductionCall> parts = call ? reductionCallOf(*call) : std::nullopt)
      found = readReduction(tree, *call, *parts);
    return !found;
  });
  if (!found)
    return std::optional<Reduction>();
  if (!*found)
    return found->error();
  return std::optional(std::move(**found));
}

/// `axes`: several of them as written; empty: it has one, or none.
static std::string meansOf(const Reduction &spread, const std::string &axes) {
  const std::string axis = !axes.empty() ? ", axis=" + axes
                           : spread.axis ? ", axis=" + std::to_string(*spread.axis)
                                         : "";
  const std::string center = "mean(" + spread.operand + axis + ", keepdims=True)";
  const std::string variance = "mean(np.square((" + spread.operand + ") - " + center + ")" + axis +
                               (spread.keepsAxis ? ", keepdims=True)" : ")");
  return spread.kind == ReductionKind::Std ? "np.sqrt(" + variance + ")" : variance;
}

std::string inMeans(std::string text) {
  return rewriteParts(
      std::move(text),
      [](const ast::SyntaxTree &tree, const ast::Node &node) -> std::optional<Rewrite> {
        const auto *call = ast::as<ast::Call>(&node);
        const std::optional<ReductionCall> parts = call ? reductionCallOf(*call) : std::nullopt;
        if (!parts || !isSpread(parts->kind))
          return std::nullopt;
        std::string axes;
        const Result<Reduction> spread = readReduction(tree, *call, *parts, &axes);
        return spread ? std::optional(Rewrite{call, meansOf(*spread, axes)}) : std::nullopt;
      });
}

void Accumulator::addBounds(const RoundedNumber &number, bool isFirst) {
  const double least = number.least(), most = number.most();
  const bool isExtreme = m_kind == ReductionKind::Max || m_kind == ReductionKind::Min;
  const auto beyond = [&](double a, double b) {
    return m_kind == ReductionKind::Max ? std::max(a, b) : std::min(a, b);
  };
  m_least = isFirst ? least : isExtreme ? beyond(m_least, least) : m_least + least;
  m_most = isFirst ? most : isExtreme ? beyond(m_most, most) : m_most + most;
}

/// Of more than these it is not told which are found.
static constexpr size_t kMostRivals = 4096;

void Accumulator::addRival(const Place &place, bool isBeyond, const RoundingRules &rules) {
  const auto canTie = [&](const Place &each) {
    return !rules.comparison(false, each.number, m_extreme).isExact();
  };
  if (!isBeyond) {
    if (m_rivals.size() < kMostRivals && canTie(place))
      m_rivals.push_back(place);
    return;
  }
  if (m_count > 0)
    m_rivals.push_back({m_at, m_extreme});
  m_extreme = place.number;
  std::erase_if(m_rivals, [&](const Place &each) { return !canTie(each); });
}

std::vector<double> Accumulator::others() const {
  std::vector<double> indices;
  for (const Place &rival : m_rivals)
    indices.push_back(static_cast<double>(rival.at));
  return indices;
}

void Accumulator::add(const RoundedNumber &number, const RoundingRules &rules) {
  const bool isFirst = m_count == 0;
  const double value = number.value;
  const double square = rules.squareOfTerm(number);
  addBounds(number, isFirst);
  switch (m_kind) {
  case ReductionKind::Sum:
  case ReductionKind::Mean:
    m_value += value;
    m_square += value * value;
    m_terms += number.squareOfTerms();
    m_errors += square;
    m_magnitude += std::fabs(value);
    break;
  // Worked out as means.
  case ReductionKind::Var:
  case ReductionKind::Std:
    break;
  case ReductionKind::Prod: {
    const double product = isFirst ? value : m_value * value;
    m_square = isFirst ? square
                       : m_value * m_value * square + value * value * m_square + product * product;
    m_value = product;
    break;
  }
  // NaN wins, as in NumPy.
  case ReductionKind::Max:
  case ReductionKind::ArgMax:
  case ReductionKind::Min:
  case ReductionKind::ArgMin: {
    const bool wantsLarger = m_kind == ReductionKind::Max || m_kind == ReductionKind::ArgMax;
    const bool isIndex = m_kind == ReductionKind::ArgMax || m_kind == ReductionKind::ArgMin;
    const bool isLarger = wantsLarger ? value > m_value : value < m_value;
    const bool isBeyond = isFirst || (!std::isnan(m_value) && (isLarger || std::isnan(value)));
    if (isIndex)
      addRival({m_count, number}, isBeyond, rules);
    if (isBeyond) {
      m_value = value;
      m_square = number.square;
      m_at = m_count;
    }
    break;
  }
  }
  ++m_count;
}

double Accumulator::result() const {
  switch (m_kind) {
  case ReductionKind::Sum:
    return m_value;
  case ReductionKind::Prod:
    return m_count == 0 ? 1 : m_value;
  case ReductionKind::Mean:
    return m_value / static_cast<double>(m_count);
  case ReductionKind::Max:
  case ReductionKind::Min:
    return m_count == 0 ? std::numeric_limits<double>::quiet_NaN() : m_value;
  case ReductionKind::ArgMax:
  case ReductionKind::ArgMin:
  case ReductionKind::Var:
  case ReductionKind::Std:
    break;
  }
  return static_cast<double>(m_at);
}

double Accumulator::square(const RoundingRules &rules) const {
  const auto count = static_cast<double>(m_count);
  const SumTerms terms{m_value, m_square, m_errors, count, m_magnitude};
  switch (m_kind) {
  case ReductionKind::Sum:
    return rules.squareOfSum(terms);
  case ReductionKind::Mean:
    return (rules.squareOfSum(terms) + m_value * m_value) / (count * count);
  default:
    return m_square;
  }
}

RoundedNumber Accumulator::number(const RoundingRules &rules, bool areIntegers) const {
  const bool isIndex = m_kind == ReductionKind::ArgMax || m_kind == ReductionKind::ArgMin;
  const bool isExtreme = m_kind == ReductionKind::Max || m_kind == ReductionKind::Min;
  RoundedNumber number{result(), 0, areIntegers};
  if (isIndex || m_count == 0)
    return number;
  const bool isExactSum = areIntegers && m_kind == ReductionKind::Sum;
  if (!areIntegers)
    number.square = square(rules);
  else if (isExactSum)
    number.terms = rules.squareOfExactSum(m_value, m_terms, static_cast<double>(m_count));
  const bool isBounded = isExtreme || isExactSum;
  return isBounded ? number.within(m_least, m_most) : number;
}

/// The axis counted from the first.
static std::optional<size_t> axisOf(const Reduction &reduction, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  const int64_t axis = *reduction.axis < 0 ? *reduction.axis + count : *reduction.axis;
  return 0 <= axis && axis < count ? std::optional(static_cast<size_t>(axis)) : std::nullopt;
}

std::optional<std::vector<int64_t>> reducedShape(const Reduction &reduction,
                                                 const std::vector<int64_t> &shape) {
  if (!reduction.axis)
    return std::vector<int64_t>(reduction.keepsAxis ? shape.size() : 0, 1);
  const std::optional<size_t> axis = axisOf(reduction, shape.size());
  if (!axis)
    return std::nullopt;
  std::vector<int64_t> reduced = shape;
  if (reduction.keepsAxis)
    reduced[*axis] = 1;
  else
    reduced.erase(reduced.begin() + static_cast<ptrdiff_t>(*axis));
  return reduced;
}

int64_t reducedElement(const Reduction &reduction, const std::vector<int64_t> &coordinates,
                       const std::vector<int64_t> &shape) {
  if (!reduction.axis)
    return 0;
  const size_t axis = *axisOf(reduction, shape.size());
  int64_t element = 0;
  for (size_t each = 0; each < shape.size(); ++each)
    if (each != axis)
      element = element * shape[each] + coordinates[each];
  return element;
}

} // namespace tilescope::app
