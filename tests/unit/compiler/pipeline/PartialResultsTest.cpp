// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountAccesses.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

TEST_CASE("many partial results are combined by one thread each", "[compiler]") {
  const CompileOutcome compiled =
      tests::compileKernel("x_ptr, o_ptr, ROWS: tl.constexpr = 32, COLUMNS: tl.constexpr = 64",
                           R"(    j = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + j[None, :])
    tl.store(o_ptr + j, tl.max(x, axis=0))
)",
                           {{"x_ptr", "*i8:16"}, {"o_ptr", "*i32:16"}}, StageId::Ttgir);
  CountInput input;
  input.conversionPasses = compiled.conversionPasses;
  input.grid = {1, 1, 1};
  input.argument = [](const KernelParameter &parameter, bool) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    return std::optional(argument);
  };
  const CountOutcome outcome = countAccesses(compiled.result, input);
  REQUIRE(outcome.facts);
  std::vector<const AccessFacts *> stores, loads;
  for (const AccessFacts &access : outcome.facts->accesses)
    if (access.operation == "tt.reduce")
      (access.action == MemoryAction::SharedStore ? stores : loads).push_back(&access);
  REQUIRE(stores.size() == 2);
  REQUIRE(loads.size() == 2);
  // Four lanes of each of four warps have 16 columns each.
  CHECK(stores[0]->counts.requests == 4 * 16);
  CHECK(stores[0]->counts.bytesAsked == 4 * 64 * 4);
  // The first 64 threads load those of all warps of a column, and store what they come to.
  CHECK(loads[0]->vectorBytes == 16);
  CHECK(loads[0]->counts.requests == 2);
  CHECK(stores[1]->counts.requests == 2);
  CHECK(stores[1]->counts.bytesAsked == 64 * 4);
  // All threads load what that is, for each of their columns.
  CHECK(loads[1]->vectorBytes == 4);
  CHECK(loads[1]->counts.requests == 4 * 16);
}
