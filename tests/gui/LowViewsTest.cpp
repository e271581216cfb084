// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pictures in a window of a small screen, over the real compiler: opened by keys.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/Patience.h"
#include "tests/gui/ViewSample.h"
#include "tests/support/Sanitized.h"
#include "views/access/AccessView.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Scrubber.h"
#include "views/common/TurningSplitter.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/pipeline/PipelineCanvas.h"
#include "views/pipeline/PipelineView.h"
#include "views/programs/ProgramsView.h"
#include "views/registers/LiveStrip.h"
#include "views/registers/RegistersView.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/SharedView.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const std::string kTransposedTile = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = [4, 4]
# [args]
# in_ptr  = { dtype = "fp32", shape = [256, 256], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [256, 256] }
# [constexprs]
# N = "64"
# ///


@triton.jit
def transpose(in_ptr, out_ptr, N: tl.constexpr):
    i = (tl.program_id(0) * N + tl.arange(0, N))[:, None]
    j = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    values = tl.load(in_ptr + i * 256 + j)
    tl.store(out_ptr + j * 256 + i, values)
)";

namespace {
struct SmallScreen : ViewSample {
  SmallScreen() : ViewSample(kTransposedTile, nullptr, "transpose.py") {
    window.resize(1366, 768);
    window.action(QStringLiteral("defaultLayout"))->trigger();
    fixture.editor().goTo(rangeOf(kTransposedTile, "tl.store").begin);
  }
  /// By its key, until it has something to show.
  void open(views::PictureView &view, Qt::Key key) {
    QTest::keyClick(window.editor(), key, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(QTest::qWaitFor([&] { return view.hasContent() && view.isVisible(); }, kPatienceMs));
    QTest::qWait(100 * kSlowdown);
  }
};
} // namespace

TEST_CASE("on a small screen a picture has at least half of its view's height",
          "[gui][worker][low]") {
  SmallScreen test;
  const auto check = [&](views::PictureView &view, Qt::Key key, const QWidget &picture) {
    test.open(view, key);
    INFO(static_cast<char>(key) << ": " << picture.height() << " of " << view.height());
    REQUIRE(view.height() < 300);
    CHECK(picture.height() * 2 >= view.height());
    // All of it is in sight, without scrolling.
    const QRect place(picture.mapTo(&view, QPoint(0, 0)), picture.size());
    CHECK(view.rect().contains(place));
  };
  check(*test.window.accessView(), Qt::Key_A, test.window.accessView()->canvas());
  const auto canvases = test.window.conversionView()->findChildren<views::DiagramCanvas *>();
  REQUIRE(canvases.size() == 2);
  check(*test.window.conversionView(), Qt::Key_C, *canvases.front());
  check(*test.window.sharedView(), Qt::Key_M, test.window.sharedView()->map());
  check(*test.window.pipelineView(), Qt::Key_I, test.window.pipelineView()->canvas());
  check(*test.window.programsView(), Qt::Key_G, test.window.programsView()->canvas());
  check(*test.window.registersView(), Qt::Key_Y, test.window.registersView()->strip());
}

TEST_CASE("a low view has its words in one line, with an ellipsis and whole in the tool tip",
          "[gui][worker][low]") {
  SmallScreen test;
  views::ConversionView &view = *test.window.conversionView();
  test.open(view, Qt::Key_C);
  const auto labelOf = [&](const QString &text) -> views::ElidedLabel * {
    for (auto *label : view.findChildren<views::ElidedLabel *>())
      if (!text.isEmpty() && label->text() == text)
        return label;
    return nullptr;
  };
  const auto *reason = labelOf(view.reasonText());
  const auto *cost = labelOf(view.costText());
  REQUIRE(reason);
  REQUIRE(cost);
  CHECK(reason->isVisible());
  CHECK(reason->y() == cost->y());
  CHECK(reason->shownText(reason->width()).endsWith(u'…'));
  CHECK(reason->toolTip() == view.reasonText());
  // With more room it has the lines that it needs.
  test.window.resize(1600, 1400);
  CHECK(QTest::qWaitFor([&] { return reason->y() > cost->y(); }));
  CHECK(reason->wordWrap());
}

TEST_CASE("numbers of a low view have fields alone, and the row at the cursor stays in sight",
          "[gui][worker][low]") {
  SmallScreen test;
  views::AccessView &view = *test.window.accessView();
  test.open(view, Qt::Key_A);
  const views::Scrubber &warp = view.scrubber(views::RequestCanvas::Scrub::Warp);
  REQUIRE(QTest::qWaitFor([&] { return warp.isVisible(); }));
  CHECK_FALSE(warp.findChild<QSlider *>()->isVisible());
  for (const auto *scrubber : view.findChildren<views::Scrubber *>())
    if (scrubber->isVisible())
      CHECK(scrubber->y() == warp.y());
  const QTableView &list = view.list();
  REQUIRE(list.currentIndex().isValid());
  REQUIRE(list.model()->rowCount() == 4);
  QTest::keyClick(&view.list(), Qt::Key_End, Qt::ControlModifier);
  CHECK(list.currentIndex().row() == 3);
  // The view becomes lower.
  test.window.resize(1366, 700);
  CHECK(QTest::qWaitFor([&] {
    return list.viewport()->rect().contains(list.visualRect(list.currentIndex()).center());
  }));
}

/// Fields, words, pictures and lists that reach beyond the edge of a view, and so are cut.
static QStringList cutParts(const QWidget &view) {
  QStringList cut;
  for (const auto *part : view.findChildren<QWidget *>()) {
    const bool isContent =
        qobject_cast<const QLabel *>(part) || qobject_cast<const QComboBox *>(part) ||
        qobject_cast<const QAbstractScrollArea *>(part) ||
        qobject_cast<const QAbstractButton *>(part) || qobject_cast<const QSpinBox *>(part) ||
        qobject_cast<const views::DiagramCanvas *>(part);
    if (!isContent || !part->isVisible() || part->width() == 0)
      continue;
    const int right = part->mapTo(&view, QPoint(part->width(), 0)).x();
    if (right > view.width())
      cut << QStringLiteral("%1 “%2” ends at %3 of %4")
                 .arg(QString::fromLatin1(part->metaObject()->className()), part->accessibleName())
                 .arg(right)
                 .arg(view.width());
  }
  return cut;
}

TEST_CASE("in the arrangement for lessons nothing of a view is cut at its side",
          "[gui][worker][low]") {
  SmallScreen test;
  for (const QSize size : {QSize(1366, 768), QSize(1280, 720)}) {
    test.window.resize(size);
    test.window.action(QStringLiteral("workspace.learn"))->trigger();
    QTest::qWait(300);
    const auto check = [&](views::PictureView &view, Qt::Key key) {
      test.open(view, key);
      REQUIRE(view.width() < 480);
      INFO(static_cast<char>(key) << ": " << cutParts(view).join(u'\n').toStdString());
      CHECK(cutParts(view).isEmpty());
    };
    check(*test.window.accessView(), Qt::Key_A);
    check(*test.window.conversionView(), Qt::Key_C);
    check(*test.window.sharedView(), Qt::Key_M);
    check(*test.window.pipelineView(), Qt::Key_I);
    check(*test.window.programsView(), Qt::Key_G);
    check(*test.window.registersView(), Qt::Key_Y);
    QTest::keyClick(test.window.editor(), Qt::Key_7, Qt::ControlModifier);
    REQUIRE(test.waitFor([&] { return test.window.layoutDiagram()->isVisible(); }));
    CHECK(cutParts(*test.window.layoutDiagram()).isEmpty());
  }
}

TEST_CASE(
    "a picture and its list lie above one another in a narrow view, side by side in a wide one",
    "[gui][worker][low]") {
  SmallScreen test;
  views::AccessView &view = *test.window.accessView();
  test.open(view, Qt::Key_A);
  const auto *splitter = view.findChild<views::TurningSplitter *>();
  REQUIRE(splitter);
  CHECK_FALSE(splitter->isTurned());
  test.window.action(QStringLiteral("workspace.learn"))->trigger();
  QTest::qWait(300);
  test.open(view, Qt::Key_A);
  CHECK(test.waitFor([&] { return splitter->isTurned(); }));
  CHECK(view.list().mapTo(&view, QPoint()).y() >=
        view.canvas().mapTo(&view, QPoint(0, view.canvas().height())).y());
  // Numbers have no sliders, so that several fit into a row.
  const views::Scrubber &warp = view.scrubber(views::RequestCanvas::Scrub::Warp);
  CHECK_FALSE(warp.findChild<QSlider *>()->isVisible());
}

static const std::string kBatches = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "double"
# grid = [16, 64]
# [args]
# in_ptr  = { dtype = "fp32", shape = [64, 256, 64], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [64, 256, 64] }
# [constexprs]
# N = "16"
# ///


@triton.jit
def double(in_ptr, out_ptr, N: tl.constexpr):
    rows = (tl.program_id(0) * N + tl.arange(0, N))[:, None]
    for start in range(0, 64, N):
        at = tl.program_id(1) * 16384 + rows * 64 + (start + tl.arange(0, N))[None, :]
        tl.store(out_ptr + at, tl.load(in_ptr + at) * 2)
)";

TEST_CASE("all fields of a low Programs view share a row", "[gui][worker][low]") {
  ViewSample test(kBatches, nullptr, "batches.py");
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  test.fixture.editor().goTo(rangeOf(kBatches, "tl.store").begin);
  views::ProgramsView &view = *test.window.programsView();
  QTest::keyClick(test.window.editor(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(QTest::qWaitFor([&] { return view.hasContent() && view.isVisible(); }, kPatienceMs));
  const auto fields = [&] {
    std::vector<const QWidget *> shown;
    for (const auto *each : view.findChildren<QWidget *>())
      if (each->isVisible() &&
          (qobject_cast<const views::Scrubber *>(each) || qobject_cast<const QComboBox *>(each)))
        shown.push_back(each);
    for (const auto *each : view.findChildren<QAbstractButton *>())
      if (each->isVisible() && each->text() == u"Play")
        shown.push_back(each);
    return shown;
  };
  // Which program (x and y), which iteration and slice, what is drawn, and the button that plays.
  REQUIRE(QTest::qWaitFor([&] { return fields().size() == 6; }));
  const auto isInRow = [&] {
    return std::ranges::all_of(fields(), [&](const QWidget *field) {
      return field->geometry().top() < fields().front()->geometry().bottom();
    });
  };
  CHECK(QTest::qWaitFor(isInRow));
}

static const std::string kVectors = R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "add"
# grid = [97]
# [args]
# x_ptr   = { dtype = "fp32", shape = [99304], init = "randn" }
# y_ptr   = { dtype = "fp32", shape = [99304], init = "randn" }
# out_ptr = { dtype = "fp32", shape = [99304] }
# n = 99304
# ///


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n):
    offsets = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
)";

TEST_CASE("vectors use the width of a low Programs view, with their words above them",
          "[gui][worker][low]") {
  ViewSample test(kVectors, nullptr, "add.py");
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  test.fixture.editor().goTo(rangeOf(kVectors, "tl.store").begin);
  views::ProgramsView &view = *test.window.programsView();
  QTest::keyClick(test.window.editor(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(QTest::qWaitFor([&] { return view.hasContent() && view.isVisible(); }, kPatienceMs));
  QTest::qWait(100 * kSlowdown);
  views::ArrayCanvas &canvas = view.canvas();
  // To the last program, part of which is masked, by keys.
  for (int i = 0; i < 96; ++i)
    QTest::keyClick(&canvas, Qt::Key_P);
  const auto &arrays = *view.content().arrays;
  REQUIRE(arrays.numArrays() == 3);
  for (size_t array = 0; array < 3; ++array) {
    const auto &shape = arrays.shape(array);
    const QRectF rect = canvas.rectOf({array, {0, 0, 0}})
                            .united(canvas.rectOf({array, {0, shape.rows - 1, 0}}))
                            .united(canvas.rectOf({array, {0, 0, shape.columns - 1}}));
    INFO(array << ": " << rect.width() << " x " << rect.height() << " of " << canvas.width()
               << " x " << canvas.height());
    CHECK(rect.width() >= canvas.width() / 4.0);
    CHECK(rect.bottom() <= canvas.height());
  }
}
