// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the output of a run costs the window's thread: its first frame, and each one after it.
#include "views/common/tensor/NumberTable.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace tilescope;
using namespace tilescope::views;

/// Of so many rows and columns, as a run of a matrix product leaves it.
static TensorDigestPointer randomOutput(int64_t side) {
  profiler::Tensor tensor = profiler::makeTensor(profiler::Dtype::Fp16, {side, side}, {});
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i < side * side; ++i)
    tensor.set(i, normal(random));
  return digestTensor(std::move(tensor), false);
}

static void heatMapFirstFrame(benchmark::State &state) {
  const TensorDigestPointer digest = randomOutput(state.range(0));
  HeatMap heatMap;
  heatMap.resize(700, 420);
  heatMap.show();
  for (auto _ : state) {
    heatMap.setTensor(digest);
    benchmark::DoNotOptimize(heatMap.grab());
  }
}
BENCHMARK(heatMapFirstFrame)->Arg(32)->Arg(2048)->Unit(benchmark::kMillisecond);

static void heatMapNextFrame(benchmark::State &state) {
  HeatMap heatMap;
  heatMap.resize(700, 420);
  heatMap.show();
  heatMap.setTensor(randomOutput(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(heatMap.grab());
}
BENCHMARK(heatMapNextFrame)->Arg(2048)->Unit(benchmark::kMillisecond);

/// What it costs that the table of an output gets another one, in sight or not.
static void tableOfOutput(benchmark::State &state) {
  const TensorDigestPointer digest = randomOutput(state.range(0));
  TensorModel model;
  NumberTable table;
  table.resize(700, 420);
  table.setModel(&model);
  for (auto _ : state)
    model.setTensor(digest);
}
BENCHMARK(tableOfOutput)->Arg(32)->Arg(2048)->Unit(benchmark::kMillisecond);
