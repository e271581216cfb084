// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayReductions.h"

#include "app/launch/SourceOffset.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;

static constexpr std::pair<std::string_view, ReductionKind> kReductions[] = {
    {"argmax", ReductionKind::ArgMax}, {"argmin", ReductionKind::ArgMin},
    {"max", ReductionKind::Max},       {"mean", ReductionKind::Mean},
    {"min", ReductionKind::Min},       {"prod", ReductionKind::Prod},
    {"std", ReductionKind::Std},       {"sum", ReductionKind::Sum},
    {"var", ReductionKind::Var},
};

std::string reductionNames() {
  std::string names;
  for (const auto &[name, kind] : kReductions)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

static std::optional<ReductionKind> kindOf(std::string_view name) {
  if (name == "amax" || name == "amin")
    name.remove_prefix(1);
  const auto *found =
      std::ranges::find(kReductions, name, &std::pair<std::string_view, ReductionKind>::first);
  return found == std::end(kReductions) ? std::nullopt : std::optional(found->second);
}

bool isReduction(std::string_view name) { return kindOf(name).has_value(); }

static bool isModule(const ast::Expr &expr) {
  const auto *name = ast::as<ast::Name>(&expr);
  return name && (name->id == "np" || name->id == "numpy" || name->id == "torch");
}

namespace {
/// What a call reduces, if it does: the parts of a function's and of a method's call.
struct Parts {
  ReductionKind kind;
  const ast::Expr *operand;
  /// Positional arguments behind the operand.
  std::vector<const ast::Expr *> rest;
};
} // namespace

static bool hasAxis(const ast::Call &call) {
  return std::ranges::any_of(call.keywords, [](const ast::Keyword *keyword) {
    return keyword->arg == "axis" || keyword->arg == "dim";
  });
}

static std::optional<Parts> partsOf(const ast::Call &call) {
  std::vector<const ast::Expr *> args(call.args.begin(), call.args.end());
  const auto *method = ast::as<ast::Attribute>(call.func);
  const auto *function = ast::as<ast::Name>(call.func);
  const std::optional<ReductionKind> kind = method     ? kindOf(method->attr)
                                            : function ? kindOf(function->id)
                                                       : std::nullopt;
  if (!kind)
    return std::nullopt;
  if (method && !isModule(*method->value))
    return Parts{*kind, method->value, std::move(args)};
  // Python's `max` and `min` compare their arguments.
  const bool isExtreme = *kind == ReductionKind::Max || *kind == ReductionKind::Min;
  if (args.empty() || (function && isExtreme && args.size() > 1 && !hasAxis(call)))
    return std::nullopt;
  return Parts{*kind, args.front(), {args.begin() + 1, args.end()}};
}

static Error misunderstood(const Reduction &reduction, const std::string &what) {
  return {ErrorCode::InvalidInput, "`" + reduction.text + "`: " + what, ""};
}

static bool isSpread(ReductionKind kind) {
  return kind == ReductionKind::Var || kind == ReductionKind::Std;
}

static Status readArgument(std::string_view name, const ast::Expr &expr, Reduction &reduction) {
  const constant::Evaluation value = constant::evaluate(expr, constant::hostEnvironment({}));
  if (name == "axis" || name == "dim") {
    if (value && value.value->isNone())
      return {};
    reduction.axis = value ? value.value->toInt64() : std::nullopt;
    if (!reduction.axis)
      return misunderstood(reduction, "the axis is one number, such as `axis=1`");
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

static Result<Reduction> readReduction(const ast::SyntaxTree &tree, const ast::Call &call,
                                       const Parts &parts) {
  Reduction reduction;
  reduction.kind = parts.kind;
  reduction.text = tree.text(call.range);
  reduction.operand = tree.text(parts.operand->range);
  reduction.begin = offsetOf(tree, call.range.begin);
  reduction.end = offsetOf(tree, call.range.end);
  if (parts.rest.size() > 1)
    return misunderstood(reduction, "a reduction takes `axis` and `keepdims`");
  if (!parts.rest.empty())
    if (Status status = readArgument("axis", *parts.rest.front(), reduction); !status)
      return status.error();
  for (const ast::Keyword *keyword : call.keywords)
    if (Status status = readArgument(keyword->arg.value_or("**"), *keyword->value, reduction);
        !status)
      return status.error();
  return reduction;
}

Result<std::optional<Reduction>> findReduction(const ast::SyntaxTree &tree, const ast::Expr &expr) {
  std::optional<Result<Reduction>> found;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = found ? nullptr : ast::as<ast::Call>(&node);
    if (const std::optional<Parts> parts = call ? partsOf(*call) : std::nullopt)
      found = readReduction(tree, *call, *parts);
    return !found;
  });
  if (!found)
    return std::optional<Reduction>();
  if (!*found)
    return found->error();
  return std::optional(std::move(**found));
}

namespace {
/// A reduction over several axes.
struct SeveralAxes {
  const ast::Call *call = nullptr;
  const ast::Expr *operand = nullptr;
  std::string_view function;
  /// Those behind first, so that the others keep their numbers.
  std::vector<int64_t> axes;
  bool keepsAxes = false;
};
} // namespace

/// Nothing: it has one axis, or what is not understood.
static std::optional<SeveralAxes> severalAxes(const ast::Call &call) {
  const std::optional<Parts> parts = partsOf(call);
  const bool isNested = parts && !isSpread(parts->kind) && parts->kind != ReductionKind::ArgMax &&
                        parts->kind != ReductionKind::ArgMin;
  if (!isNested || parts->rest.size() > 1)
    return std::nullopt;
  const auto *method = ast::as<ast::Attribute>(call.func);
  SeveralAxes several{&call,
                      parts->operand,
                      method ? std::string_view(method->attr) : ast::as<ast::Name>(call.func)->id,
                      {}};
  const ast::Expr *axis = parts->rest.empty() ? nullptr : parts->rest.front();
  for (const ast::Keyword *keyword : call.keywords) {
    const constant::Evaluation value =
        constant::evaluate(*keyword->value, constant::hostEnvironment({}));
    if (keyword->arg == "axis" || keyword->arg == "dim")
      axis = keyword->value;
    else if ((keyword->arg == "keepdims" || keyword->arg == "keepdim") && value &&
             value.value->isBool())
      several.keepsAxes = value.value->boolean();
    else
      return std::nullopt;
  }
  const auto *tuple = axis ? ast::as<ast::Tuple>(axis) : nullptr;
  if (!tuple || tuple->elts.empty())
    return std::nullopt;
  for (const ast::Expr *each : tuple->elts) {
    const constant::Evaluation value = constant::evaluate(*each, constant::hostEnvironment({}));
    const std::optional<int64_t> number = value ? value.value->toInt64() : std::nullopt;
    // How many there are is not known here.
    if (!number || (*number < 0) != (several.axes.empty() ? *number < 0 : several.axes[0] < 0))
      return std::nullopt;
    several.axes.push_back(*number);
  }
  std::ranges::sort(
      several.axes, several.axes[0] < 0 ? [](int64_t a, int64_t b) { return a < b; }
                                        : [](int64_t a, int64_t b) { return a > b; });
  const bool isTwice = std::ranges::adjacent_find(several.axes) != several.axes.end();
  return isTwice ? std::nullopt : std::optional(several);
}

std::string inSingleAxes(std::string text) {
  for (;;) {
    const ast::ParsedExpression parsed = ast::parseExpression(text);
    std::optional<SeveralAxes> found;
    if (parsed.expr)
      ast::walk(*parsed.expr, [&](const ast::Node &node) {
        const auto *call = found ? nullptr : ast::as<ast::Call>(&node);
        if (call)
          found = severalAxes(*call);
        return !found;
      });
    if (!found)
      return text;
    const size_t begin = offsetOf(*parsed.tree, found->call->range.begin);
    const size_t end = offsetOf(*parsed.tree, found->call->range.end);
    std::string nested(parsed.tree->text(found->operand->range));
    for (const int64_t axis : found->axes)
      nested = std::string(found->function) + "(" + nested + ", axis=" + std::to_string(axis) +
               (found->keepsAxes ? ", keepdims=True)" : ")");
    text.replace(begin, end - begin, nested);
  }
}

static std::string meansOf(const Reduction &spread) {
  const std::string axis = spread.axis ? ", axis=" + std::to_string(*spread.axis) : "";
  const std::string center = "mean(" + spread.operand + axis + ", keepdims=True)";
  const std::string variance = "mean(np.square((" + spread.operand + ") - " + center + ")" + axis +
                               (spread.keepsAxis ? ", keepdims=True)" : ")");
  return spread.kind == ReductionKind::Std ? "np.sqrt(" + variance + ")" : variance;
}

std::string inMeans(std::string text) {
  for (;;) {
    const ast::ParsedExpression parsed = ast::parseExpression(text);
    std::optional<Reduction> spread;
    if (parsed.expr)
      ast::walk(*parsed.expr, [&](const ast::Node &node) {
        const auto *call = spread ? nullptr : ast::as<ast::Call>(&node);
        const std::optional<Parts> parts = call ? partsOf(*call) : std::nullopt;
        const Result<Reduction> read =
            parts && isSpread(parts->kind) ? readReduction(*parsed.tree, *call, *parts) : Error{};
        if (read)
          spread = *read;
        return !spread;
      });
    if (!spread)
      return text;
    text.replace(spread->begin, spread->end - spread->begin, meansOf(*spread));
  }
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
