// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the window does on its own thread between a reply of the compile worker and the next frame.
#include "app/ide/history/HistoryLog.h"
#include "app/ide/window/MainWindow.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/LargeLayouts.h"
#include "tests/support/TouchTraces.h"
#include "views/access/AccessView.h"
#include "views/common/CodeView.h"
#include "views/common/Correlation.h"
#include "views/common/Scrubber.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/pipeline/PipelineCanvas.h"
#include "views/pipeline/PipelineView.h"
#include "views/programs/ProgramsView.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/SharedView.h"

#include <QApplication>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <benchmark/benchmark.h>

using namespace tilescope;
using namespace tilescope::views;
using compiler::CompileResult;
using compiler::LayoutFacts;
using compiler::Stage;
using compiler::StageId;

static constexpr int kLines = 5000;

/// A stage of many lines, each from one of a hundred places of the source.
static Stage longStage(StageId id, const std::string &suffix = {}) {
  Stage stage;
  stage.id = id;
  stage.ok = true;
  for (uint32_t line = 0; line < kLines; ++line) {
    stage.text += "    %value_" + std::to_string(line) +
                  " = arith.addf %a, %b : tensor<1024xf32, #blocked>" + suffix + "\n";
    const uint32_t source = line % 100;
    stage.sourceMap.lines.push_back({line, {{{source, 4}, {source, 14}, 0}}});
  }
  return stage;
}

static std::shared_ptr<CompileResult> longResult(const std::string &suffix = {}) {
  auto result = tests::sampleResult();
  for (Stage &stage : result->stages)
    if (stage.id != StageId::Ast)
      stage = longStage(stage.id, suffix);
  return result;
}

static void setLongText(benchmark::State &state) {
  CodeView view;
  view.resize(600, 900);
  view.show();
  const Correlation correlation(longResult());
  const std::string text = correlation.result()->stage(StageId::Ttgir)->text;
  for (auto _ : state) {
    view.setText(text, TextLanguage::Mlir);
    view.setTints(correlation.sourceLines(StageId::Ttgir));
    benchmark::DoNotOptimize(view.grab());
  }
}
BENCHMARK(setLongText)->Unit(benchmark::kMillisecond);

/// A 128x128 tile in 8 warps: 64 registers of each lane.
static LayoutFacts squareTile() {
  LayoutFacts facts;
  facts.shape = {128, 128};
  facts.elementBits = 16;
  facts.layout = {{"register", {{0, 1}, {0, 2}, {0, 4}, {32, 0}, {64, 0}, {0, 64}}},
                  {"lane", {{0, 8}, {0, 16}, {0, 32}, {1, 0}, {2, 0}}},
                  {"warp", {{4, 0}, {8, 0}, {16, 0}}}};
  return facts;
}

static void layoutGeometry(benchmark::State &state) {
  const LayoutFacts facts = squareTile();
  const compiler::TensorSlice slice = compiler::defaultSlice(compiler::LayoutMap(facts));
  for (auto _ : state)
    benchmark::DoNotOptimize(compiler::makeLayoutPicture(facts, slice, compiler::Family::Warp));
}
BENCHMARK(layoutGeometry)->Unit(benchmark::kMicrosecond);

static void ownersOfElements(benchmark::State &state) {
  const compiler::LayoutMap map(squareTile());
  uint64_t element = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(map.ownersOf(element++ & 0x3fff));
}
BENCHMARK(ownersOfElements);

/// A diagram of one of the large layouts, as large as a window that fills a screen.
struct LargeDiagram {
  FocusState focus;
  LayoutDiagram view{&focus};
  std::shared_ptr<CompileResult> result = tests::sampleResult();

  explicit LargeDiagram(benchmark::State &state) {
    result->layouts = {tests::largeLayouts()[static_cast<size_t>(state.range(0))]};
    state.SetLabel(result->layouts[0].value);
    view.resize(1900, 1000);
    view.show();
    view.setResult(result);
    QCoreApplication::processEvents();
  }
};

static const int64_t kLastLarge = static_cast<int64_t>(tests::largeLayouts().size()) - 1;

static void openLargeLayout(benchmark::State &state) {
  LargeDiagram diagram(state);
  for (auto _ : state) {
    diagram.view.setResult(diagram.result);
    QCoreApplication::processEvents();
  }
}
BENCHMARK(openLargeLayout)->DenseRange(0, kLastLarge)->Unit(benchmark::kMillisecond);

/// From where everything is in sight to where elements are named, and back.
static void zoomLargeLayout(benchmark::State &state) {
  LargeDiagram diagram(state);
  DiagramCanvas &canvas = diagram.view.tensorCanvas();
  for (auto _ : state) {
    if (canvas.scale() > 60)
      canvas.fit();
    canvas.zoomBy(1.25, QPointF(120, 120));
    QCoreApplication::processEvents();
  }
}
BENCHMARK(zoomLargeLayout)->DenseRange(0, kLastLarge)->Unit(benchmark::kMillisecond);

/// A 256x256 tile in 8 warps: 256 registers of each lane.
static LayoutFacts fullTile() {
  LayoutFacts facts;
  facts.value = "256x256, all lanes";
  facts.shape = {256, 256};
  facts.elementBits = 16;
  facts.layout = {
      {"register", {{0, 1}, {0, 2}, {0, 4}, {32, 0}, {64, 0}, {128, 0}, {0, 64}, {0, 128}}},
      {"lane", {{0, 8}, {0, 16}, {0, 32}, {1, 0}, {2, 0}}},
      {"warp", {{4, 0}, {8, 0}, {16, 0}}}};
  return facts;
}

/// The tile drawn as large as a window that fills a screen, colored by lane, moved by the pointer or
/// zoomed; of `range(0)` percent of what shows everything.
static void drawFullTile(benchmark::State &state, bool zooms) {
  FocusState focus;
  LayoutDiagram view(&focus);
  auto result = tests::sampleResult();
  result->layouts = {fullTile()};
  view.resize(1900, 1000);
  view.show();
  view.setColoring(compiler::Family::Lane);
  view.setResult(result);
  QCoreApplication::processEvents();
  DiagramCanvas &canvas = view.tensorCanvas();
  canvas.fit();
  const double whole = canvas.scale();
  const auto factor = static_cast<double>(state.range(0)) / 100;
  canvas.zoomBy(factor, QPointF(120, 120));
  const auto send = [&](QEvent::Type type, QPointF at) {
    QMouseEvent event(type, at, canvas.mapToGlobal(at),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &event);
  };
  QPointF at(400, 400);
  send(QEvent::MouseButtonPress, at);
  int turn = 0;
  for (auto _ : state) {
    const bool isBack = ++turn % 64 < 32;
    if (zooms) {
      canvas.zoomBy(isBack ? 1.03 : 1 / 1.03, QPointF(300, 300));
    } else {
      at += isBack ? QPointF(7, 5) : QPointF(-7, -5);
      send(QEvent::MouseMove, at);
    }
    canvas.repaint();
    QCoreApplication::processEvents();
  }
  send(QEvent::MouseButtonRelease, at);
  state.SetLabel(std::to_string(std::lround(whole * factor)) + " pixels an element");
  state.counters["frames"] =
      benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
}

static void panFullTile(benchmark::State &state) { drawFullTile(state, false); }
BENCHMARK(panFullTile)->Arg(100)->Arg(300)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();
static void zoomFullTile(benchmark::State &state) { drawFullTile(state, true); }
BENCHMARK(zoomFullTile)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// A column-wise load of a 256x256 tile of floats: every request is 32 lines.
static AccessContentPointer squareAccess() {
  auto facts = std::make_shared<compiler::MemoryFacts>();
  compiler::AccessFacts &load = facts->accesses.emplace_back();
  load.elementBytes = load.vectorBytes = 4;
  load.executions = load.counts.requests = 1;
  compiler::AccessRecord record;
  record.arguments = {{"x_ptr", 0, {4096, 4096}, 4}};
  compiler::RecordedAccess &access = record.accesses.emplace_back();
  for (uint64_t column = 1; column < 256; column *= 2)
    access.lanes.registers.push_back(column);
  access.lanes.lanes = {256, 512, 1024, 2048, 4096};
  access.lanes.warps = {8192, 16384, 32768};
  access.lanes.numWarps = 8;
  access.shape = {256, 256};
  access.numExecutions = 1;
  access.executions = {{0, 0, {16384, 4}, {}, {}}};
  return std::make_shared<const AccessContent>(AccessContent{{}, facts, record});
}

struct LargeAccess {
  FocusState focus;
  AccessView view{&focus};
  LargeAccess() {
    view.resize(1900, 1000);
    view.show();
    view.setContent(squareAccess());
    QCoreApplication::processEvents();
  }
};

static void openLargeAccess(benchmark::State &state) {
  LargeAccess large;
  const AccessContentPointer content = squareAccess();
  for (auto _ : state) {
    large.view.setContent(content);
    benchmark::DoNotOptimize(large.view.canvas().grab());
  }
}
BENCHMARK(openLargeAccess)->Unit(benchmark::kMillisecond);

/// From one instruction to the next, as with a held key.
static void scrubLargeAccess(benchmark::State &state) {
  LargeAccess large;
  int by = 1;
  for (auto _ : state) {
    Q_EMIT large.view.canvas().scrubRequested(RequestCanvas::Scrub::Instruction, by);
    by = -by;
    benchmark::DoNotOptimize(large.view.canvas().grab());
  }
}
BENCHMARK(scrubLargeAccess)->Unit(benchmark::kMillisecond);

/// Two hundred buffers over four hundred lines, each read and written ten times: more than any
/// kernel has.
static SharedContentPointer largeSharedMemory() {
  SharedContent content;
  compiler::SharedFacts &facts = content.facts;
  facts.total = facts.limit = 227 << 10;
  for (uint32_t step = 0; step < 400; ++step) {
    facts.steps.push_back({{{step, 4}, {step, 20}, 0}, step, step > 100});
    content.lines << QStringLiteral("    value = tl.load(pointer + offsets, mask=mask)");
  }
  for (uint32_t i = 0; i < 200; ++i) {
    compiler::SharedBuffer &buffer = facts.buffers.emplace_back();
    buffer.name = "buffer";
    buffer.range = {{2 * i, 4}, {2 * i, 20}, 0};
    buffer.offset = (i % 20) * (facts.total / 20);
    buffer.bytes = facts.total / 20;
    buffer.begin = i / 20 * 40;
    buffer.end = buffer.begin + 40;
    buffer.slots = 4;
    for (uint32_t at = 0; at < 10; ++at) {
      compiler::SharedAccess &access = facts.accesses.emplace_back();
      access.buffer = i;
      access.step = buffer.begin + at * 4;
      access.isWrite = at % 2 == 0;
      access.lanes.lanes = {32, 64, 128, 256, 512};
    }
  }
  return std::make_shared<const SharedContent>(std::move(content));
}

struct LargeSharedMemory {
  FocusState focus;
  SharedView view{&focus};
  SharedContentPointer content = largeSharedMemory();
  LargeSharedMemory() {
    view.resize(1900, 1000);
    view.show();
    view.setContent(content);
    QCoreApplication::processEvents();
  }
};

/// A product's result of 256x256 floats in 8 warps, on its way to rows of memory: 256 registers of
/// each lane.
static ConversionsPointer squareConversion() {
  auto facts = std::make_shared<compiler::MemoryFacts>();
  compiler::ConversionFacts &conversion = facts->conversions.emplace_back();
  conversion.moves = compiler::ConversionMoves::Warps;
  conversion.shape = {256, 256};
  conversion.elementType = "f32";
  conversion.elementBits = 32;
  conversion.bytes = 256 * 256 * 4;
  conversion.fromLayout = {
      {"register", {{0, 1}, {8, 0}, {0, 8}, {0, 16}, {0, 32}, {0, 64}, {0, 128}, {128, 0}}},
      {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
      {"warp", {{16, 0}, {32, 0}, {64, 0}}}};
  conversion.toLayout = {
      {"register", {{0, 1}, {0, 2}, {0, 128}, {8, 0}, {16, 0}, {32, 0}, {64, 0}, {128, 0}}},
      {"lane", {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {0, 64}}},
      {"warp", {{1, 0}, {2, 0}, {4, 0}}}};
  return facts;
}

struct LargeConversion {
  FocusState focus;
  ConversionView view{&focus};
  LargeConversion() {
    view.resize(1900, 1000);
    view.show();
    view.setContent(squareConversion());
    QCoreApplication::processEvents();
  }
};

static void openLargeSharedMemory(benchmark::State &state) {
  LargeSharedMemory large;
  for (auto _ : state) {
    large.view.setContent(large.content);
    benchmark::DoNotOptimize(large.view.map().grab());
  }
}
BENCHMARK(openLargeSharedMemory)->Unit(benchmark::kMillisecond);

/// From one line to the next, as with a held key in the editor.
static void followInLargeSharedMemory(benchmark::State &state) {
  LargeSharedMemory large;
  uint32_t line = 0;
  for (auto _ : state) {
    line = (line + 2) % 400;
    large.focus.setSelected({std::nullopt, {line, 5}, {{{line, 4}, {line, 20}, 0}}}, nullptr);
    benchmark::DoNotOptimize(large.view.map().grab());
  }
}
BENCHMARK(followInLargeSharedMemory)->Unit(benchmark::kMillisecond);

/// A loop of sixty operations in twelve iterations, with eight rings of four slots: more than any
/// kernel has. Each iteration waits, copies ahead, reads, and multiplies.
static LoopsPointer largeLoop() {
  using namespace compiler;
  LoopFacts facts;
  facts.numFollowed = 12;
  facts.partitions = {{"", 8, {}}};
  for (int i = 0; i < 8; ++i)
    facts.buffers.push_back({"ring", {}, 0, 4, {64, 64}, "f16", false, false});
  for (uint32_t i = 0; i < 60; ++i) {
    LoopOperation &operation = facts.operations.emplace_back();
    operation.action = i == 0   ? LoopAction::CopyWait
                       : i < 9  ? LoopAction::AsyncCopy
                       : i < 17 ? LoopAction::LocalLoad
                       : i < 25 ? LoopAction::Product
                                : LoopAction::Arithmetic;
    operation.isAsync = i > 0 && i < 9;
    operation.name = "value";
    operation.range = {{i, 4}, {i, 20}, 0};
    operation.distance = operation.isAsync ? 3 : 0;
  }
  for (int32_t k = 0; k < facts.numFollowed; ++k)
    for (uint32_t i = 0; i < 60; ++i) {
      const auto number = static_cast<uint32_t>(facts.events.size());
      LoopEvent &event = facts.events.emplace_back();
      event.operation = i;
      event.iteration = k;
      event.time = event.begin = number;
      const bool isCopy = i > 0 && i < 9, isRead = i >= 9 && i < 17;
      event.forIteration = isCopy ? k + 3 : k;
      event.buffer = isCopy   ? static_cast<int32_t>(i) - 1
                     : isRead ? static_cast<int32_t>(i) - 9
                              : -1;
      event.slot = isCopy ? (k + 3) % 4 : isRead ? k % 4 : -1;
      if (isCopy && k + 3 < facts.numFollowed) {
        event.end = static_cast<int32_t>((k + 3) * 60);
        facts.links.push_back({number, static_cast<uint32_t>(event.end), LoopLinkKind::Ends});
        facts.links.push_back(
            {number, static_cast<uint32_t>((k + 3) * 60) + i + 8, LoopLinkKind::Feeds});
      }
      if (isRead)
        facts.links.push_back({number, number + 8, LoopLinkKind::Feeds});
    }
  return std::make_shared<const std::vector<LoopFacts>>(std::vector<LoopFacts>{std::move(facts)});
}

struct LargeLoop {
  FocusState focus;
  PipelineView view{&focus};
  LoopsPointer loops = largeLoop();
  LargeLoop() {
    view.resize(1900, 1000);
    view.show();
    view.setContent(loops);
    QCoreApplication::processEvents();
  }
};

static void openLargeLoop(benchmark::State &state) {
  LargeLoop large;
  for (auto _ : state) {
    large.view.setContent(large.loops);
    benchmark::DoNotOptimize(large.view.canvas().grab());
  }
}
BENCHMARK(openLargeLoop)->Unit(benchmark::kMillisecond);

/// From one iteration to the next, as with a held key.
static void scrubLargeLoop(benchmark::State &state) {
  LargeLoop large;
  int by = 1;
  for (auto _ : state) {
    Q_EMIT large.view.canvas().scrubRequested(by);
    by = -by;
    benchmark::DoNotOptimize(large.view.canvas().grab());
  }
}
BENCHMARK(scrubLargeLoop)->Unit(benchmark::kMillisecond);

/// From one event to the next: words, arrows and marks.
static void walkLargeLoop(benchmark::State &state) {
  LargeLoop large;
  int event = 0;
  for (auto _ : state) {
    event = (event + 7) % 720;
    Q_EMIT large.view.canvas().placeHovered(event);
    benchmark::DoNotOptimize(large.view.canvas().grab());
  }
}
BENCHMARK(walkLargeLoop)->Unit(benchmark::kMillisecond);

static void openLargeConversion(benchmark::State &state) {
  LargeConversion large;
  const ConversionsPointer content = squareConversion();
  for (auto _ : state) {
    large.view.setContent(content);
    QCoreApplication::processEvents();
  }
}
BENCHMARK(openLargeConversion)->Unit(benchmark::kMillisecond);

/// From one lane to the next, as with a held key: arrows and highlights of 256 registers.
static void walkLargeConversion(benchmark::State &state) {
  LargeConversion large;
  DiagramCanvas &behind = large.view.canvas(compiler::ConversionSide::Behind);
  const compiler::PictureGrid &grid = behind.content().grid;
  int64_t cell = 0;
  for (auto _ : state) {
    cell = (cell + grid.columns * grid.groupRows) % grid.numCells;
    Q_EMIT behind.cellHovered(cell);
    QCoreApplication::processEvents();
  }
}
BENCHMARK(walkLargeConversion)->Unit(benchmark::kMillisecond);

static void buildCorrelation(benchmark::State &state) {
  const std::shared_ptr<const CompileResult> result = longResult();
  for (auto _ : state)
    benchmark::DoNotOptimize(Correlation(result));
}
BENCHMARK(buildCorrelation)->Unit(benchmark::kMicrosecond);

static void relateLines(benchmark::State &state) {
  const Correlation correlation(longResult());
  uint32_t line = 0;
  for (auto _ : state) {
    line = (line + 1) % 100;
    const std::vector<SourceRange> focused = correlation.rangesAt({line, 8});
    benchmark::DoNotOptimize(correlation.relate(StageId::Ttgir, focused));
  }
}
BENCHMARK(relateLines)->Unit(benchmark::kMicrosecond);

/// All views of the window take over a result whose stages have changed throughout.
static void applyResult(benchmark::State &state) {
  QTemporaryDir folder;
  tests::FakeBackend backend;
  app::MainWindow window(&backend, {});
  window.resize(1920, 1080);
  window.show();
  window.newFile();
  window.editor()->setText(QString::fromStdString(tests::sampleSource()));
  QCoreApplication::processEvents();
  const auto take = [&](const std::string &suffix) {
    auto result = longResult(suffix);
    result->revision = window.compileController()->request().revision;
    return std::make_shared<const Correlation>(std::move(result));
  };
  const app::CorrelationPointer results[] = {take(""), take(" // again")};
  size_t turn = 0;
  for (auto _ : state)
    Q_EMIT backend.progressed(results[turn++ % 2], true);
}
BENCHMARK(applyResult)->Unit(benchmark::kMillisecond);

/// A product of 4096 x 4096 matrices by 1024 programs, each of 64 iterations.
struct LargeProduct {
  FocusState focus;
  ProgramsView view{&focus};
  TouchedArraysPointer arrays =
      std::make_shared<const compiler::access::TouchedArrays>(tests::productTrace({32, 128, 8}));

  LargeProduct() {
    view.resize(1900, 1000);
    view.show();
    view.setPart(arrays);
    view.setGrid(arrays);
    QCoreApplication::processEvents();
  }
};

static void scrubPrograms(benchmark::State &state) {
  LargeProduct product;
  Scrubber &programs = product.view.scrubber(ArrayCanvas::Scrub::X);
  int program = 0;
  for (auto _ : state) {
    programs.field().setValue(program = (program + 37) % 1024);
    benchmark::DoNotOptimize(product.view.canvas().grab());
  }
}
BENCHMARK(scrubPrograms)->Unit(benchmark::kMillisecond);

/// With the counts of all programs below it, of another part of the arrays each time.
static void zoomProgramCounts(benchmark::State &state) {
  LargeProduct product;
  product.view.setOverlay(ProgramsView::Overlay::Programs);
  while (!product.view.content().overlay)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  ArrayCanvas &canvas = product.view.canvas();
  int turn = 0;
  for (auto _ : state) {
    QWheelEvent wheel(canvas.rectOf({0, {0, 100, 100}}).center(), {}, {},
                      {0, ++turn % 16 < 8 ? 120 : -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&canvas, &wheel);
    benchmark::DoNotOptimize(canvas.grab());
  }
}
BENCHMARK(zoomProgramCounts)->Unit(benchmark::kMillisecond);

/// On another thread: what the window waits for, not what it does.
static void countAllPrograms(benchmark::State &state) {
  const compiler::access::TouchedArrays arrays(tests::productTrace({32, 128, 8}));
  for (auto _ : state)
    benchmark::DoNotOptimize(compiler::access::wavesTraffic(arrays, 132));
}
BENCHMARK(countAllPrograms)->Unit(benchmark::kMillisecond);

/// A compile of long stages that is a new version, in a file that has as many as are kept.
static void recordVersion(benchmark::State &state) {
  app::HistoryLog log;
  QDateTime when(QDate(2026, 3, 1), QTime(12, 0));
  const auto record = [&](int number) {
    const auto result = longResult(" // " + std::to_string(number));
    result->files.front().text.resize(20000, ' ');
    return result;
  };
  for (size_t i = 0; i < app::HistoryLog::kMostEntries; ++i) {
    log.recordCompile(*record(static_cast<int>(i % 2)), when = when.addSecs(10));
  }
  const auto first = record(0), second = record(1);
  bool isFirst = true;
  for (auto _ : state) {
    log.recordCompile(isFirst ? *first : *second, when = when.addSecs(10));
    benchmark::DoNotOptimize(log.entriesOf("vector_add"));
    isFirst = !isFirst;
  }
}
BENCHMARK(recordVersion)->Unit(benchmark::kMillisecond);

int main(int argc, char **argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
