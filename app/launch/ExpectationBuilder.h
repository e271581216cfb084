// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/Expectation.h"
#include "app/launch/IntegerRange.h"
#include "app/launch/RoundedNumber.h"
#include "compiler/constant/Value.h"
#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// What a tensor should hold, element by element.
class ExpectationBuilder {
public:
  /// `isTrial`: no element will be added.
  ExpectationBuilder(profiler::Dtype dtype, const std::vector<int64_t> &shape,
                     const RoundingRules &rules, bool isTrial);

  void add(const std::vector<int64_t> &coordinates, int64_t element,
           const compiler::constant::Value &value, const RoundedNumber &number);
  /// Further values that are as right there.
  void addOthers(int64_t element, std::vector<double> values);
  /// The error says which values are no numbers, or do not fit the type. `text`: where they come from.
  Result<Expectation> take(const std::string &text);

private:
  const RoundingRules &m_rules;
  Expectation m_expectation;
  IntegerRange m_range;
  bool m_areNumbers = true;
};

} // namespace tilescope::app
