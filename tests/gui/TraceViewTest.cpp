// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Trace view: its picture by keys and mouse, and in the window.
#include "views/trace/TraceView.h"

#include "app/ide/docks/ViewDock.h"
#include "app/ide/profile/ProfileController.h"
#include "tests/gui/ProfileFixture.h"
#include "views/common/PictureExport.h"
#include "views/profile/ProfileView.h"
#include "views/trace/TraceCanvas.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using profiler::TraceKind;
using profiler::TraceSpan;
using profiler::TraceWindow;
using views::TraceContent;
using views::TraceView;

/// Two warps of program 0 and one of program 7, at 1 GHz.
static profiler::TraceData sampleTrace() {
  profiler::TraceData trace;
  trace.table.scopes = {
      {1, TraceKind::Load, "tt.load", "k.py", 6, 8, 1, 1, std::nullopt},
      {2, TraceKind::Wait, "tt.load", "k.py", 6, 8, 1, 0, 0},
      {3, TraceKind::Store, "tt.store", "k.py", 9, 4, 0, 0, std::nullopt},
      {4, TraceKind::Exchange, "tt.reduce", "library.py", 40, 4, 0, 0, std::nullopt}};
  trace.table.programs = {0, 7};
  trace.table.warps = {0, 1};
  trace.table.records = 64;
  trace.clockMhz = 1000;
  trace.plainUs = 10;
  trace.tracedUs = 10.5;
  trace.slowdown = 0.05;
  trace.outputsEqual = true;
  profiler::TraceWarp first;
  first.multiprocessor = 3;
  first.cycles = 1000;
  first.spans = {{1, 0, 50}, {2, 300, 400}, {4, 500, 700}, {3, 900, 990}};
  first.underWay = {{1, 50, 400}};
  profiler::TraceWarp second = first;
  second.warp = 1;
  second.start = 100;
  profiler::TraceWarp other = first;
  other.program = 7;
  other.multiprocessor = 9;
  trace.warps = {first, second, other};
  return trace;
}

static views::TraceContentPointer sampleContent() {
  auto content = std::make_shared<TraceContent>();
  content->trace = sampleTrace();
  content->kernel = "k";
  content->sourcePath = "k.py";
  content->origin = QStringLiteral("GPU 0");
  return content;
}

namespace {
struct Shown {
  views::FocusState focus;
  TraceView view{&focus};
  views::TraceCanvas &canvas = view.canvas();

  Shown() {
    view.resize(1200, 500);
    view.setContent(sampleContent());
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
    canvas.setFocus();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&canvas, key, modifiers);
  }
  const TraceSpan &pointedAt() {
    REQUIRE(canvas.highlighted() >= 0);
    return canvas.picture().bars()[static_cast<size_t>(canvas.highlighted())].span;
  }
};
} // namespace

TEST_CASE("a trace says what it is of and what it cost", "[gui][trace]") {
  Shown test;
  CHECK(test.view.titleText() ==
        u"k · Program 0 on multiprocessor 3: 2 warps, 1100 cycles (1.10 µs) · GPU 0");
  CHECK(
      test.view.costText() ==
      u"5.0 % slower with clock reads (10.50 instead of 10.00 µs); outputs are equal bit for bit");
  CHECK(test.view.windowText() == u"all of the time is in sight");
  CHECK(test.canvas.picture().rows().size() == 4);
  // Another program, by its keys.
  QTest::keyClick(&test.view.programs(), Qt::Key_Down);
  CHECK(test.view.program() == 7);
  CHECK(test.view.titleText().startsWith(u"k · Program 7 on multiprocessor 9: 1 warp"));
  CHECK(test.canvas.picture().rows().size() == 2);
}

TEST_CASE("arrow keys go from bar to bar, and Enter to the line", "[gui][trace]") {
  Shown test;
  QSignalSpy shown(&test.view, &views::PictureView::placeShown);
  test.press(Qt::Key_Right);
  CHECK(test.pointedAt() == TraceSpan{1, 0, 50});
  CHECK(test.view.infoText() == u"tt.load in line 7: load, 50 cycles (0.05 µs), 0 cycles (0.00 µs) "
                                u"after the start of warp 0.");
  CHECK(test.focus.hovered().position == Position{6, 8});
  test.press(Qt::Key_Right);
  CHECK(test.pointedAt() == TraceSpan{2, 300, 400});
  test.press(Qt::Key_Down);
  CHECK(test.pointedAt() == TraceSpan{1, 50, 400});
  CHECK(test.view.infoText().contains(u"under way for 350 cycles"));
  test.press(Qt::Key_Return);
  REQUIRE(shown.size() == 1);
  CHECK(shown[0][0].value<SourceRange>().begin == Position{6, 8});
  // What stands in another file is no place of this one.
  test.press(Qt::Key_Up);
  test.press(Qt::Key_Right);
  CHECK(test.pointedAt() == TraceSpan{4, 500, 700});
  test.press(Qt::Key_Return);
  CHECK(shown.size() == 1);
  CHECK(test.focus.hovered().empty());
  test.press(Qt::Key_End);
  CHECK(test.pointedAt() == TraceSpan{3, 900, 990});
  test.press(Qt::Key_Escape);
  CHECK(test.canvas.highlighted() == -1);
}

TEST_CASE("a click shows the line, and pointing says what the bar is", "[gui][trace]") {
  Shown test;
  QSignalSpy shown(&test.view, &views::PictureView::placeShown);
  // The store of warp 1, behind the row of what is under way in warp 0.
  int bar = -1;
  for (size_t i = 0; i < test.canvas.picture().bars().size(); ++i)
    if (test.canvas.picture().bars()[i].row == 2 && test.canvas.picture().bars()[i].span.scope == 3)
      bar = static_cast<int>(i);
  const QPoint middle = test.canvas.barRect(bar).center().toPoint();
  QTest::mouseMove(test.canvas.viewport(), middle);
  CHECK(test.view.infoText() == u"tt.store in line 10: store, 90 cycles (0.09 µs), 900 cycles "
                                u"(0.90 µs) after the start of warp 1.");
  QTest::mouseClick(test.canvas.viewport(), Qt::LeftButton, {}, middle);
  REQUIRE(shown.size() == 1);
  CHECK(shown[0][0].value<SourceRange>().begin == Position{9, 4});
  CHECK(test.canvas.highlighted() == bar);
}

TEST_CASE("keys and the wheel go through the time", "[gui][trace]") {
  Shown test;
  test.press(Qt::Key_Right);
  test.press(Qt::Key_Right);
  const TraceSpan before = test.pointedAt();
  test.press(Qt::Key_X);
  CHECK(test.canvas.window().length() == 733);
  // The bar that the keys are on stays.
  CHECK(test.pointedAt() == before);
  CHECK(test.view.windowText().contains(u"in sight, from"));
  const TraceWindow closer = test.canvas.window();
  test.press(Qt::Key_D);
  CHECK(test.canvas.window().begin > closer.begin);
  CHECK(test.canvas.window().length() == closer.length());
  test.press(Qt::Key_A);
  CHECK(test.canvas.window() == closer);
  test.press(Qt::Key_X, Qt::ShiftModifier);
  CHECK(test.canvas.window() == test.canvas.whole());
  for (int i = 0; i < 40; ++i)
    test.press(Qt::Key_X);
  CHECK(test.canvas.window().length() == 32);
  test.press(Qt::Key_W);
  CHECK(test.canvas.window() == TraceWindow{0, 1100});
  // About the pointer, which stays on its cycle.
  const QPoint at = test.canvas.viewport()->rect().center();
  const auto cycleAt = [&] {
    return test.canvas.picture().cycleAt(
        at.x() - (test.canvas.barRect(0).x() - test.canvas.picture().bars()[0].x));
  };
  const uint64_t cycle = cycleAt();
  QWheelEvent wheel(at, test.canvas.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(test.canvas.viewport(), &wheel);
  CHECK(test.canvas.window().length() < 700);
  CHECK(std::abs(static_cast<double>(cycleAt()) - static_cast<double>(cycle)) <= 3);
  const TraceWindow zoomed = test.canvas.window();
  QWheelEvent along(at, test.canvas.viewport()->mapToGlobal(at), {}, {0, -120}, Qt::NoButton,
                    Qt::ShiftModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(test.canvas.viewport(), &along);
  CHECK(test.canvas.window().begin > zoomed.begin);
  // Buttons do the same.
  for (QToolButton *button : test.view.findChildren<QToolButton *>())
    if (button->text() == u"All")
      QTest::mouseClick(button, Qt::LeftButton);
  CHECK(test.canvas.window() == test.canvas.whole());
}

TEST_CASE("the line at the cursor has its bars marked", "[gui][trace]") {
  Shown test;
  const SourceRange place{{9, 4}, {9, 12}, 0};
  test.focus.setSelected({std::nullopt, place.begin, {place}}, nullptr);
  CHECK(test.canvas.markedLine() == 9);
  test.view.setStaleNote(QStringLiteral("old"));
  test.focus.setSelected({}, nullptr);
  CHECK(test.canvas.markedLine() == -1);
}

TEST_CASE("a trace is exported as it is drawn", "[gui][trace]") {
  Shown test;
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("trace.svg"));
  REQUIRE(test.view.exportSvg(path));
  const auto svg = profiler::readTextFile(path.toStdString());
  REQUIRE(svg);
  CHECK(svg->find("warp 1") != std::string::npos);
  CHECK(svg->find("5.0 % slower with clock reads") != std::string::npos);
  REQUIRE(test.view.exportPng(folder.filePath(QStringLiteral("trace.png"))));
}

namespace {
struct TraceWindowTest : MeasuredWindow {
  TraceView &trace = *window.traceView();

  LaunchRun traced() {
    LaunchRun run = measured();
    run.measurement->trace = sampleTrace();
    for (profiler::TraceScope &scope : run.measurement->trace->table.scopes)
      if (scope.file == "k.py")
        scope.file = window.currentPage()->path().toStdString();
    return run;
  }
};
} // namespace

TEST_CASE("the window records a trace, shows it, and goes to its lines", "[gui][trace]") {
  TraceWindowTest test;
  test.open();
  test.findGpu();
  test.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.trace.isVisible());
  CHECK_FALSE(test.trace.hasContent());
  QPushButton *record = nullptr;
  for (QPushButton *button : test.trace.findChildren<QPushButton *>())
    if (button->text() == u"Record a trace on a GPU")
      record = button;
  REQUIRE(record);
  QTest::mouseClick(record, Qt::LeftButton);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests.front().profile.trace);
  CHECK(test.window.action(QStringLiteral("profileTrace"))->isChecked());
  test.runs.finish(test.traced());
  REQUIRE(test.trace.hasContent());
  CHECK(test.trace.titleText().startsWith(u"vector_add · Program 0"));
  test.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClick(&test.trace.canvas(), Qt::Key_Right);
  QTest::keyClick(&test.trace.canvas(), Qt::Key_Return);
  CHECK(test.fixture.editor().cursor().line == 6);
  // It is of an earlier text after an edit.
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("# ");
  CHECK(QTest::qWaitFor([&] { return test.trace.isStale(); }));
  QTest::keyClick(test.window.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return !test.trace.isStale(); }));
}

TEST_CASE("without a GPU, the Trace view itself says so", "[gui][trace]") {
  TraceWindowTest test;
  test.open();
  test.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(test.trace.isVisible());
  const auto buttons = test.trace.findChildren<QPushButton *>();
  const auto record = std::ranges::find_if(
      buttons, [](QPushButton *each) { return each->text() == u"Record a trace on a GPU"; });
  REQUIRE(record != buttons.end());
  (*record)->setFocus();
  QTest::keyClick(*record, Qt::Key_Space);
  CHECK(test.runs.requests.empty());
  CHECK(test.trace.isVisible());
  CHECK_FALSE(test.window.action(QStringLiteral("profileTrace"))->isChecked());
  QStringList said;
  for (const QLabel *label : test.trace.findChildren<QLabel *>())
    if (label->isVisible())
      said << label->text();
  CHECK(said.join(u' ').contains(u"There is no GPU to record a trace on."));
}

TEST_CASE("a refused trace says why", "[gui][trace]") {
  TraceWindowTest test;
  test.open();
  test.findGpu();
  test.press(Qt::Key_F5, Qt::AltModifier);
  LaunchRun run = test.traced();
  run.measurement->trace.reset();
  run.measurement->refusals = {{profiler::ProfileRung::Trace, profiler::RefusalKind::Distorted,
                                "the kernel is 20 % slower", "trace less"}};
  test.runs.finish(run);
  CHECK_FALSE(test.trace.hasContent());
  QString all;
  for (const QLabel *label : test.trace.findChildren<QLabel *>())
    all += label->text();
  CHECK(all.contains(u"The kernel was not traced: the kernel is 20 % slower. Cure: trace less."));
}
