// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Programs view by itself, over traces made by hand.
#include "tests/support/TouchTraces.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/programs/ProgramsView.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QWheelEvent>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;
using compiler::access::TouchedArrays;
using compiler::access::wholeWindow;
using Scrub = ArrayCanvas::Scrub;

namespace {
struct Shown {
  FocusState focus;
  ProgramsView view{&focus};
  ArrayCanvas &canvas = view.canvas();

  explicit Shown(compiler::TouchTrace trace = productTrace({4, 64, 2}), bool isGrid = true) {
    view.resize(1000, 600);
    view.show();
    auto arrays = std::make_shared<const TouchedArrays>(std::move(trace));
    view.setPart(arrays);
    if (isGrid)
      view.setGrid(arrays);
    canvas.setFocus();
    QCoreApplication::processEvents();
  }
  bool waitForOverlay() {
    return QTest::qWaitFor([&] { return view.content().overlay != nullptr; }, 10000);
  }
};
} // namespace

TEST_CASE("arrow keys move over the elements, and zoom shows a part", "[gui][programs]") {
  Shown test;
  QTest::keyClick(&test.canvas, Qt::Key_Right);
  CHECK(test.view.infoText().startsWith(u"a_ptr[0, 0]"));
  QTest::keyClick(&test.canvas, Qt::Key_End);
  CHECK(test.view.infoText().startsWith(u"a_ptr[0, 255]"));
  CHECK(test.view.infoText().contains(u"read by this program in iteration 7"));
  QTest::keyClick(&test.canvas, Qt::Key_Plus);
  CHECK(test.canvas.window(0).columns < 200);
  CHECK(test.canvas.window(0).column + test.canvas.window(0).columns > 255.5);
  CHECK(test.canvas.window(1) == wholeWindow(test.view.content().arrays->shape(1)));
  // What is out of sight is brought into it.
  QTest::keyClick(&test.canvas, Qt::Key_End, Qt::ControlModifier);
  CHECK(test.canvas.window(0).row + test.canvas.window(0).rows == 256);
  QTest::keyClick(&test.canvas, Qt::Key_0);
  CHECK(test.canvas.window(0) == wholeWindow(test.view.content().arrays->shape(0)));
  QTest::keyClick(&test.canvas, Qt::Key_E);
  CHECK(test.canvas.enlarged() == 0u);
  CHECK(test.canvas.rectOf({1, {}}).isEmpty());
  QTest::keyClick(&test.canvas, Qt::Key_A);
  CHECK(test.canvas.enlarged() == 1u);
  QTest::keyClick(&test.canvas, Qt::Key_Escape);
  CHECK_FALSE(test.canvas.enlarged());
}

TEST_CASE("the wheel zooms about the pointer, and a drag moves what is in sight",
          "[gui][programs]") {
  Shown test;
  const QPointF at = test.canvas.rectOf({0, {0, 128, 128}}).center();
  QWheelEvent turn(at, test.canvas.mapToGlobal(at), {}, {0, 480}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&test.canvas, &turn);
  const auto zoomed = test.canvas.window(0);
  CHECK(zoomed.columns < 200);
  CHECK(test.canvas.rectOf({0, {0, 128, 128}}).adjusted(-3, -3, 3, 3).contains(at));
  QTest::mousePress(&test.canvas, Qt::LeftButton, {}, at.toPoint());
  QTest::mouseMove(&test.canvas, at.toPoint() + QPoint(30, 0));
  QMouseEvent moved(QEvent::MouseMove, at + QPointF(40, 20), test.canvas.mapToGlobal(at),
                    Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&test.canvas, &moved);
  CHECK(test.canvas.window(0).column < zoomed.column);
  CHECK(test.canvas.window(0).row < zoomed.row);
  QSignalSpy chosen(&test.canvas, &ArrayCanvas::placeChosen);
  QTest::mouseRelease(&test.canvas, Qt::LeftButton, {}, at.toPoint() + QPoint(40, 20));
  CHECK(chosen.isEmpty());
}

TEST_CASE("Space plays iterations, then programs, and waves", "[gui][programs]") {
  Shown test;
  QTest::keyClick(&test.canvas, Qt::Key_T);
  for (int i = 0; i < 5; ++i)
    QTest::keyClick(&test.canvas, Qt::Key_T);
  CHECK(test.view.content().step == 6);
  QTest::keyClick(&test.canvas, Qt::Key_Space);
  CHECK(test.view.isPlaying());
  CHECK(QTest::qWaitFor([&] { return test.view.content().step == 7; }, 5000));
  CHECK(QTest::qWaitFor(
      [&] { return test.view.content().program == 1 && test.view.content().step == 0; }, 5000));
  QTest::keyClick(&test.canvas, Qt::Key_Space);
  CHECK_FALSE(test.view.isPlaying());
  test.view.multiprocessors().setValue(4);
  test.view.setOverlay(ProgramsView::Overlay::Wave);
  QTest::keyClick(&test.canvas, Qt::Key_Space);
  CHECK(QTest::qWaitFor([&] { return test.view.content().program == 8; }, 5000));
  test.view.hide();
  CHECK_FALSE(test.view.isPlaying());
}

TEST_CASE("reads and writes, and the iteration, differ without color", "[gui][programs]") {
  Shown test;
  const auto grayAt = [&](size_t array, const QImage &image) {
    QList<int> grays;
    const QRect tile = test.canvas.rectOf({array, {0, 8, 8}})
                           .united(test.canvas.rectOf({array, {0, 24, 24}}))
                           .toRect();
    for (int x = tile.left(); x < tile.right(); ++x)
      grays << qGray(image.pixel(x, tile.center().y()));
    return grays;
  };
  const auto hasPattern = [](const QList<int> &grays) {
    return *std::ranges::max_element(grays) - *std::ranges::min_element(grays) > 20;
  };
  QImage image = test.canvas.grab().toImage();
  CHECK(hasPattern(grayAt(0, image)));
  CHECK_FALSE(hasPattern(grayAt(2, image)));
  QTest::keyClick(&test.canvas, Qt::Key_T);
  image = test.canvas.grab().toImage();
  CHECK_FALSE(hasPattern(grayAt(0, image)));
}

TEST_CASE("a tile of less than a pixel is seen", "[gui][programs]") {
  // 64 x 64 of 65,536 x 65,536 elements.
  compiler::TouchTrace trace;
  constexpr int64_t kRows = 65536;
  trace.grid = {1, 1, 1};
  trace.programs = {0, 1, 1};
  trace.arguments = {{"a_ptr", int64_t{1} << 44, {kRows, kRows}, 4}};
  trace.accesses = {{{{10, 8}, {10, 20}}, "tt.store", false, true, false, 4}};
  const int64_t middle = kRows / 2 * (kRows + 1) * 4;
  trace.runs = {{0, 0, 0, 1, (int64_t{1} << 44) + middle, 0, {{64, kRows * 4}, {64, 4}}}};
  Shown test(trace);
  const QImage image = test.canvas.grab().toImage();
  const QRect array = test.canvas.rectOf({0, {0, 0, 0}})
                          .united(test.canvas.rectOf({0, {0, kRows - 1, kRows - 1}}))
                          .toRect();
  const QRgb untouched = image.pixel(array.topLeft() + QPoint(10, 10));
  QRect marked;
  for (int y = array.top() + 4; y < array.bottom() - 4; ++y)
    for (int x = array.left() + 4; x < array.right() - 4; ++x)
      if (image.pixel(x, y) != untouched)
        marked |= QRect(x, y, 1, 1);
  CHECK(marked.width() >= 5);
  CHECK(marked.height() >= 5);
  CHECK(marked.width() <= 8);
  CHECK(marked.adjusted(-1, -1, 1, 1).contains(array.center()));
}

TEST_CASE("programs that are not there are asked for, and shown when they come",
          "[gui][programs]") {
  compiler::TouchTrace trace = productTrace({4, 64, 2});
  const auto only = [&](uint32_t first, uint32_t count) {
    compiler::TouchTrace part = trace;
    part.programs = {first, count, 1};
    std::erase_if(part.runs, [&](const compiler::TouchRun &run) {
      return run.program < first || run.program >= first + count;
    });
    return part;
  };
  Shown test(only(0, 1), false);
  QSignalSpy wished(&test.view, &ProgramsView::wishChanged);
  QTest::keyClick(&test.canvas, Qt::Key_P);
  REQUIRE(wished.count() == 1);
  CHECK(wished.front().front().value<compiler::ProgramSample>() ==
        compiler::ProgramSample{1, 1, 1});
  // The old one stays until the new one is there.
  CHECK(test.view.content().program == 0);
  test.view.setPart(std::make_shared<const TouchedArrays>(only(1, 1)));
  CHECK(test.view.content().program == 1);
  test.view.multiprocessors().setValue(4);
  test.view.setOverlay(ProgramsView::Overlay::Wave);
  CHECK(wished.back().front().value<compiler::ProgramSample>() == compiler::ProgramSample{0, 4, 1});
  test.view.setPart(std::make_shared<const TouchedArrays>(only(0, 4)));
  REQUIRE(test.waitForOverlay());
  CHECK(test.view.content().overlay->wave->programs.count() == 4);
  CHECK_FALSE(test.view.content().overlay->waves);
}

TEST_CASE("a sample of the programs is called one", "[gui][programs]") {
  compiler::TouchTrace trace = productTrace({4, 64, 2});
  trace.programs = {0, 4, 4};
  std::erase_if(trace.runs, [](const compiler::TouchRun &run) { return run.program % 4 != 0; });
  Shown test(std::move(trace));
  test.view.setOverlay(ProgramsView::Overlay::Programs);
  REQUIRE(test.waitForOverlay());
  CHECK(test.view.orderText().startsWith(u"Counted of every 4th program: the grid has 16."));
  test.view.setGrid(nullptr, QStringLiteral("The other programs are not counted: too long."));
  CHECK(test.view.orderText() == u"The other programs are not counted: too long.");
}

TEST_CASE("what is read between two uses is found for a cache of any size", "[gui][programs]") {
  Shown test(productTrace({16, 64, 4}));
  test.view.multiprocessors().setValue(16);
  test.view.setOverlay(ProgramsView::Overlay::Reuse);
  REQUIRE(test.waitForOverlay());
  CHECK(test.view.orderText().startsWith(u"A cache of 50 MiB fetches 4 MiB of the 16 MiB"));
  test.view.cacheField().setValue(2);
  CHECK(QTest::qWaitFor(
      [&] {
        return test.view.orderText().startsWith(u"A cache of 2 MiB fetches 10 MiB of the 16 MiB");
      },
      10000));
  test.canvas.setCurrent(1);
  QTest::keyClick(&test.canvas, Qt::Key_Right);
  CHECK(test.view.infoText().contains(u"at most 2.5 MiB read between two waves that read it"));
}

TEST_CASE("slices of an array follow the program, and the field", "[gui][programs]") {
  compiler::TouchTrace trace;
  trace.grid = {2, 3, 1};
  trace.programs = {0, 6, 1};
  trace.arguments = {{"x", int64_t{1} << 44, {2, 3, 8, 8}, 4}};
  trace.accesses = {{{}, "tt.load", true, false, false, 4}};
  for (uint32_t program = 0; program < 6; ++program)
    trace.runs.push_back(
        {program, 0, 0, 1, trace.arguments[0].address + program * 256, 0, {{64, 4}}});
  Shown test(std::move(trace));
  QTest::keyClick(&test.canvas, Qt::Key_Y);
  CHECK(test.view.content().program == 2);
  CHECK(test.view.content().slices == std::vector<int64_t>{2});
  CHECK(test.view.scrubber(Scrub::Slice).count() == 6);
  QTest::keyClick(&test.canvas, Qt::Key_S);
  CHECK(test.view.content().slices == std::vector<int64_t>{3});
  QTest::keyClick(&test.canvas, Qt::Key_Right);
  CHECK(test.view.infoText().startsWith(u"x[1, 0, 0, 0] · not touched"));
}

TEST_CASE("what a mask turns off is hatched beside the array, and what is past the end is red",
          "[gui][programs]") {
  constexpr int64_t kArea = int64_t{1} << 44;
  // Two blocks of 64 of a vector of 100, that is drawn in rows of 16.
  compiler::TouchTrace trace;
  trace.grid = {2, 1, 1};
  trace.programs = {0, 2, 1};
  trace.arguments = {{"x", kArea, {100}, 4}};
  trace.accesses = {{{}, "tt.load", true, false, false, 4}};
  trace.runs = {{0, 0, 0, 1, kArea, 0, {{64, 4}}}, {1, 0, 0, 1, kArea + 256, 0, {{36, 4}}}};
  trace.blocks = {{1, 0, 0, 1, kArea + 256, 0, {{64, 4}}}};
  // How much of a row's place, also behind the last one, has a color like this one.
  const auto share = [](Shown &test, int row, QColor color) {
    const QRectF first = test.canvas.rectOf({0, {0, 0, 0}});
    const QRectF end = test.canvas.rectOf({0, {0, 0, 15}});
    const QRect place(QPointF(first.left() + 2, first.top() + row * first.height() + 2).toPoint(),
                      QSizeF(end.right() - first.left() - 4, first.height() - 4).toSize());
    const QImage image = test.canvas.grab().toImage();
    int alike = 0;
    for (int y = place.top(); y <= place.bottom(); ++y)
      for (int x = place.left(); x <= place.right(); ++x) {
        const QColor at = image.pixelColor(x, y);
        alike += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green()) +
                     std::abs(at.blue() - color.blue()) <
                 60;
      }
    return static_cast<double>(alike) / (place.width() * place.height());
  };
  {
    Shown test(trace);
    CHECK(test.canvas.captions().endsWith(u"reads elements 0 to 63"));
    CHECK(share(test, 7, theme()[ColorRole::TextMuted]) < 0.01);
    QTest::keyClick(&test.canvas, Qt::Key_P);
    CHECK(test.canvas.captions().endsWith(u"reads elements 64 to 99; 28 masked"));
    const double hatched = share(test, 7, theme()[ColorRole::TextMuted]);
    CHECK(hatched > 0.15);
    CHECK(hatched < 0.6);
    // Of an enlarged part that ends before it there is nothing to see.
    QTest::keyClick(&test.canvas, Qt::Key_Plus);
    CHECK(test.canvas.window(0).row + test.canvas.window(0).rows < 7);
  }
  trace.runs.back().dims = {{64, 4}};
  trace.blocks.clear();
  Shown test(trace);
  CHECK(share(test, 7, theme()[ColorRole::Error]) < 0.01);
  QTest::keyClick(&test.canvas, Qt::Key_P);
  CHECK(test.canvas.captions().endsWith(u"reads elements 64 to 99; 28 past its end"));
  CHECK(share(test, 7, theme()[ColorRole::Error]) > 0.9);
}
