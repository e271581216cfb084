// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Ctrl and the wheel: larger and smaller text everywhere, at the pace of the wheel.
#include "app/ide/window/ZoomWheel.h"
#include "tests/gui/FakeWindow.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QMenuBar>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

namespace {
struct ZoomFixture : FakeWindow {
  ZoomFixture() { openAndWait(write("kernel.py", sampleSource())); }
  ~ZoomFixture() { views::setFontZoom(0); }
  bool reaches(int zoom) {
    return QTest::qWaitFor([&] { return views::fontZoom() == zoom; }, 5000);
  }
};
} // namespace

static void turnWheel(QWidget &widget, int delta) {
  const QPointF at = QRectF(widget.rect()).center();
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::ControlModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

TEST_CASE("Ctrl and the wheel zoom everywhere", "[gui][window]") {
  ZoomFixture test;
  int zoom = 0;
  const std::pair<const char *, QWidget *> places[] = {
      {"editor", test.window->editor()->viewport()},
      {"column", test.window->stageColumn(StageId::Ttir)->codeView().viewport()},
      {"problems", test.window->problems()},
      {"passes", test.window->passes()->findChild<QTableView *>()->viewport()},
      {"menu bar", test.window->menuBar()}};
  for (const auto &[name, widget] : places) {
    INFO(name);
    turnWheel(*widget, 120);
    CHECK(test.reaches(++zoom));
  }
  // A touchpad turns it by parts.
  turnWheel(*test.window->editor()->viewport(), -60);
  QTest::qWait(50);
  CHECK(views::fontZoom() == zoom);
  turnWheel(*test.window->editor()->viewport(), -60);
  CHECK(test.reaches(zoom - 1));
}

TEST_CASE("Ctrl and the wheel over a diagram zoom the diagram alone", "[gui][window]") {
  ZoomFixture test;
  views::DiagramCanvas &canvas = test.window->layoutDiagram()->tensorCanvas();
  const double scale = canvas.scale();
  turnWheel(canvas, 120);
  CHECK(canvas.scale() > scale);
  QTest::qWait(50);
  CHECK(views::fontZoom() == 0);
}

TEST_CASE("notches that pile up are one zoom", "[gui][window]") {
  ZoomFixture test;
  QSignalSpy zoomed(test.window->findChild<ZoomWheel *>(), &ZoomWheel::zoomRequested);
  for (int notch = 0; notch < 5; ++notch)
    turnWheel(*test.window->editor()->viewport(), 120);
  CHECK(test.reaches(5));
  CHECK(zoomed.count() == 1);
}
