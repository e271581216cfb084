// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A stage of 50,000 lines in its column: scrolled line by line and page by page, and searched.
#include "views/common/CodeView.h"

#include <QApplication>
#include <QScrollBar>

#include <benchmark/benchmark.h>

using namespace tilescope::views;

static constexpr int kLines = 50000;

static std::string longText() {
  std::string text;
  for (int line = 0; line < kLines; ++line)
    text += "    %value_" + std::to_string(line) +
            " = arith.addf %a, %b : tensor<1024xf32, #blocked>\n";
  return text;
}

/// As high as a column on a large screen.
static void showLongText(CodeView &view) {
  view.resize(900, 1300);
  view.show();
  view.setText(longText(), TextLanguage::Mlir);
  std::vector<int32_t> tints;
  for (int line = 0; line < kLines; ++line)
    tints.push_back(line % 100);
  view.setTints(std::move(tints));
  QCoreApplication::processEvents();
}

static void scrollLongStage(benchmark::State &state) {
  CodeView view;
  showLongText(view);
  QScrollBar &bar = *view.verticalScrollBar();
  const int step = state.range(0) > 0 ? static_cast<int>(state.range(0)) : bar.pageStep();
  bool isDown = true;
  for (auto _ : state) {
    if (bar.value() == (isDown ? bar.maximum() : bar.minimum()))
      isDown = !isDown;
    bar.setValue(bar.value() + (isDown ? step : -step));
    view.viewport()->repaint();
    QCoreApplication::processEvents();
  }
  state.SetLabel(state.range(0) > 0 ? "3 lines" : "a page");
  state.counters["frames"] =
      benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(scrollLongStage)->Arg(3)->Arg(0)->Unit(benchmark::kMillisecond)->UseRealTime();

/// What a letter typed into the line of a search costs: the first match, and all of them for its
/// number. 0: the only match is in the last line. 1: each line has one. 2: there is none.
static void searchLongStage(benchmark::State &state) {
  CodeView view;
  showLongText(view);
  const QString text = state.range(0) == 0   ? QStringLiteral("value_49999")
                       : state.range(0) == 1 ? QStringLiteral("addf")
                                             : QStringLiteral("mulf");
  for (auto _ : state) {
    view.setCurrentLine(0);
    view.clearFind();
    benchmark::DoNotOptimize(view.find(text, {}, true));
    benchmark::DoNotOptimize(view.matchPlace());
    view.viewport()->repaint();
    QCoreApplication::processEvents();
  }
  state.SetLabel(text.toStdString());
}
BENCHMARK(searchLongStage)->DenseRange(0, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
