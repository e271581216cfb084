// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code beside the interpreter and beside a copy of as many bytes.
//
// Run it with `--benchmark_enable_random_interleaving=true --benchmark_repetitions=5`, so that what
// is compared alternates.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/native/MarkTable.h"
#include "compiler/native/ProgramThreads.h"
#include "compiler/native/RunGrid.h"
#include "tests/support/TtirKernels.h"

#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <thread>

using namespace tilescope;

namespace {

/// A kernel with the arguments of its launch.
struct Case {
  const char *text;
  std::array<int32_t, 3> grid;
  std::vector<std::vector<float> *> memory;
  std::vector<int32_t> numbers;
};

struct Parsed {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Parsed(const char *text) {
    context.loadDialect<tt::TTDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
};

} // namespace

static void runCode(benchmark::State &state, const Case &launch,
                    const native::NativeOptions &checks) {
  const Parsed parsed(launch.text);
  auto kernel = native::NativeKernel::compile(*parsed.module, checks);
  if (!kernel)
    return state.SkipWithError(kernel.error().message.c_str());
  std::vector<uint64_t> words;
  for (std::vector<float> *memory : launch.memory)
    words.push_back(reinterpret_cast<uint64_t>(memory->data()));
  for (int32_t number : launch.numbers)
    words.push_back(static_cast<uint32_t>(number));
  if (checks.checkBounds) {
    for (std::vector<float> *memory : launch.memory)
      words.push_back(memory->size() * sizeof(float));
    words.resize(words.size() + launch.numbers.size());
  }
  const size_t marksAt = words.size();
  words.resize(marksAt + (checks.noteDoubts ? launch.memory.size() + launch.numbers.size() : 0));
  native::ProgramThreads threads;
  native::GridOptions options;
  options.grid = launch.grid;
  options.threads = &threads;
  for (auto _ : state) {
    // New ones for each run; what is not stored to takes no memory.
    std::vector<native::MarkTable> marks;
    for (size_t i = 0; checks.noteDoubts && i < launch.memory.size(); ++i)
      words[marksAt + i] = marks.emplace_back(launch.memory[i]->size() + 1).address();
    const native::GridOutcome outcome = native::runGrid(*kernel, words, options);
    if (!outcome.completed || outcome.hasRace)
      state.SkipWithError("the kernel did not complete");
  }
}

static void runNative(benchmark::State &state, const Case &launch) { runCode(state, launch, {}); }

static void runBounds(benchmark::State &state, const Case &launch) {
  runCode(state, launch, {.checkBounds = true});
}

static void runChecked(benchmark::State &state, const Case &launch) {
  runCode(state, launch, {.checkBounds = true, .noteDoubts = true});
}

static void runInterpreter(benchmark::State &state, const Case &launch) {
  const Parsed parsed(launch.text);
  compiler::InterpreterLaunch interpreted{launch.grid, {}};
  for (std::vector<float> *memory : launch.memory) {
    compiler::InterpreterArgument &argument = interpreted.arguments.emplace_back();
    argument.data = reinterpret_cast<std::byte *>(memory->data());
    argument.sizeBytes = memory->size() * sizeof(float);
  }
  for (int32_t number : launch.numbers)
    interpreted.arguments.emplace_back().bits = static_cast<uint32_t>(number);
  for (auto _ : state)
    if (!compiler::interpret(*parsed.module, interpreted).completed)
      state.SkipWithError("the kernel did not complete");
}

/// The two ways of a case, and the bytes that it moves.
template <typename Body> static void runVectorAdd(benchmark::State &state, Body body) {
  constexpr size_t n = size_t(1) << 24;
  std::vector<float> x(n, 1), y(n, 2), out(n);
  body(state, Case{tests::kVectorAdd, {n / 1024, 1, 1}, {&x, &y, &out}, {n}});
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * n * 12));
}

template <typename Body> static void runSoftmax(benchmark::State &state, Body body) {
  constexpr int32_t rows = 4096, columns = 1024;
  std::vector<float> in(size_t(rows) * columns), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i * 2654435761U % 2000) / 100 - 10;
  body(state, Case{tests::kSoftmax, {rows, 1, 1}, {&out, &in}, {columns}});
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * in.size() * 8));
}

static void vectorAddNative(benchmark::State &state) { runVectorAdd(state, runNative); }
static void vectorAddChecked(benchmark::State &state) { runVectorAdd(state, runChecked); }
static void vectorAddBounds(benchmark::State &state) { runVectorAdd(state, runBounds); }
static void vectorAddInterpreted(benchmark::State &state) { runVectorAdd(state, runInterpreter); }
static void softmaxNative(benchmark::State &state) { runSoftmax(state, runNative); }
static void softmaxChecked(benchmark::State &state) { runSoftmax(state, runChecked); }
static void softmaxBounds(benchmark::State &state) { runSoftmax(state, runBounds); }
static void softmaxInterpreted(benchmark::State &state) { runSoftmax(state, runInterpreter); }
BENCHMARK(vectorAddNative)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(vectorAddChecked)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(vectorAddBounds)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(vectorAddInterpreted)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxNative)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxChecked)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxBounds)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxInterpreted)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// `c = a b` for matrices [512, 512], 64 × 64 elements a program.
static const char *const kMatmul = R"(
tt.func public @matmul(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32) {
  %i0 = arith.constant 0 : i32
  %i32 = arith.constant 32 : i32
  %i64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %row = arith.muli %y, %i64 : i32
  %column = arith.muli %x, %i64 : i32
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %m = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %j = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ka = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %kb = tt.expand_dims %r32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %n64 = tt.splat %n : i32 -> tensor<64x1xi32>
  %n32 = tt.splat %n : i32 -> tensor<32x1xi32>
  %mn = arith.muli %m, %n64 : tensor<64x1xi32>
  %kn = arith.muli %kb, %n32 : tensor<32x1xi32>
  %mn2 = tt.broadcast %mn : tensor<64x1xi32> -> tensor<64x32xi32>
  %ka2 = tt.broadcast %ka : tensor<1x32xi32> -> tensor<64x32xi32>
  %ao = arith.addi %mn2, %ka2 : tensor<64x32xi32>
  %kn2 = tt.broadcast %kn : tensor<32x1xi32> -> tensor<32x64xi32>
  %j2 = tt.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %bo = arith.addi %kn2, %j2 : tensor<32x64xi32>
  %rn = arith.muli %row, %n : i32
  %a1 = tt.addptr %a, %rn : !tt.ptr<f32>, i32
  %b1 = tt.addptr %b, %column : !tt.ptr<f32>, i32
  %as = tt.splat %a1 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %bs = tt.splat %b1 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %ap = tt.addptr %as, %ao : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
  %bp = tt.addptr %bs, %bo : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
  %as1 = arith.constant dense<32> : tensor<64x32xi32>
  %bn = arith.muli %n, %i32 : i32
  %bs1 = tt.splat %bn : i32 -> tensor<32x64xi32>
  %q:3 = scf.for %k = %i0 to %n step %i32 iter_args(%p = %ap, %s = %bp, %sum = %zero) -> (tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f32>>, tensor<64x64xf32>) : i32 {
    %av = tt.load %p : tensor<64x32x!tt.ptr<f32>>
    %bv = tt.load %s : tensor<32x64x!tt.ptr<f32>>
    %d = tt.dot %av, %bv, %sum : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    %p2 = tt.addptr %p, %as1 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %s2 = tt.addptr %s, %bs1 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    scf.yield %p2, %s2, %d : tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f32>>, tensor<64x64xf32>
  }
  %mc = tt.broadcast %mn : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tt.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %co = arith.addi %mc, %jc : tensor<64x64xi32>
  %c1 = tt.addptr %c, %rn : !tt.ptr<f32>, i32
  %c2 = tt.addptr %c1, %column : !tt.ptr<f32>, i32
  %cs = tt.splat %c2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %co : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %cp, %q#2 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
)";

template <typename Body> static void runMatmul(benchmark::State &state, Body body) {
  constexpr int32_t n = 512;
  std::vector<float> a(size_t(n) * n, 1), b(a.size(), 2), c(a.size());
  body(state, Case{kMatmul, {n / 64, n / 64, 1}, {&a, &b, &c}, {n}});
  state.counters["flops"] =
      benchmark::Counter(2.0 * n * n * n, benchmark::Counter::kIsIterationInvariantRate);
}

static void matmulNative(benchmark::State &state) { runMatmul(state, runNative); }
static void matmulChecked(benchmark::State &state) { runMatmul(state, runChecked); }
static void matmulBounds(benchmark::State &state) { runMatmul(state, runBounds); }
static void matmulInterpreted(benchmark::State &state) { runMatmul(state, runInterpreter); }
BENCHMARK(matmulNative)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(matmulChecked)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(matmulBounds)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(matmulInterpreted)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

/// What a launch costs, of few programs that do next to nothing.
static void launch(benchmark::State &state, native::ProgramThreads *threads) {
  const Parsed parsed(tests::kVectorAdd);
  auto kernel = native::NativeKernel::compile(*parsed.module, {});
  if (!kernel)
    return state.SkipWithError(kernel.error().message.c_str());
  const auto numPrograms = static_cast<int32_t>(state.range(0));
  const size_t n = static_cast<size_t>(numPrograms) * 1024;
  std::vector<float> x(n, 1), y(n, 2), out(n);
  std::vector<uint64_t> words;
  for (std::vector<float> *memory : {&x, &y, &out})
    words.push_back(reinterpret_cast<uint64_t>(memory->data()));
  words.push_back(n);
  const native::GridOptions options{.grid = {numPrograms, 1, 1}, .threads = threads};
  for (auto _ : state)
    if (!native::runGrid(*kernel, words, options).completed)
      state.SkipWithError("the kernel did not complete");
}

static void launchKept(benchmark::State &state) {
  native::ProgramThreads threads;
  launch(state, &threads);
}
static void launchAlone(benchmark::State &state) { launch(state, nullptr); }
BENCHMARK(launchKept)
    ->Arg(1)
    ->Arg(16)
    ->Arg(256)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(launchAlone)
    ->Arg(1)
    ->Arg(16)
    ->Arg(256)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// A copy on all processors, each with its part: what memory allows.
static void copyMemory(benchmark::State &state) {
  constexpr size_t bytes = size_t(96) << 20;
  const unsigned numThreads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<char> from(bytes, 1), to(bytes);
  for (auto _ : state) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < numThreads; ++i)
      threads.emplace_back([&, i] {
        const size_t part = bytes / numThreads;
        std::memcpy(&to[i * part], &from[i * part], part);
      });
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes * 2));
}
BENCHMARK(copyMemory)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

static void compile(benchmark::State &state, const char *text) {
  const Parsed parsed(text);
  for (auto _ : state)
    if (!native::NativeKernel::compile(*parsed.module, {}))
      state.SkipWithError("the kernel does not compile");
}
BENCHMARK_CAPTURE(compile, softmax, tests::kSoftmax)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, matmul, kMatmul)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
