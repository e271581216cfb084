// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where conversions come from and what they buy, as the Conversion view says it.
#include "compiler/access/picture/ConversionWords.h"
#include "compiler/pipeline/CountAccesses.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// The conversion before the store of a product with a bias, in rows of `stride` elements.
static ConversionFacts storedProduct(const std::string &stride) {
  const CompileOutcome compiled = tests::compileKernel("a_ptr, b_ptr, bias_ptr, c_ptr",
                                                       R"(    m = tl.arange(0, 64)
    n = tl.arange(0, 32)
    a = tl.load(a_ptr + m[:, None] * 32 + n[None, :])
    b = tl.load(b_ptr + n[:, None] * 32 + n[None, :])
    c = tl.dot(a, b) + tl.load(bias_ptr + n)[None, :]
    tl.store(c_ptr + m[:, None] * )" + stride + " + n[None, :], c.to(tl.float16))\n",
                                                       {{"a_ptr", "*fp16:16"},
                                                        {"b_ptr", "*fp16:16"},
                                                        {"bias_ptr", "*fp32:16"},
                                                        {"c_ptr", "*fp16:16"}},
                                                       StageId::Ttgir);
  CountInput input;
  input.isExecuted = false;
  input.conversionPasses = compiled.conversionPasses;
  const CountOutcome outcome = countAccesses(compiled.result, input);
  REQUIRE(outcome.facts);
  for (const ConversionFacts &conversion : outcome.facts->conversions)
    if (conversion.destination.operation == "tt.store")
      return conversion;
  FAIL("nothing is converted for the store");
  return {};
}

TEST_CASE("the load of a bias does not have the layout of its product", "[compiler]") {
  const ConversionFacts wide = storedProduct("32");
  CHECK(wide.source.operation == "ttng.warp_group_dot");
  CHECK(access::removalSentence(wide).find(
            "Its lanes hold 4 bytes side by side, and 16 in the layout for `tt.store` in line 11: "
            "the conversion buys wider accesses.") != std::string::npos);
}

TEST_CASE("a conversion to narrower accesses buys whole rows", "[compiler]") {
  // Rows of 33 elements: a lane stores a single one, and a warp whole rows of the block.
  CHECK(access::removalSentence(storedProduct("33"))
            .find("A warp holds 16 bytes of a row at once, and 64 in the layout for `tt.store` in "
                  "line 11: the conversion buys fewer sectors.") != std::string::npos);
}
