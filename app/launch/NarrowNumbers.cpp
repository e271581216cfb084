// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/NarrowNumbers.h"

#include "app/launch/ArrayFunctions.h"
#include "app/launch/PlanValues.h"
#include "app/launch/SourceOffset.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <type_traits>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;
using compiler::NarrowNumber;

/// What a kernel's number stands for, up to its sign, which kernels may have elsewhere; nothing: for none of it.
static std::optional<double> narrowOf(double value, const std::vector<NarrowNumber> &numbers) {
  if (value == 0 || !std::isfinite(value))
    return std::nullopt;
  // Numbers that are a unit in the last place apart.
  int exponent = 0;
  std::frexp(value, &exponent);
  for (const NarrowNumber &each : numbers) {
    const double unit = std::ldexp(each.epsilon, exponent - 1);
    const double off = std::fabs(std::fabs(each.value) - std::fabs(value));
    if (off > 0 && off <= unit / 2)
      return std::copysign(each.value, value);
  }
  return std::nullopt;
}

namespace {
/// A number and where it is in a text.
struct Place {
  size_t begin = 0;
  size_t end = 0;
  double number = 0;
};

/// Finds what stands for numbers of a kernel.
class Search {
public:
  Search(const ast::SyntaxTree &tree, const profiler::LaunchPlan &plan,
         const std::vector<NarrowNumber> &numbers)
      : m_tree(tree), m_values(planValues(plan)), m_numbers(numbers) {
    m_environment.lookup = [this, host = m_environment.lookup](
                               std::string_view name) -> std::optional<constant::Value> {
      const auto value = m_values.find(name);
      return value == m_values.end() ? host(name) : value->second;
    };
    addArrayFunctions(m_environment);
  }

  /// In a node and its parts, the outermost first.
  void lookAt(const ast::Node &node) {
    const std::optional<double> value = valueOf(node);
    const std::optional<double> narrow = value ? narrowOf(*value, m_numbers) : std::nullopt;
    if (narrow)
      return add(node, *narrow);
    const auto *division = ast::as<ast::BinOp>(&node);
    if (division && division->op == ast::BinaryOpKind::Div && takeDivisor(*division->right))
      return lookAt(*division->left);
    ast::forEachChild(node, [&](const ast::Node &child) { lookAt(child); });
  }

  std::vector<Place> take() { return std::move(m_places); }

private:
  /// Kernels multiply by what an expression divides by.
  bool takeDivisor(const ast::Expr &divisor) {
    const std::optional<double> value = valueOf(divisor);
    if (!value || narrowOf(*value, m_numbers))
      return false;
    const std::optional<double> factor = narrowOf(1 / *value, m_numbers);
    if (factor)
      add(divisor, 1 / *factor);
    return factor.has_value();
  }

  /// Nothing where it is no number, or uses an array.
  std::optional<double> valueOf(const ast::Node &node) const {
    return ast::visit(node, [&](const auto &typed) -> std::optional<double> {
      if constexpr (std::is_base_of_v<ast::Expr, std::remove_cvref_t<decltype(typed)>>)
        if (const constant::Evaluation value = constant::evaluate(typed, m_environment))
          return numberOf(*value.value);
      return std::nullopt;
    });
  }

  void add(const ast::Node &node, double number) {
    m_places.push_back(
        {offsetOf(m_tree, node.range.begin), offsetOf(m_tree, node.range.end), number});
  }

  const ast::SyntaxTree &m_tree;
  std::map<std::string, constant::Value, std::less<>> m_values;
  const std::vector<NarrowNumber> &m_numbers;
  constant::Environment m_environment = constant::hostEnvironment({});
  std::vector<Place> m_places;
};
} // namespace

std::string withNarrowNumbers(const std::string &text, const profiler::LaunchPlan &plan,
                              const std::vector<NarrowNumber> &numbers) {
  const ast::ParsedExpression parsed = ast::parseExpression(text);
  if (!parsed.expr || numbers.empty())
    return {};
  Search search(*parsed.tree, plan, numbers);
  search.lookAt(*parsed.expr);
  std::vector<Place> places = search.take();
  std::ranges::sort(places, std::ranges::greater(), &Place::begin);
  std::string narrow = text;
  for (const Place &each : places) {
    char number[40];
    std::snprintf(number, sizeof(number), "(%#.17g)", each.number);
    narrow.replace(each.begin, each.end - each.begin, number);
  }
  return places.empty() ? std::string() : narrow;
}

Expectation spanning(Expectation first, const Expectation &second) {
  profiler::ExpectedTerms &terms = first.terms;
  const profiler::ExpectedTerms &others = second.terms;
  const bool areIntegers = !profiler::isFloat(first.values.dtype);
  for (int64_t i = 0; i < terms.exact.numElements(); ++i) {
    const double here = terms.exact.at(i), there = others.exact.at(i);
    if (!std::isfinite(here) || !std::isfinite(there))
      continue;
    // Not everything between two indices is one of them.
    if (areIntegers && std::fabs(here - there) > 1) {
      terms.others[i].push_back(there);
      continue;
    }
    terms.sizes.set(i, std::max(terms.sizes.at(i), others.sizes.at(i)));
    terms.below.set(i, std::max(terms.below.at(i), here - there + others.below.at(i)));
    terms.above.set(i, std::max(terms.above.at(i), there - here + others.above.at(i)));
  }
  for (const auto &[element, values] : others.others)
    terms.others[element].insert(terms.others[element].end(), values.begin(), values.end());
  return first;
}

} // namespace tilescope::app
