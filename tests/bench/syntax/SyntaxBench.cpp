// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Time from text to tree, and what the editor asks for at every keystroke.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

using namespace tilescope;
using namespace tilescope::compiler::ast;

static std::string readExample(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_EXAMPLES) + "/" + name + ".py");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An example repeated until the text has the wanted size.
static std::string repeated(size_t sizeBytes) {
  std::string example = readExample("matmul") + "\n", text;
  while (text.size() < sizeBytes)
    text += example;
  return text;
}

static void parse(benchmark::State &state) {
  std::string source = repeated(static_cast<size_t>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(parseModule(source));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * source.size()));
}
BENCHMARK(parse)->Arg(4 << 10)->Arg(64 << 10)->Arg(2 << 20)->Unit(benchmark::kMillisecond);

static void dump(benchmark::State &state) {
  auto tree = parseModule(readExample("layer_norm"));
  for (auto _ : state)
    benchmark::DoNotOptimize(dumpAst(*tree->module));
}
BENCHMARK(dump)->Unit(benchmark::kMicrosecond);

static void openDocument(benchmark::State &state) {
  std::string source = readExample("layer_norm");
  for (auto _ : state)
    benchmark::DoNotOptimize(EditorDocument(source));
}
BENCHMARK(openDocument)->Unit(benchmark::kMicrosecond);

/// What an editor of 400 lines reads behind each key of a line: half typed, it must not take longer
/// than whole.
static void readTypedLine(benchmark::State &state) {
  const std::string line = "    scale = tl.sum(rows * 2, axis=0) + tl.max(columns, axis=0)\n";
  const std::string example = repeated(15 << 10);
  const size_t at = example.find("    accumulator = tl.zeros");
  size_t typed = 0;
  std::vector<double> fastestUs(line.size() + 1, 1e9);
  for (auto _ : state) {
    const std::string text = example.substr(0, at) + line.substr(0, typed) + example.substr(at);
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(EditorDocument(text));
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - begin;
    fastestUs[typed] = std::min(fastestUs[typed], taken.count());
    typed = (typed + 1) % fastestUs.size();
  }
  const auto slowest = std::max_element(fastestUs.begin(), fastestUs.end());
  state.counters["slowest_key_us"] = *slowest;
  state.counters["slowest_key"] = static_cast<double>(slowest - fastestUs.begin());
}
BENCHMARK(readTypedLine)->Unit(benchmark::kMicrosecond)->Iterations(640);

static void classifyTokens(benchmark::State &state) {
  EditorDocument document(readExample("layer_norm"));
  for (auto _ : state)
    benchmark::DoNotOptimize(document.classifyTokens());
}
BENCHMARK(classifyTokens)->Unit(benchmark::kMicrosecond);

static void complete(benchmark::State &state) {
  EditorDocument document(readExample("layer_norm") + "    y = tl.a");
  auto line = static_cast<uint32_t>(document.tree().lineOffsets.size() - 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(document.complete({line, 12}));
}
BENCHMARK(complete)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
