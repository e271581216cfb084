// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpectationBuilder.h"

#include "app/launch/ArrayErrors.h"
#include "app/launch/ArrayFunctions.h"
#include "app/launch/SizedTensor.h"

#include <cmath>
#include <limits>

namespace tilescope::app {

using profiler::Dtype;

ExpectationBuilder::ExpectationBuilder(Dtype dtype, const std::vector<int64_t> &shape,
                                       const RoundingRules &rules, bool isTrial)
    : m_rules(rules), m_expectation{{dtype, shape, {}}}, m_range(dtype) {
  if (isTrial)
    return;
  profiler::ExpectedTerms &terms = m_expectation.terms;
  m_expectation.values = zerosOf(shape, dtype);
  terms.exact = zerosOf(shape);
  terms.coarsest = rules.coarsest();
  for (profiler::Tensor *each : {&terms.sizes, &terms.below, &terms.above})
    *each = zerosOf(shape, Dtype::Fp32);
}

void ExpectationBuilder::add(const std::vector<int64_t> &coordinates, int64_t element,
                             const compiler::constant::Value &value, const RoundedNumber &number) {
  m_areNumbers = m_areNumbers && numberOf(value);
  // No integer is infinite: an operation that is not defined has come to this.
  const bool isDefined =
      std::isfinite(number.value) ||
      (profiler::isFloat(m_expectation.values.dtype) && !std::isnan(number.value));
  if (isDefined && !(value.isInt() && m_range.holds(value.integer())))
    m_range.look(coordinates, number.value);
  profiler::ExpectedTerms &terms = m_expectation.terms;
  m_expectation.values.set(element, number.value);
  terms.exact.set(element, isDefined ? number.value : std::numeric_limits<double>::quiet_NaN());
  terms.sizes.set(element, m_rules.sizeOf(number));
  const double unknown = std::isnan(number.square) ? m_rules.boundOfUnknown(number.value) : 0;
  const double stored = m_rules.boundOfStored(number.value);
  terms.below.set(element, number.below + unknown + stored);
  terms.above.set(element, number.above + unknown + stored);
}

void ExpectationBuilder::addOthers(int64_t element, std::vector<double> values) {
  if (!values.empty())
    m_expectation.terms.others.emplace(element, std::move(values));
}

Result<Expectation> ExpectationBuilder::take(const std::string &text) {
  if (!m_areNumbers)
    return expressionError("`" + text + "` is not a number");
  if (const std::string misfits = m_range.misfits(); !misfits.empty())
    return expressionError(misfits + "; `clip(…)` says what becomes of such values");
  return std::move(m_expectation);
}

} // namespace tilescope::app
