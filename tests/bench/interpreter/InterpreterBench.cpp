// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The interpreter beside plain C++ loops over the same data.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/Interpreter.h"

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

static constexpr const char *kVectorAdd = R"(
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %c1024 : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %b = tt.splat %base : i32 -> tensor<1024xi32>
  %o = arith.addi %b, %r : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %xv = tt.load %xp, %m : tensor<1024x!tt.ptr<f32>>
  %yv = tt.load %yp, %m : tensor<1024x!tt.ptr<f32>>
  %s = arith.addf %xv, %yv : tensor<1024xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %op = tt.addptr %os, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %op, %s, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

static void vectorAdd(benchmark::State &state) {
  std::vector<float> x(kNumElements, 1), y(kNumElements, 2), out(kNumElements);
  run(state, kVectorAdd,
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

static constexpr const char *kSoftmax = R"(
tt.func public @softmax(%out: !tt.ptr<f32>, %in: !tt.ptr<f32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %n : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
  %ip = tt.addptr %in, %row : !tt.ptr<f32>, i32
  %is = tt.splat %ip : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ia = tt.addptr %is, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %low = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %x = tt.load %ia, %m, %low : tensor<1024x!tt.ptr<f32>>
  %max = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.maxnumf %a, %b : f32
    tt.reduce.return %g : f32
  }) : (tensor<1024xf32>) -> f32
  %ms = tt.splat %max : f32 -> tensor<1024xf32>
  %d = arith.subf %x, %ms : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.addf %a, %b : f32
    tt.reduce.return %g : f32
  }) : (tensor<1024xf32>) -> f32
  %ss = tt.splat %sum : f32 -> tensor<1024xf32>
  %q = arith.divf %e, %ss : tensor<1024xf32>
  %op = tt.addptr %out, %row : !tt.ptr<f32>, i32
  %os = tt.splat %op : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %oa = tt.addptr %os, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %oa, %q, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

static std::vector<float> makeRows() {
  std::vector<float> in(kRows * kColumns);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i * 2654435761u % 2000) / 100 - 10;
  return in;
}

static void softmax(benchmark::State &state) {
  std::vector<float> in = makeRows(), out(in.size());
  run(state, kSoftmax, {{kRows, 1, 1}, {memory(out), memory(in), scalar(kColumns)}});
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

BENCHMARK_MAIN();
