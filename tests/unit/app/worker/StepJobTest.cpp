// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Step mode in the worker: it keeps a launch between messages, obeys a stop, and its end is reported.
#include "compiler/service/WorkerClient.h"
#include "profiler/package/LaunchPlan.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

using namespace std::chrono_literals;
using namespace tilescope;
using namespace tilescope::compiler;
using profiler::PlanScalar;
using profiler::PlanTensor;

/// It never ends where `n` is negative.
static constexpr const char *kText = R"(import triton
import triton.language as tl

@triton.jit
def k(x_ptr, n):
    offs = tl.program_id(0) * 8 + tl.arange(0, 8)
    x = tl.load(x_ptr + offs)
    i = n
    while i != 0:
        x += 1
        i -= 1
    tl.store(x_ptr + offs, x)
)";

static StepMessage begin(int64_t n, int32_t program = 1) {
  profiler::LaunchPlan plan;
  plan.kernel = "k";
  plan.grid = {4, 1, 1};
  PlanTensor x;
  x.shape = {32};
  x.init.kind = profiler::TensorInit::Kind::Arange;
  plan.args = {{"x_ptr", x}, {"n", PlanScalar{"i64", n}}};
  StepMessage message;
  message.launch.emplace();
  message.launch->request.path = "/kernels/k.py";
  message.launch->request.text = kText;
  message.launch->request.selection.signature = {{"x_ptr", "*fp32"}, {"n", "i64"}};
  message.launch->launchPlan = profiler::launchPlanToJson(plan);
  message.command.action = StepAction::Restart;
  message.command.program = {program, 0, 0};
  return message;
}

static StepMessage move(StepAction action) {
  StepMessage message;
  message.command.action = action;
  return message;
}

static StepDoneReply stepped(WorkerClient &client, StepMessage message, std::stop_token stop = {}) {
  Result<StepDoneReply> reply = client.step(std::move(message), {}, std::move(stop));
  if (!reply)
    FAIL(reply.error().message);
  for (const Diagnostic &diagnostic : reply->diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  return *reply;
}

static WorkerClientOptions options() {
  WorkerClientOptions result;
  result.program = TILESCOPE_WORKER;
  result.cancelPatience = 10s;
  return result;
}

TEST_CASE("the worker keeps the launch that is stepped", "[compiler][stepping]") {
  WorkerClient client(options());
  CHECK_FALSE(stepped(client, move(StepAction::Over)).ok);
  StepDoneReply reply = stepped(client, begin(2));
  REQUIRE(reply.ok);
  CHECK(reply.state.program == std::array<int32_t, 3>{1, 0, 0});
  REQUIRE(reply.state.frames.size() == 1);
  CHECK(reply.state.frames[0].range.begin.line == 5);
  CHECK(reply.files.front().text.empty());
  // A program that the grid does not have becomes one that it has.
  CHECK(stepped(client, begin(2, 900)).state.program[0] == 3);
  reply = stepped(client, move(StepAction::Over));
  CHECK(reply.state.frames[0].range.begin.line == 6);
  CHECK(stepped(client, move(StepAction::Continue)).state.isAtEnd);
  CHECK_FALSE(stepped(client, move(StepAction::BackOver)).state.isAtEnd);
}

TEST_CASE("a program that does not end is stopped where it is", "[compiler][stepping]") {
  WorkerClient client(options());
  REQUIRE(stepped(client, begin(-1)).ok);
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(300ms);
    stop.request_stop();
  });
  const StepDoneReply reply = stepped(client, move(StepAction::Continue), stop.get_token());
  REQUIRE(reply.ok);
  CHECK(reply.state.isInterrupted);
  CHECK(reply.state.time > 1000);
  // It goes on from there.
  CHECK(stepped(client, move(StepAction::BackOver)).state.time < reply.state.time);
}

TEST_CASE("a worker that dies while it steps is reported, and the next launch is stepped",
          "[compiler][stepping]") {
  setenv("TILESCOPE_TEST_HOOKS", "1", 1);
  WorkerClient client(options());
  REQUIRE(stepped(client, begin(2)).ok);
  StepMessage crash = move(StepAction::Over);
  crash.hook = {TestHook::Action::Crash, "step"};
  const StepDoneReply reply = stepped(client, std::move(crash));
  CHECK_FALSE(reply.ok);
  REQUIRE_FALSE(reply.diagnostics.empty());
  CHECK_FALSE(stepped(client, move(StepAction::Over)).ok);
  CHECK(stepped(client, begin(2)).ok);
  unsetenv("TILESCOPE_TEST_HOOKS");
}
