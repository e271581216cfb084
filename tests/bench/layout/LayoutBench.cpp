// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The layout algebra on layouts of real kernels: a 128x64 tile in 8 warps.
#include "compiler/layout/Encodings.h"

#include <benchmark/benchmark.h>

using namespace tilescope::compiler;

static const std::vector<int64_t> kShape{128, 64};

static LinearLayout blockedTile() {
  return blockedLayout(kShape, {{1, 8}, {4, 8}, {8, 1}, {1, 0}}, singleBlockCluster(2));
}
static LinearLayout mmaTile() {
  return mmaLayout(kShape, {2, {4, 2}, {16, 8}}, singleBlockCluster(2));
}

static void constructBlocked(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(blockedTile());
}
BENCHMARK(constructBlocked);

static void constructMma(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(mmaTile());
}
BENCHMARK(constructMma);

static void constructSwizzled(benchmark::State &state) {
  SwizzleParameters swizzle{8, 1, 8, {1, 0}};
  LinearLayout cluster = singleBlockCluster(2);
  for (auto _ : state)
    benchmark::DoNotOptimize(swizzledSharedLayout(kShape, swizzle, cluster));
}
BENCHMARK(constructSwizzled);

static void apply(benchmark::State &state) {
  LinearLayout layout = mmaTile();
  uint64_t place = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.applyPacked(place++ & 0x1fff));
}
BENCHMARK(apply);

static void convert(benchmark::State &state) {
  LinearLayout from = blockedTile(), to = mmaTile();
  for (auto _ : state)
    benchmark::DoNotOptimize(to.invertAndCompose(from));
}
BENCHMARK(convert);

static void compose(benchmark::State &state) {
  LinearLayout registers = mmaTile();
  LinearLayout memory =
      swizzledSharedLayout(kShape, {8, 1, 8, {1, 0}}, singleBlockCluster(2)).pseudoinvert();
  for (auto _ : state)
    benchmark::DoNotOptimize(registers.compose(memory));
}
BENCHMARK(compose);

static void freeMasks(benchmark::State &state) {
  LinearLayout layout = slicedLayout(mmaTile(), 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.freeVariableMasks());
}
BENCHMARK(freeMasks);

static void hashAndCompare(benchmark::State &state) {
  LinearLayout a = mmaTile(), b = mmaTile();
  for (auto _ : state)
    benchmark::DoNotOptimize(a.hash() == b.hash() && a == b);
}
BENCHMARK(hashAndCompare);
