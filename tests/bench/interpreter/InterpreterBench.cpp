// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The interpreter beside plain C++ loops over the same data.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/Interpreter.h"
#include "tests/support/TtirKernels.h"

#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>
#include <cmath>

using namespace tilescope::compiler;

static InterpreterArgument memory(std::vector<float> &elements) {
  InterpreterArgument argument;
  argument.data = reinterpret_cast<std::byte *>(elements.data());
  argument.sizeBytes = elements.size() * sizeof(float);
  return argument;
}

static InterpreterArgument scalar(int64_t value) {
  InterpreterArgument argument;
  argument.bits = static_cast<uint64_t>(value);
  return argument;
}

static void run(benchmark::State &state, const char *text, const InterpreterLaunch &launch) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tilescope::tt::TTDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  for (auto _ : state) {
    Interpretation result = interpret(*module, launch);
    if (!result.completed)
      state.SkipWithError("the kernel did not complete");
  }
}

static constexpr size_t kNumElements = size_t(1) << 24;

static void vectorAdd(benchmark::State &state) {
  std::vector<float> x(kNumElements, 1), y(kNumElements, 2), out(kNumElements);
  run(state, tilescope::tests::kVectorAdd,
      {{kNumElements / 1024, 1, 1}, {memory(x), memory(y), memory(out), scalar(kNumElements)}});
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kNumElements * 12));
}
BENCHMARK(vectorAdd)->UseRealTime()->Unit(benchmark::kMillisecond);

static void vectorAddLoop(benchmark::State &state) {
  std::vector<float> x(kNumElements, 1), y(kNumElements, 2), out(kNumElements);
  for (auto _ : state) {
    for (size_t i = 0; i < kNumElements; ++i)
      out[i] = x[i] + y[i];
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kNumElements * 12));
}
BENCHMARK(vectorAddLoop)->UseRealTime()->Unit(benchmark::kMillisecond);

static constexpr size_t kRows = 4096, kColumns = 1024;

static std::vector<float> makeRows() {
  std::vector<float> in(kRows * kColumns);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i * 2654435761u % 2000) / 100 - 10;
  return in;
}

static void softmax(benchmark::State &state) {
  std::vector<float> in = makeRows(), out(in.size());
  run(state, tilescope::tests::kSoftmax,
      {{kRows, 1, 1}, {memory(out), memory(in), scalar(kColumns)}});
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
}
BENCHMARK(softmax)->UseRealTime()->Unit(benchmark::kMillisecond);

static void softmaxLoop(benchmark::State &state) {
  std::vector<float> in = makeRows(), out(in.size());
  for (auto _ : state)
    for (size_t row = 0; row < kRows; ++row) {
      const float *x = in.data() + row * kColumns;
      float *y = out.data() + row * kColumns;
      float largest = -INFINITY, sum = 0;
      for (size_t i = 0; i < kColumns; ++i)
        largest = std::max(largest, x[i]);
      for (size_t i = 0; i < kColumns; ++i)
        sum += y[i] = std::exp(x[i] - largest);
      for (size_t i = 0; i < kColumns; ++i)
        y[i] /= sum;
      benchmark::DoNotOptimize(y);
    }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
}
BENCHMARK(softmaxLoop)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Programs that store a number, wait at a counter for all others, and load that of the next one.
static constexpr const char *kBarrier = R"(
tt.func public @k(%count: !tt.ptr<i32>, %data: !tt.ptr<i32>, %num: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %behind = arith.remsi %next, %num : i32
  %mine = tt.addptr %data, %pid : !tt.ptr<i32>, i32
  %its = tt.addptr %data, %behind : !tt.ptr<i32>, i32
  tt.store %mine, %next : !tt.ptr<i32>
  %a = tt.atomic_rmw add, acq_rel, gpu, %count, %c1 : (!tt.ptr<i32>, i32) -> i32
  scf.while : () -> () {
    %was = tt.atomic_rmw add, acq_rel, gpu, %count, %c0 : (!tt.ptr<i32>, i32) -> i32
    %isEarly = arith.cmpi slt, %was, %num : i32
    scf.condition(%isEarly)
  } do {
    scf.yield
  }
  %x = tt.load %its : !tt.ptr<i32>
  tt.return
}
)";

/// Resident programs, clocks and the second run in another order.
static void gridBarrier(benchmark::State &state) {
  const auto num = static_cast<int32_t>(state.range(0));
  std::vector<float> count(1), data(static_cast<size_t>(num));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tilescope::tt::TTDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kBarrier, &context);
  for (auto _ : state) {
    count[0] = 0;
    const Interpretation result =
        interpret(*module, {{num, 1, 1}, {memory(count), memory(data), scalar(num)}});
    if (!result.completed || !result.findings.empty())
      state.SkipWithError("the barrier did not hold");
  }
}
BENCHMARK(gridBarrier)->Arg(4)->Arg(64)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
