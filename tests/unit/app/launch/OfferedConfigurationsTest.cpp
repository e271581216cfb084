// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/OfferedConfigurations.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

TEST_CASE("what a result was compiled for is not tried again", "[app][launch]") {
  compiler::CompileResult result;
  result.constexprs = {{"BLOCK", "64"}, {"EVEN", "True"}};
  result.options = {{"num_warps", "2"}, {"num_stages", "3"}};
  CHECK(isCompiledFor(result, {{{"BLOCK", "64"}}, {{"num_warps", "2"}}}));
  CHECK_FALSE(isCompiledFor(result, {{{"BLOCK", "128"}}, {{"num_warps", "2"}}}));
  CHECK_FALSE(isCompiledFor(result, {{{"BLOCK", "64"}}, {{"num_warps", "4"}}}));
  // Another value of a heuristic, or an option that the result leaves to its default.
  CHECK_FALSE(isCompiledFor(result, {{{"BLOCK", "64"}, {"EVEN", "False"}}, {}}));
  CHECK_FALSE(isCompiledFor(result, {{{"BLOCK", "64"}}, {{"num_ctas", "1"}}}));
}
