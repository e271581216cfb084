// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Why products wait for loads, as the Pipeline view says it.
#include "compiler/access/picture/PipelineWords.h"
#include "compiler/pipeline/LoopPipelines.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

/// A product of matrices with rows of K and N elements, of which `signature` may know something.
static LoopFacts productLoop(const char *typeOfK) {
  const CompileOutcome compiled = tests::compileKernel("a_ptr, b_ptr, c_ptr, K, N",
                                                       R"(    i = tl.arange(0, 64)
    k = tl.arange(0, 32)
    total = tl.zeros((64, 64), dtype=tl.float32)
    for at in range(0, K, 32):
        a = tl.load(a_ptr + i[:, None] * K + (at + k)[None, :])
        b = tl.load(b_ptr + (at + k)[:, None] * N + i[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + i[:, None] * 64 + i[None, :], total)
)",
                                                       {{"a_ptr", "*fp16:16"},
                                                        {"b_ptr", "*fp16:16"},
                                                        {"c_ptr", "*fp32:16"},
                                                        {"K", typeOfK},
                                                        {"N", "i32"}},
                                                       StageId::LlvmIr);
  Result<std::vector<LoopFacts>> loops = findLoops(compiled.result, nullptr);
  REQUIRE(loops);
  REQUIRE(loops->size() == 1);
  return std::move(loops->front());
}

TEST_CASE("loads of two bytes a lane are why a product on sm_90 waits", "[compiler]") {
  const LoopFacts both = productLoop("i32");
  CHECK_FALSE(both.isPipelined());
  REQUIRE(both.waiting.size() == 2);
  for (const WaitingLoad &load : both.waiting)
    CHECK(load.obstacle == LoopObstacle::Narrow);
  CHECK(access::loopSentence(both).starts_with("Not pipelined: the product waits for the load of "
                                               "line 10: an asynchronous copy moves at least 4 "
                                               "bytes a lane ("));
  // One of the two is copied ahead.
  const LoopFacts one = productLoop("i32:16");
  CHECK(one.isPipelined());
  REQUIRE(one.waiting.size() == 1);
  CHECK(access::loopSentence(one).find("are under way. In every iteration, the product waits for "
                                       "the load of line 11: an asynchronous copy moves at least "
                                       "4 bytes a lane (") != std::string::npos);
}
