// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel rounds, asked of the worker without a run.
#include "compiler/service/WorkerClient.h"
#include "profiler/package/LaunchPlan.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using profiler::PlanScalar;
using profiler::PlanTensor;

TEST_CASE("numbers of the launch say how often loops run, also where nothing is run", "[worker]") {
  profiler::LaunchPlan plan;
  plan.kernel = "k";
  plan.grid = {4, 1, 1};
  PlanTensor x;
  // It would not fit into any memory.
  x.shape = {int64_t{1} << 37};
  plan.args = {{"x_ptr", x}, {"n", PlanScalar{"i32", int64_t{1000}}}};
  InterpretMessage message;
  message.request.path = "/kernels/k.py";
  message.request.text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                         "def k(x_ptr, n):\n"
                         "    offs = tl.arange(0, 32)\n"
                         "    s = tl.zeros([32], tl.bfloat16)\n"
                         "    for step in range(0, n, 32):\n"
                         "        s += tl.load(x_ptr + step + offs).to(tl.bfloat16)\n"
                         "    tl.store(x_ptr + offs, s)\n";
  message.request.selection.signature = {{"x_ptr", "*fp32"}, {"n", "i32"}};
  message.launchPlan = profiler::launchPlanToJson(plan);
  message.onlyRoundings = true;
  WorkerClientOptions options;
  options.program = TILESCOPE_WORKER;
  WorkerClient client(options);
  const Result<RunDoneReply> reply = client.interpret(message, {}, {});
  REQUIRE(reply);
  for (const Diagnostic &diagnostic : reply->diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(reply->roundings.size() == 1);
  CHECK(reply->roundings.front().steps.depth == 32);
  CHECK(reply->roundings.front().sums.epsilon == 0);
}
