// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Outputs of 256 MiB against their reference, for each way in which elements are stored. The rate
// counts the bytes of both.
#include "profiler/analysis/Comparison.h"

#include <benchmark/benchmark.h>
#include <string>

using namespace tilescope::profiler;

static constexpr int64_t kBytes = 256 << 20;

enum class Difference { None, Rounding, Poison };

static Tensor reference(Dtype dtype) {
  TensorInit init{.kind = TensorInit::Kind::Randn, .scale = 50};
  // A pattern that repeats is made faster than 256 MiB of random numbers.
  const Tensor pattern = makeTensor(dtype, {1 << 18}, init);
  Tensor tensor{dtype, {kBytes / int64_t(dtypeSize(dtype))}, {}};
  while (int64_t(tensor.data.size()) < kBytes)
    tensor.data.insert(tensor.data.end(), pattern.data.begin(), pattern.data.end());
  return tensor;
}

static Tensor made(const Tensor &expected, Difference difference) {
  if (difference == Difference::Poison)
    return makeTensor(expected.dtype, expected.shape, {});
  Tensor actual = expected;
  if (difference == Difference::Rounding)
    for (int64_t i = 0; i < int64_t(actual.data.size()); i += 8)
      actual.data[size_t(i)] ^= std::byte(1);
  return actual;
}

static void compare(benchmark::State &state, Dtype dtype, Difference difference) {
  const Tensor expected = reference(dtype), actual = made(expected, difference);
  ComparisonOptions options;
  options.poisoned = true;
  for (auto _ : state)
    benchmark::DoNotOptimize(compareTensors(actual, expected, options).mismatches);
  state.SetBytesProcessed(state.iterations() * 2 * kBytes);
}
BENCHMARK_CAPTURE(compare, fp64, Dtype::Fp64, Difference::Rounding)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, fp32, Dtype::Fp32, Difference::Rounding)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, fp32Equal, Dtype::Fp32, Difference::None)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, fp32Unwritten, Dtype::Fp32, Difference::Poison)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, fp16, Dtype::Fp16, Difference::Rounding)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, bf16, Dtype::Bf16, Difference::Rounding)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, fp8, Dtype::Fp8e4nv, Difference::Rounding)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, int8, Dtype::Int8, Difference::Rounding)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, int32, Dtype::Int32, Difference::Rounding)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, int64, Dtype::Int64, Difference::Rounding)
    ->Unit(benchmark::kMillisecond);

static void countUnwritten(benchmark::State &state) {
  const Tensor tensor = reference(Dtype::Fp16);
  OutputResult output;
  for (auto _ : state)
    noteUnwritten(tensor, output);
  state.SetBytesProcessed(state.iterations() * kBytes);
}
BENCHMARK(countUnwritten)->Unit(benchmark::kMillisecond);

static void summarize(benchmark::State &state) {
  const Tensor tensor = reference(Dtype::Fp16);
  for (auto _ : state)
    benchmark::DoNotOptimize(summarizeTensor(tensor, true).mean);
  state.SetBytesProcessed(state.iterations() * kBytes);
}
BENCHMARK(summarize)->Unit(benchmark::kMillisecond);
