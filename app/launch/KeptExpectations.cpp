// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/KeptExpectations.h"

namespace tilescope::app {

static constexpr size_t kMostBytes = size_t{64} << 20;

std::string KeptExpectations::keyOf(const profiler::PlanArgument &argument,
                                    const profiler::LaunchPlan &plan,
                                    const compiler::RoundingFacts &roundings, RoundingReach reach) {
  std::string key = argument.name + '\n' + profiler::launchPlanToJson(plan);
  const compiler::SumSteps &steps = roundings.steps;
  for (const auto &each : {roundings.operations, roundings.factors, roundings.sums,
                           roundings.plainFactors, steps.precision, roundings.stored})
    key += '\n' + std::to_string(each.epsilon) + (each.truncates ? " truncated" : "");
  key += '\n' + std::to_string(steps.depth) + ' ' + std::to_string(steps.squares);
  for (const compiler::NarrowNumber &each : roundings.numbers)
    key += ' ' + std::to_string(each.value) + ' ' + std::to_string(each.epsilon);
  key += roundings.isIntegral ? "\nintegral" : "";
  return key + (reach == RoundingReach::Most ? "\nmost" : "");
}

const Expectation *KeptExpectations::find(const std::string &key) const {
  const auto found = m_expectations.find(key);
  return found == m_expectations.end() ? nullptr : &found->second;
}

void KeptExpectations::keep(const std::string &key, Expectation expectation) {
  const size_t sizeBytes = expectation.values.data.size() + expectation.terms.sizeBytes();
  if (sizeBytes > kMostBytes)
    return;
  if (m_sizeBytes + sizeBytes > kMostBytes) {
    m_expectations.clear();
    m_sizeBytes = 0;
  }
  if (m_expectations.insert_or_assign(key, std::move(expectation)).second)
    m_sizeBytes += sizeBytes;
}

} // namespace tilescope::app
