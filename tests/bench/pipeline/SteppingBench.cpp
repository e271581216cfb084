// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How long a step takes, forward and back, in a program of a million operations.
#include "compiler/pipeline/Compiler.h"
#include "compiler/pipeline/SteppedKernel.h"
#include "compiler/stepping/StepSession.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace tilescope;
using namespace tilescope::compiler;

namespace {

/// A loop of ten operations on blocks, and a store.
constexpr const char *kText = R"(import triton
import triton.language as tl

@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + offs)
    for i in range(n):
        b = a * 1.0001 + 0.5
        c = tl.where(b > 3.0, b - 3.0, b)
        a = tl.maximum(c, a * 0.25)
        tl.store(out_ptr + offs, a)
)";

struct Million {
  explicit Million(int64_t block) : x(static_cast<size_t>(block), 1.5f), out(x) {
    CompileRequest request;
    request.path = "/kernels/k.py";
    request.text = kText;
    request.selection.signature = {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}};
    request.selection.constexprs = {{"BLOCK", std::to_string(block)}};
    request.stopAfter = StageId::Ttir;
    Compiler compiler{CudaToolkit{}};
    auto compiled = std::make_shared<CompileResult>(compiler.compile(request).result);
    StepInput input;
    input.argument = [this](const KernelParameter &parameter, bool) {
      InterpreterArgument argument;
      argument.name = parameter.name;
      argument.bits = 80'000;
      std::vector<float> &array = parameter.name == "x_ptr" ? x : out;
      if (parameter.name != "n") {
        argument.data = reinterpret_cast<std::byte *>(array.data());
        argument.sizeBytes = array.size() * sizeof(float);
      }
      return std::optional(argument);
    };
    input.resetMemory = [] {};
    kernel = std::move(*SteppedKernel::open(compiled, input));
    StepCommand command;
    command.action = StepAction::Restart;
    kernel->perform(command);
  }
  stepping::Stepper &stepper() { return kernel->session().stepper(); }

  std::vector<float> x, out;
  std::unique_ptr<SteppedKernel> kernel;
};

StepCommand commandOf(StepAction action) {
  StepCommand command;
  command.action = action;
  return command;
}

/// What going back by a line takes.
double backOverMs(Million &test) {
  const auto start = std::chrono::steady_clock::now();
  test.kernel->perform(commandOf(StepAction::BackOver));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// To the end, without a breakpoint.
void runToEnd(benchmark::State &state) {
  for (auto _ : state) {
    Million test(state.range(0));
    test.kernel->perform(commandOf(StepAction::Continue));
    state.counters["operations"] = static_cast<double>(test.stepper().time());
    state.counters["keptMiB"] = static_cast<double>(test.stepper().keptBytes() >> 20);
  }
}

/// One line forward, in the middle.
void stepOver(benchmark::State &state) {
  Million test(state.range(0));
  for (auto _ : state)
    test.kernel->perform(commandOf(StepAction::Over));
}

/// One line back, again and again from the end.
void stepBack(benchmark::State &state) {
  Million test(state.range(0));
  test.kernel->perform(commandOf(StepAction::Continue));
  double longest = 0;
  for (auto _ : state) {
    longest = std::max(longest, backOverMs(test));
  }
  state.counters["longestMs"] = longest;
}

/// One line back from anywhere.
void stepBackAnywhere(benchmark::State &state) {
  Million test(state.range(0));
  test.kernel->perform(commandOf(StepAction::Continue));
  std::mt19937_64 random(7);
  double longest = 0;
  for (auto _ : state) {
    state.PauseTiming();
    if (test.stepper().time() < 50'000)
      test.kernel->perform(commandOf(StepAction::Continue));
    test.stepper().goTo(test.stepper().time() - random() % 20'000 - 1);
    state.ResumeTiming();
    longest = std::max(longest, backOverMs(test));
  }
  state.counters["longestMs"] = longest;
}

} // namespace

BENCHMARK(runToEnd)->Arg(16)->Arg(1024)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(stepOver)->Arg(16)->Arg(1024)->Unit(benchmark::kMicrosecond)->Iterations(2000);
BENCHMARK(stepBack)->Arg(16)->Arg(1024)->Unit(benchmark::kMillisecond)->Iterations(100);
BENCHMARK(stepBackAnywhere)->Arg(16)->Arg(1024)->Unit(benchmark::kMillisecond)->Iterations(50);
BENCHMARK_MAIN();
