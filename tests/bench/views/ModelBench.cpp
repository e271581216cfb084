// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The graph of a model with 20,000 kernels: how long it takes to make, and to paint a frame of it.
#include "views/model/GraphCanvas.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QScrollBar>

#include <benchmark/benchmark.h>
#include <random>

using namespace tilescope;
using namespace tilescope::views;

/// Blocks of a backbone with residuals, branches, and a mask that every tenth block reads.
static ShownModelPointer largeModel(size_t numKernels) {
  compiler::ModelResult result;
  std::mt19937 random(1);
  for (uint32_t i = 0; i < numKernels; ++i) {
    compiler::ModelKernel kernel;
    kernel.launch = "block." + std::to_string(i / 8) + ".layer." + std::to_string(i % 8);
    kernel.form = compiler::ModelKernelForm::Product;
    kernel.bytes = 1 + random() % 1000000;
    if (i > 0)
      kernel.sources.push_back(i % 8 == 3 ? i - 2 : i - 1);
    if (i % 8 == 7)
      kernel.sources.push_back(i - 7);
    if (i % 80 == 79)
      kernel.sources.push_back(0);
    result.kernels.push_back(std::move(kernel));
  }
  return std::make_shared<const ShownModel>(std::move(result));
}

static void layOutGraph(benchmark::State &state) {
  const ShownModelPointer model = largeModel(static_cast<size_t>(state.range(0)));
  GraphCanvas canvas;
  for (auto _ : state)
    canvas.setModel(model);
}
BENCHMARK(layOutGraph)->Arg(400)->Arg(20000)->Unit(benchmark::kMillisecond);

/// While the picture is dragged, at a zoom in percent; 0: the whole in one view.
static void panGraph(benchmark::State &state) {
  GraphCanvas canvas;
  canvas.resize(1400, 500);
  canvas.setModel(largeModel(20000));
  canvas.show();
  QApplication::processEvents();
  canvas.setZoom(static_cast<double>(state.range(0)) / 100);
  QScrollBar *bar = canvas.horizontalScrollBar();
  int at = bar->maximum() / 3;
  for (auto _ : state) {
    bar->setValue(at += 7);
    benchmark::DoNotOptimize(canvas.viewport()->grab());
  }
}
BENCHMARK(panGraph)->Arg(0)->Arg(2)->Arg(5)->Arg(30)->Arg(100)->Unit(benchmark::kMillisecond);
