// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/Expectation.h"
#include "app/launch/RoundedNumber.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <string>

namespace tilescope::app {

/// What launches expect of their outputs, kept from one run to the next: an edit of the kernel
/// changes none of it, and an expression takes longer than a small run. Thread: one.
class KeptExpectations {
public:
  /// Everything that the expected values of an argument depend on.
  static std::string keyOf(const profiler::PlanArgument &argument, const profiler::LaunchPlan &plan,
                           const compiler::RoundingFacts &roundings = {},
                           RoundingReach reach = RoundingReach::Likely);

  /// Null: it is not kept.
  const Expectation *find(const std::string &key) const;
  /// The others go where there is no room for one more.
  void keep(const std::string &key, Expectation expectation);

private:
  std::map<std::string, Expectation> m_expectations;
  size_t m_sizeBytes = 0;
};

} // namespace tilescope::app
