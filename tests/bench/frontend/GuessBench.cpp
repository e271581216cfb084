// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How long it takes to find out that no guess makes a kernel compile: what a user waits for while
// the text of a kernel is wrong. The argument is the number of statements before the mistake.
#include "compiler/frontend/Frontend.h"
#include "compiler/inference/GuessMemory.h"

#include "mlir/IR/MLIRContext.h"

#include <benchmark/benchmark.h>
#include <string>

using namespace tilescope::compiler;

static std::string wrongKernel(int64_t numStatements) {
  std::string text = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
                     "def combined(a, b):\n    return tl.where(a > b, a, b)\n\n@triton.jit\n"
                     "def kernel(x, y, n, BLOCK: tl.constexpr, KIND: tl.constexpr):\n"
                     "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                     "    v = tl.load(x + i, mask=i < n)\n";
  for (int64_t k = 0; k < numStatements; ++k)
    text += "    v = v * 2.0 + tl.load(x + i + " + std::to_string(k) + ", mask=i < n)\n";
  return text + "    tl.static_assert(BLOCK == 5 and KIND == 7)\n"
                "    tl.store(y + i, combined(v, 0.0), mask=i < n)\n";
}

static void emitWrong(benchmark::State &state, const char *function, bool remembers) {
  CompileRequest request;
  request.text = wrongKernel(state.range(0));
  request.selection.kernel = function;
  request.collectFacts = false;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  inference::GuessMemory memory;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        emitTtir(context, request, nullptr, {.memory = remembers ? &memory : nullptr}));
}

static void kernelThatStaysWrong(benchmark::State &state) { emitWrong(state, "kernel", false); }
static void theSameAgain(benchmark::State &state) { emitWrong(state, "kernel", true); }
static void functionOfWrongKernel(benchmark::State &state) { emitWrong(state, "combined", false); }

BENCHMARK(kernelThatStaysWrong)->Arg(1)->Arg(20)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(theSameAgain)->Arg(1)->Arg(20)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(functionOfWrongKernel)->Arg(1)->Arg(20)->Arg(200)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
