// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is read from the code of a long kernel: loops of matrix products, 10,000 instructions.
#include "compiler/machine/CodeLiveness.h"
#include "compiler/machine/SassFlow.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <string>

using namespace tilescope::compiler;
using namespace tilescope::compiler::machine;

static constexpr int kInstructions = 10000, kLoop = 500;

static std::string format(const char *pattern, auto... values) {
  char text[160];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// Every loop loads fragments, multiplies them into 64 registers, and stores some.
static std::string longSass() {
  std::string text = "\t.section\t.text.k,\"ax\",@progbits\n";
  for (int i = 0; i < kInstructions; ++i) {
    if (i % kLoop == 0)
      text += format(".L_x_%d:\n", i / kLoop);
    const int sum = 64 + i * 4 % 64, factor = 128 + i * 4 % 96;
    text += format("/*%04x*/       ", i * 16);
    if (i % kLoop == kLoop - 1)
      text += format("@P%d BRA `(.L_x_%d) ;\n", i % 6, i / kLoop);
    else if (i % 7 == 0)
      text += format("LDSM.16.M88.4 R%d, [R%d+UR4+0x%x] ;\n", factor, 4 + i % 32, i % 4096);
    else if (i % 11 == 0)
      text += format("STG.E.128 desc[UR6][R%d.64], R%d ;\n", 36 + i % 8 * 2, sum);
    else
      text += format("HMMA.16816.F32 R%d, R%d.reuse, R%d, R%d ;\n", sum, factor, 4 + i % 60, sum);
  }
  return text + format("/*%04x*/       EXIT ;\n", kInstructions * 16);
}

/// As many virtual registers as instructions, as the compiler writes it.
static std::string longPtx() {
  std::string text = ".visible .entry k()\n{\n\t.reg .pred \t%p<9>;\n\t.reg .b32 \t%r<20000>;\n";
  for (int i = 0; i < kInstructions; ++i) {
    if (i % kLoop == 0)
      text += format("$L__BB0_%d:\n", i / kLoop);
    if (i % kLoop == kLoop - 1)
      text += format("\t@%%p1 bra \t$L__BB0_%d;\n", i / kLoop);
    else
      text += format("\tfma.rn.f32 \t%%r%d, %%r%d, %%r%d, %%r%d;\n", i + 100, i + 99, i + 40, i);
  }
  return text + "\tret;\n}\n";
}

static void parseInstructions(benchmark::State &state) {
  const std::string text = longSass();
  for (auto _ : state)
    benchmark::DoNotOptimize(parseSass(text).instructions.size());
}
BENCHMARK(parseInstructions)->Unit(benchmark::kMillisecond);

static void liveRegistersOfSass(benchmark::State &state) {
  const std::string text = longSass();
  for (auto _ : state)
    benchmark::DoNotOptimize(sassLiveness(text, {}).peakRegisters());
}
BENCHMARK(liveRegistersOfSass)->Unit(benchmark::kMillisecond);

static void liveRegistersOfPtx(benchmark::State &state) {
  const std::string text = longPtx();
  for (auto _ : state)
    benchmark::DoNotOptimize(ptxLiveness(text).peakRegisters());
}
BENCHMARK(liveRegistersOfPtx)->Unit(benchmark::kMillisecond);

/// What a key that goes to another instruction costs.
static void valuesAtPeak(benchmark::State &state) {
  const CodeLiveness code = sassLiveness(longSass(), {});
  for (auto _ : state)
    benchmark::DoNotOptimize(aliveGroups(code, code.peak(), {}).size());
}
BENCHMARK(valuesAtPeak)->Unit(benchmark::kMillisecond);
