// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Native code beside the interpreter and beside a copy of as many bytes.
//
// Run it with `--benchmark_enable_random_interleaving=true --benchmark_repetitions=5`, so that what
// is compared alternates.
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/Interpreter.h"
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

static void runNative(benchmark::State &state, const Case &launch) {
  const Parsed parsed(launch.text);
  auto kernel = native::NativeKernel::compile(*parsed.module, false);
  if (!kernel)
    return state.SkipWithError(kernel.error().message.c_str());
  std::vector<uint64_t> words;
  for (std::vector<float> *memory : launch.memory)
    words.push_back(reinterpret_cast<uint64_t>(memory->data()));
  for (int32_t number : launch.numbers)
    words.push_back(static_cast<uint32_t>(number));
  native::GridOptions options;
  options.grid = launch.grid;
  for (auto _ : state)
    benchmark::DoNotOptimize(native::runGrid(*kernel, words, options));
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
static void vectorAddInterpreted(benchmark::State &state) { runVectorAdd(state, runInterpreter); }
static void softmaxNative(benchmark::State &state) { runSoftmax(state, runNative); }
static void softmaxInterpreted(benchmark::State &state) { runSoftmax(state, runInterpreter); }
BENCHMARK(vectorAddNative)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(vectorAddInterpreted)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxNative)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(softmaxInterpreted)->UseRealTime()->Unit(benchmark::kMillisecond);

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
BENCHMARK(copyMemory)->UseRealTime()->Unit(benchmark::kMillisecond);

static void compileSoftmax(benchmark::State &state) {
  const Parsed parsed(tests::kSoftmax);
  for (auto _ : state)
    if (!native::NativeKernel::compile(*parsed.module, false))
      state.SkipWithError("the kernel does not compile");
}
BENCHMARK(compileSoftmax)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
