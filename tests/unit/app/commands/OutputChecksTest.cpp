// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OutputChecks.h"

#include "profiler/report/Differences.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("a NaN is told without its sign, which says nothing", "[app]") {
  const double nan = -std::numeric_limits<double>::quiet_NaN();
  REQUIRE(std::signbit(nan));
  profiler::OutputResult output;
  output.name = "y_ptr";
  output.shape = {4};
  output.comparison.emplace();
  output.comparison->mismatches = 1;
  output.comparison->firstMismatch = output.comparison->worst = {2};
  output.comparison->firstActual = output.comparison->worstActual = nan;
  const compiler::Diagnostic diagnostic = mismatchDiagnostic(output, {1, 1, 1}, {});
  CHECK(diagnostic.message.starts_with("`y_ptr[2]` is nan instead of 0"));
  CHECK(profiler::describeDifference(*output.comparison)
            .starts_with("1 element differs, first [2]: nan instead of 0, worst [2]: nan instead"));
}

TEST_CASE("a NaN that is expected never agrees, and the message says so", "[app]") {
  profiler::OutputResult output;
  output.name = "y_ptr";
  output.shape = {4};
  output.comparison.emplace();
  output.comparison->isWithExpected = true;
  output.comparison->mismatches = 1;
  output.comparison->firstMismatch = output.comparison->worst = {2};
  output.comparison->firstActual = output.comparison->worstActual = -NAN;
  output.comparison->firstExpected = output.comparison->worstExpected = NAN;
  CHECK(mismatchDiagnostic(output, {1, 1, 1}, {})
            .message.starts_with("`y_ptr[2]` is nan, and what is expected there is nan, with which "
                                 "nothing agrees"));
}
