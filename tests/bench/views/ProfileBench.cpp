// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a profile costs the window's thread: its words and numbers, its page, a frame of it, and the
// heat of its samples beside a long stage.
#include "profiler/data/FileIo.h"
#include "views/common/CodeView.h"
#include "views/profile/ProfileCanvas.h"
#include "views/profile/ProfileView.h"
#include "views/stages/HeatAside.h"

#include <QScrollBar>

#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace tilescope;
using namespace tilescope::views;

static profiler::ProfileDocument recorded() {
  const auto text = profiler::readTextFile(TILESCOPE_EXAMPLES "/profiles/matmul.json");
  auto profiles = text ? profiler::profilesFromText(*text) : text.error();
  if (!profiles)
    std::abort();
  return std::move(profiles->front());
}

static void profileSectionsOf(benchmark::State &state) {
  const profiler::ProfileDocument profile = recorded();
  for (auto _ : state)
    benchmark::DoNotOptimize(profileSections(profile));
}
BENCHMARK(profileSectionsOf)->Unit(benchmark::kMicrosecond);

/// A view as large as a window that fills a screen, or as a dock below the editor.
struct ShownProfile {
  ProfileView view;

  explicit ShownProfile(benchmark::State &state) {
    view.resize(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    view.show();
    auto content = std::make_shared<ProfileContent>();
    content->profile = recorded();
    view.setContent(std::move(content));
  }
};

static void profilePage(benchmark::State &state) {
  ShownProfile shown(state);
  const auto &sections = shown.view.canvas().sections();
  for (auto _ : state)
    benchmark::DoNotOptimize(
        layOutProfile(sections, static_cast<double>(state.range(0)),
                      [](const QString &text) { return 7.0 * static_cast<double>(text.size()); }));
}
BENCHMARK(profilePage)->Args({1900, 1000})->Unit(benchmark::kMicrosecond);

/// Each frame shows another part of the page.
static void profileFrame(benchmark::State &state) {
  ShownProfile shown(state);
  ProfileCanvas &canvas = shown.view.canvas();
  int at = 0;
  for (auto _ : state) {
    at = (at + 37) % std::max(1, canvas.verticalScrollBar()->maximum());
    canvas.verticalScrollBar()->setValue(at);
    benchmark::DoNotOptimize(canvas.viewport()->grab());
  }
}
BENCHMARK(profileFrame)->Args({1900, 1000})->Args({850, 260})->Unit(benchmark::kMillisecond);

static void heatOfLongStage(benchmark::State &state) {
  const profiler::ProfileDocument profile = recorded();
  const SampleHeat heat{*profile.measurement.samples, profile.measurement.kernel, ""};
  std::string text;
  compiler::SourceMap map;
  for (uint32_t line = 0; line < 5000; ++line) {
    text += "    %value = arith.addf %a, %b : tensor<1024xf32, #blocked>\n";
    map.lines.push_back({line, {SourceRange{{line % 100, 4}, {line % 100, 14}, 0}}});
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(heatMarks(heat, compiler::StageId::Ttgir, text, map));
}
BENCHMARK(heatOfLongStage)->Unit(benchmark::kMicrosecond);
