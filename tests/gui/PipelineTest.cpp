// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Pipeline view over the real compiler: opened, scrubbed, walked through and exported by keys and
// mouse.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ViewSample.h"
#include "tests/support/LoopSample.h"
#include "views/common/Scrubber.h"
#include "views/pipeline/PipelineCanvas.h"
#include "views/pipeline/PipelineView.h"

#include <QComboBox>
#include <QScrollBar>
#include <QSpinBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::LoopAction;
using views::PipelineCanvas;
using views::PipelineView;

/// A product without a launch block: what a loop does does not depend on one. Behind it a loop that
/// has no product.
static const std::string kProduct = kProductLoop + R"(    for row in range(0, K):
        total += tl.load(c_ptr + row * 64 + i[None, :])
)" + kStoredTotal;

namespace {
struct Product : ViewSample {
  PipelineView &view = *window.pipelineView();
  PipelineCanvas &canvas = view.canvas();

  explicit Product(const std::string &text = kProduct) : ViewSample(text, "cuda:80") {}
  void open() { openView(Qt::Key_I); }
  bool loopBegins(const char *words) {
    return waitFor([&] { return view.loopText().startsWith(QString::fromLatin1(words)); });
  }
  /// The first event in sight whose words begin so.
  int eventWith(const QString &words) {
    canvas.setFocus();
    for (const auto &item : canvas.picture().items()) {
      QTest::mouseMove(canvas.viewport(),
                       canvas.eventRect(static_cast<int>(item.event)).center().toPoint());
      if (view.infoText().startsWith(words))
        return static_cast<int>(item.event);
    }
    return -1;
  }
};
} // namespace

/// Two warps that execute the loop's operation twice each, and once another one of its line.
static profiler::TraceData traceOf(const compiler::LoopOperation &operation) {
  profiler::TraceData trace;
  profiler::TraceScope own;
  own.id = 1;
  own.operation = operation.operation;
  own.line = operation.range.begin.line;
  own.column = operation.range.begin.column;
  profiler::TraceScope other = own;
  other.id = 2;
  other.operation = "ttg.of_another_kind";
  trace.table.scopes = {own, other};
  profiler::TraceWarp warp;
  warp.spans = {{1, 0, 10}, {2, 10, 500}, {1, 600, 630}};
  warp.underWay = {{1, 10, 410}};
  trace.warps = {warp, warp};
  trace.warps[1].spans[0].end = 20;
  trace.warps[1].underWay[0].end = 610;
  trace.clockMhz = 1000;
  return trace;
}

TEST_CASE("operations of a loop have the times of a trace", "[gui][pipeline]") {
  const compiler::LoopFacts loop = sampleLoop();
  const compiler::LoopOperation &operation = loop.operations.front();
  const profiler::TraceData trace = traceOf(operation);
  const auto measured = views::measuredLoop(loop, trace);
  REQUIRE(measured.size() == loop.operations.size());
  REQUIRE(measured[0]);
  CHECK(measured[0]->executions == 4);
  CHECK(measured[0]->cycles == 30);
  CHECK(measured[0]->underWay == 600u);
  for (size_t i = 1; i < measured.size(); ++i)
    if (loop.operations[i].operation != operation.operation ||
        loop.operations[i].range.begin != operation.range.begin)
      CHECK_FALSE(measured[i]);
  CHECK(views::measuredWords(*measured[0], trace) ==
        u"Measured: 30 cycles (0.03 µs) until it is on its way, 600 cycles (0.60 µs) from there "
        u"until it has been waited for; medians of 4.");
  CHECK(views::measuredWords({7, 12}, profiler::TraceData()) ==
        u"Measured: 12 cycles, the median of 7.");
}

TEST_CASE("an expression is its product or its copy, not what prepares them", "[gui][pipeline]") {
  std::vector<compiler::LoopFacts> loops{sampleLoop(), sampleLoop()};
  for (compiler::LoopOperation &operation : loops[1].operations)
    operation.range.begin.line = operation.range.end.line += 20;
  loops[1].range.begin.line = loops[1].range.end.line += 20;
  compiler::LoopOperation conversion = loops[0].operations[2];
  conversion.action = LoopAction::Conversion;
  loops[0].operations.insert(loops[0].operations.begin() + 2, conversion);
  const auto at = [&](uint32_t line, int current) {
    const SourceRange place{{line, 10}, {line, 10}, 0};
    return views::chooseLoop(loops, {std::nullopt, place.begin, {place}}, current);
  };
  CHECK(at(10, -1) == views::LoopChoice{0, 3});
  CHECK(at(9, -1) == views::LoopChoice{0, 0});
  CHECK(at(30, -1) == views::LoopChoice{1, 2});
  // A line of the loop without an operation, and one outside.
  CHECK(at(8, -1).loop == 0);
  CHECK(at(2, 0) == views::LoopChoice{});
  CHECK(views::tellingLoop(loops) == 0);
  loops[0].obstacle = compiler::PipelineObstacle::NoProduct;
  CHECK(views::tellingLoop(loops) == 1);
  CHECK(views::tellingLoop({}) == -1);
}

TEST_CASE("the loop at the cursor is shown, with its copies ahead", "[gui][worker][pipeline]") {
  Product test;
  // Nothing is looked at while the view is out of sight.
  QTest::qWait(200);
  CHECK_FALSE(test.view.hasContent());
  test.goTo("tl.load(a_ptr");
  test.open();
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("pipeline"))->isInFront(); }));
  REQUIRE(test.loopBegins("line 10: 3 slots, 2 copies an iteration, 2 iterations ahead"));
  CHECK_FALSE(test.view.loopText().contains(u"not at the cursor"));
  CHECK(test.view.titleText() == u"2 loops, 1 pipelined");
  CHECK(test.view.reasonText().contains(
      u"While iteration k computes, copies for iterations k + 1 and k + 2 are under way."));
  CHECK(test.view.choices().count() == 2);
  CHECK(test.view.choices().currentText() == u"line 10");
  // The first one that the loop itself has started copies for.
  CHECK(test.view.iteration() == 2);
  // The copy of a that this iteration needs is marked, and said.
  REQUIRE(test.canvas.selected() >= 0);
  CHECK(test.view.infoText().startsWith(u"copy of a for iteration 2 into slot 2"));
  CHECK(test.view.infoText().contains(u"waited for in iteration 2"));
  // Another line of the same loop, and the other loop.
  test.goTo("tl.dot(");
  CHECK(test.waitFor([&] { return test.view.infoText().startsWith(u"product"); }));
  CHECK(test.view.loop() == 0);
  test.goTo("tl.load(c_ptr");
  REQUIRE(test.loopBegins("line 14: not pipelined"));
  CHECK(test.view.reasonText().startsWith(
      u"Not pipelined: only what a product of blocks uses is loaded ahead"));
}

TEST_CASE("iterations are scrubbed by keys and by the field", "[gui][worker][pipeline]") {
  Product test;
  test.goTo("tl.load(b_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  REQUIRE(test.waitFor([&] { return test.canvas.hasFocus(); }));
  CHECK(test.view.infoText().startsWith(u"copy of b for iteration 2 into slot 2"));
  QTest::keyClick(&test.canvas, Qt::Key_I);
  CHECK(test.view.iteration() == 3);
  CHECK(test.view.infoText().startsWith(u"copy of b for iteration 3 into slot 0"));
  CHECK(test.canvas.accessibleDescription() == test.view.infoText());
  QTest::keyClick(&test.canvas, Qt::Key_I, Qt::ShiftModifier);
  QTest::keyClick(&test.canvas, Qt::Key_I, Qt::ShiftModifier);
  CHECK(test.view.iteration() == 1);
  // Its copy is from before the loop.
  CHECK(test.view.infoText().contains(u"for iteration 1 into slot 1 · before the loop"));
  test.view.scrubber().field().setFocus();
  QTest::keyClick(&test.view.scrubber().field(), Qt::Key_Up);
  CHECK(test.view.iteration() == 2);
  for (int i = 0; i < 20; ++i)
    QTest::keyClick(&test.canvas, Qt::Key_I);
  CHECK(test.view.iteration() == 7);
}

TEST_CASE("keys and the pointer go from event to event, and to their lines",
          "[gui][worker][pipeline]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  REQUIRE(test.waitFor([&] { return test.canvas.hasFocus(); }));
  // The bar of the copy for iteration 2 lies in the row of slot 2 and ends behind its wait.
  const int copy = test.eventWith(QStringLiteral("copy of a for iteration 2 into slot 2"));
  REQUIRE(copy >= 0);
  CHECK(test.view.infoText().contains(u"read by shared load"));
  const int wait = test.eventWith(QStringLiteral("wait for copies: 1 group may stay under way"));
  REQUIRE(wait >= 0);
  CHECK(test.canvas.eventRect(copy).bottom() <= test.canvas.eventRect(wait).top() + 1);
  // A click goes to the line; the keyboard stays.
  QTest::mouseClick(test.canvas.viewport(), Qt::LeftButton, {},
                    test.canvas.eventRect(copy).center().toPoint());
  CHECK(test.waitFor(
      [&] { return test.fixture.editor().cursor().line == test.lineOf("tl.load(a_ptr"); }));
  CHECK(test.canvas.hasFocus());
  CHECK(test.canvas.selected() == copy);
  // Along the slot: the next copy into it is for iteration 5.
  QTest::keyClick(&test.canvas, Qt::Key_Right);
  CHECK(test.view.infoText().startsWith(u"copy of a for iteration 5 into slot 2"));
  // Down to the products, and to their line.
  for (int i = 0; i < 12 && !test.view.infoText().startsWith(u"product"); ++i)
    QTest::keyClick(&test.canvas, Qt::Key_Down);
  REQUIRE(test.view.infoText().startsWith(u"product"));
  QTest::keyClick(&test.canvas, Qt::Key_Return);
  CHECK(
      test.waitFor([&] { return test.fixture.editor().cursor().line == test.lineOf("tl.dot("); }));
  CHECK(test.canvas.hasFocus());
  CHECK(test.view.loop() == 0);
}

TEST_CASE("the picture follows an edit, and stays marked while the text does not compile",
          "[gui][worker][pipeline]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  test.window.action(QStringLiteral("focusEditor"))->trigger();
  test.fixture.editor().goTo(rangeOf(kProduct, "a, b, total").begin);
  test.fixture.type("undefined + ");
  CHECK(test.waitFor([&] { return test.view.isStale(); }));
  CHECK(test.view.hasContent());
  for (int i = 0; i < 12; ++i)
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Backspace);
  CHECK(test.waitFor([&] { return !test.view.isStale(); }));
  // One stage: nothing is ahead any more.
  test.fixture.editor().goTo(rangeOf(kProduct, "range(0, K, 32)").begin);
  test.fixture.type("tl.");
  test.fixture.editor().goTo(rangeOf(test.fixture.editor().utf8Text(), "K, 32").end);
  test.fixture.type(", num_stages=1");
  CHECK(test.waitFor([&] { return test.view.reasonText().contains(u"single stage"); }));
}

TEST_CASE("a picture of a loop is written as SVG and PNG", "[gui][worker][pipeline]") {
  Product test;
  CHECK_FALSE(test.view.exportSvg(test.exportPath()));
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  const QByteArray text = test.exported(test.view);
  CHECK(text.contains("a, slot 2"));
  CHECK(text.contains("products"));
}

TEST_CASE("the palette leads to the view, and a kernel without a loop says so",
          "[gui][worker][pipeline]") {
  Product test(kScale);
  test.openFromPalette(QStringLiteral("warp specialization"));
  CHECK(test.waitFor([&] { return test.window.dock(QStringLiteral("pipeline"))->isInFront(); }));
  CHECK(test.waitFor([&] {
    return test.hasLabel(test.view, "This kernel has no loop, so there is nothing to pipeline");
  }));
  // It is said once.
  CHECK(test.view.titleText().isEmpty());
  CHECK_FALSE(test.canvas.isVisible());
  CHECK(test.view.loop() == -1);
  CHECK_FALSE(test.view.canExport());
}

TEST_CASE("the bar that the keys are on goes along with the iteration, and Enter goes to its line",
          "[gui][worker][pipeline]") {
  Product test;
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  REQUIRE(test.waitFor([&] { return test.canvas.hasFocus(); }));
  for (int i = 0; i < 12 && !test.view.infoText().startsWith(u"product"); ++i)
    QTest::keyClick(&test.canvas, Qt::Key_Down);
  const int iteration = test.view.iteration();
  QTest::keyClick(&test.canvas, Qt::Key_I);
  CHECK(test.view.iteration() == iteration + 1);
  const QString said = test.view.infoText();
  CHECK(said.startsWith(u"product"));
  CHECK(said.contains(QStringLiteral("in iteration %1").arg(iteration + 1)));
  CHECK(test.canvas.highlighted() == test.canvas.selected());
  const int marked = test.canvas.selected();
  QTest::keyClick(&test.canvas, Qt::Key_Return);
  CHECK(test.canvas.selected() == marked);
  CHECK(test.view.infoText() == said);
  CHECK(
      test.waitFor([&] { return test.fixture.editor().cursor().line == test.lineOf("tl.dot("); }));
  // What the cursor in the editor has marked is what Enter is for.
  test.goTo("tl.load(b_ptr");
  REQUIRE(test.waitFor([&] { return test.view.infoText().startsWith(u"copy of b"); }));
  const int atCursor = test.canvas.selected();
  test.canvas.setFocus();
  QTest::keyClick(&test.canvas, Qt::Key_Return);
  CHECK(test.canvas.selected() == atCursor);
  CHECK(test.fixture.editor().cursor().line == test.lineOf("tl.load(b_ptr"));
}

TEST_CASE("on a small screen all rows of a pipelined product are in sight",
          "[gui][worker][pipeline]") {
  Product test;
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  test.goTo("tl.load(a_ptr");
  test.open();
  REQUIRE(test.loopBegins("line 10: 3 slots"));
  REQUIRE(test.view.height() < 300);
  // Slots of two buffers, what is done, and the iterations.
  REQUIRE(test.canvas.picture().rows().size() >= 10);
  CHECK(test.waitFor([&] { return test.canvas.verticalScrollBar()->maximum() == 0; }));
  for (const auto &item : test.canvas.picture().items())
    CHECK(test.canvas.viewport()->rect().contains(
        test.canvas.eventRect(static_cast<int>(item.event)).toAlignedRect()));
}

TEST_CASE("rows that do not fit are scrolled to one by one, and none is cut", "[gui][pipeline]") {
  auto loops = std::make_shared<std::vector<compiler::LoopFacts>>(1, sampleLoop());
  compiler::LoopFacts &facts = loops->front();
  // A copy into each of twenty slots.
  facts.buffers[0].slots = 20;
  for (int32_t slot = 2; slot < 20; ++slot) {
    compiler::LoopEvent copy = facts.events[0];
    copy.slot = slot;
    facts.events.push_back(copy);
  }
  PipelineCanvas canvas;
  canvas.resize(700, 150);
  canvas.setLoop(loops, 0, 0);
  canvas.show();
  REQUIRE(QTest::qWaitForWindowExposed(&canvas));
  QScrollBar &bar = *canvas.verticalScrollBar();
  REQUIRE(bar.maximum() > 0);
  const double row = canvas.picture().rowHeight();
  for (const int value : {0, 7, bar.maximum() / 2, bar.maximum()}) {
    bar.setValue(value);
    for (size_t i = 0; i < facts.events.size(); ++i) {
      const QRectF place = canvas.eventRect(static_cast<int>(i));
      INFO(value << ": " << place.top() << " to " << place.bottom() << ", rows of " << row);
      const bool isAbove = place.bottom() <= 5;
      const bool isBelow = place.top() >= 3 + bar.pageStep();
      const bool isWhole = place.top() >= 3 && place.bottom() <= 6 + bar.pageStep();
      CHECK((isAbove || isBelow || isWhole));
    }
  }
  // Where all fit, nothing is scrolled, whatever the height.
  for (int height = 340; height < 420; ++height) {
    canvas.resize(700, height);
    QCoreApplication::processEvents();
    INFO(height);
    CHECK(bar.maximum() == 0);
  }
  canvas.resize(700, 150);
  QCoreApplication::processEvents();
  // The last one, too.
  canvas.setFocus();
  QTest::keyClick(&canvas, Qt::Key_End, Qt::ControlModifier);
  QTest::keyClick(&canvas, Qt::Key_End, Qt::ControlModifier);
  CHECK(bar.value() == bar.maximum());
}
