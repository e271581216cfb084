// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Ctrl and the wheel: larger and smaller text everywhere, at the pace of the wheel.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/ZoomWheel.h"
#include "tests/gui/FakeWindow.h"
#include "tests/support/ThreadTime.h"
#include "views/common/Theme.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/HoverCard.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenuBar>
#include <QRadioButton>
#include <QSpinBox>
#include <QStyleOptionButton>
#include <QStyleOptionComplex>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

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

TEST_CASE("what is shown beside the text goes when the text is zoomed", "[gui][window]") {
  ZoomFixture test;
  views::KernelEditor &editor = *test.window->editor();
  const auto zoomers = std::to_array<std::function<void()>>(
      {[&] { test.press(Qt::Key_Plus); }, [&] { test.press(Qt::Key_Minus); },
       [&] { turnWheel(*editor.viewport(), 120); }, [&] { test.press(Qt::Key_0); }});
  // The boxes with the type of a name, and with the parameters of a call.
  for (const auto &zoom : zoomers) {
    editor.goTo({2, 1});
    test.press(Qt::Key_K);
    REQUIRE(editor.hoverCard().isVisible());
    const int before = views::fontZoom();
    zoom();
    REQUIRE(QTest::qWaitFor([&] { return views::fontZoom() != before; }, 5000));
    CHECK_FALSE(editor.hoverCard().isVisible());
  }
  // The list of names.
  for (const auto &zoom : zoomers) {
    QTest::keyClick(&editor, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(&editor, Qt::Key_Return);
    test.type("x = tl.lo");
    REQUIRE(QTest::qWaitFor([&] { return editor.completionPopup().isVisible(); }, 5000));
    const int before = views::fontZoom();
    zoom();
    REQUIRE(QTest::qWaitFor([&] { return views::fontZoom() != before; }, 5000));
    CHECK_FALSE(editor.completionPopup().isVisible());
  }
}

TEST_CASE("notches that pile up are one zoom", "[gui][window]") {
  ZoomFixture test;
  QSignalSpy zoomed(test.window->findChild<ZoomWheel *>(), &ZoomWheel::zoomRequested);
  for (int notch = 0; notch < 5; ++notch)
    turnWheel(*test.window->editor()->viewport(), 120);
  CHECK(test.reaches(5));
  CHECK(zoomed.count() == 1);
}

namespace {
/// One widget of each kind whose parts grow with the text.
struct Form : QWidget {
  QComboBox combo{this};
  QSpinBox spin{this};
  QCheckBox check{this};
  QRadioButton radio{this};
  QTabBar tabs{this};
  QToolButton tool{this};
  QToolButton small{this};
  QLineEdit code{this};

  Form() {
    show();
    code.setProperty("code", true);
    small.setProperty("small", true);
    for (QWidget *widget : findChildren<QWidget *>())
      widget->ensurePolished();
  }

  /// Lengths that are as many times as long beside text of another size.
  std::map<std::string, int> parts() const {
    QStyleOptionComboBox list;
    list.initFrom(&combo);
    QStyleOptionSpinBox number;
    number.initFrom(&spin);
    QStyleOptionButton button;
    button.initFrom(&check);
    const QStyle &style = *check.style();
    return {
        {"drop-down",
         style.subControlRect(QStyle::CC_ComboBox, &list, QStyle::SC_ComboBoxArrow, &combo)
             .width()},
        {"spin button",
         style.subControlRect(QStyle::CC_SpinBox, &number, QStyle::SC_SpinBoxUp, &spin).width()},
        {"check", style.subElementRect(QStyle::SE_CheckBoxIndicator, &button, &check).width()},
        {"radio", style.subElementRect(QStyle::SE_RadioButtonIndicator, &button, &radio).width()},
        {"scroller", style.pixelMetric(QStyle::PM_TabBarScrollButtonWidth, nullptr, &tabs)},
        {"close", style.pixelMetric(QStyle::PM_TabCloseIndicatorWidth, nullptr, &tabs)},
        {"icon", tool.iconSize().width()},
        {"small icon", small.iconSize().width()},
        {"code", QFontMetrics(code.font()).height()}};
  }
  std::map<std::string, int> heights() const {
    return {{"combo", combo.sizeHint().height()}, {"spin", spin.sizeHint().height()},
            {"check", check.sizeHint().height()}, {"radio", radio.sizeHint().height()},
            {"tool", tool.sizeHint().height()},   {"code", code.sizeHint().height()}};
  }
};
} // namespace

/// The place of a widget below the window, its font and its size.
static std::multiset<std::string> looks(QWidget &window) {
  // Lays out what waits for it.
  window.grab();
  std::multiset<std::string> lines;
  for (const QWidget *widget : window.findChildren<QWidget *>()) {
    if (!widget->isVisible())
      continue;
    QString line = QStringLiteral("%1 %2: %3 %4, %5x%6 at %7,%8")
                       .arg(QString::fromLatin1(widget->metaObject()->className()),
                            widget->objectName(), QFontInfo(widget->font()).family())
                       .arg(widget->font().pointSizeF())
                       .arg(widget->width())
                       .arg(widget->height())
                       .arg(widget->x())
                       .arg(widget->y());
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
      line += QStringLiteral(", icon %1").arg(button->iconSize().width());
    lines.insert(line.toStdString());
  }
  return lines;
}

/// How the window looks when nothing moves anymore.
static std::multiset<std::string> settledLooks(QWidget &window) {
  std::multiset<std::string> before, now = looks(window);
  const bool isStill = QTest::qWaitFor(
      [&] {
        QTest::qWait(300);
        before = std::exchange(now, looks(window));
        return now == before;
      },
      10000);
  CHECK(isStill);
  return now;
}

TEST_CASE("parts of widgets grow with the text", "[gui][window]") {
  ZoomFixture test;
  const Form form;
  const auto parts = form.parts();
  const auto heights = form.heights();
  views::setFontZoom(10);
  const double ratio = views::textPercent() / 100.0;
  REQUIRE(ratio >= 2);
  for (const auto &[name, length] : form.parts()) {
    INFO(name);
    // Borders stay as wide as they were.
    CHECK(length == Approx(ratio * parts.at(name)).epsilon(0.15));
  }
  for (const auto &[name, height] : form.heights()) {
    INFO(name);
    CHECK(height > 1.5 * heights.at(name));
  }
  const Form opened;
  CHECK(form.parts() == opened.parts());
  CHECK(form.heights() == opened.heights());
}

TEST_CASE("a step of zoom sizes all as a style sheet set anew does", "[gui][window]") {
  ZoomFixture test;
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  for (int i = 0; i < 6; ++i)
    test.press(Qt::Key_Plus);
  const auto stepped = settledLooks(*test.window);
  qApp->setStyleSheet(views::theme().styleSheet());
  const auto anew = settledLooks(*test.window);
  std::vector<std::string> differing;
  std::ranges::set_symmetric_difference(stepped, anew, std::back_inserter(differing));
  CHECK(differing == std::vector<std::string>());
}

TEST_CASE("a step of zoom takes little of the window's thread", "[gui][window][timed]") {
  ZoomFixture test;
  for (const char *name : {"second.py", "third.py"})
    test.openAndWait(test.write(name, sampleSource()));
  for (int i = 0; i < 6; ++i) {
    const double before = threadTimeMs();
    test.press(Qt::Key_Plus);
    QCoreApplication::processEvents();
    const double workMs = threadTimeMs() - before;
    INFO("step " << i);
    // Generous: setting the style sheet again takes seven times what a step takes now.
    CHECK(workMs < 300);
  }
  CHECK(views::fontZoom() == 6);
}

TEST_CASE("a view that was closed at the start has the program's font when it is opened",
          "[gui][window]") {
  FakeWindow test;
  test.window->dock(QStringLiteral("layout"))->close();
  test.window->close();
  // As at the program's start.
  QApplication::setFont(QFont(QStringLiteral("monospace"), 8));
  test.open();
  REQUIRE_FALSE(test.window->dock(QStringLiteral("layout"))->isVisible());
  test.window->restoreDefaultLayout();
  REQUIRE(test.window->dock(QStringLiteral("layout"))->isVisible());
  QTest::qWait(20);
  const QFont font = views::uiFont();
  for (const QLabel *label : test.window->layoutDiagram()->findChildren<QLabel *>()) {
    CHECK(label->font().families() == font.families());
    CHECK(label->font().pointSizeF() == font.pointSizeF());
  }
}

TEST_CASE("a short text is shown from its first line, however large it has become",
          "[gui][window]") {
  ZoomFixture test;
  test.window->resize(1366, 768);
  test.openAndWait(
      test.write("short.py", "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8"));
  test.editor().goTo({7, 5});
  const auto ask = [&](unsigned message) { return test.editor().SendScintilla(message, 0UL); };
  const auto emptyRows = [&] {
    return ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) + ask(QsciScintilla::SCI_LINESONSCREEN) - 8;
  };
  for (int zoom = 1; zoom <= 10; ++zoom) {
    INFO(zoom);
    test.press(Qt::Key_Plus);
    REQUIRE(test.reaches(zoom));
    QTest::qWait(20);
    CHECK((ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 0 || emptyRows() <= 1));
  }
  test.press(Qt::Key_0);
  REQUIRE(test.reaches(0));
  QTest::qWait(20);
  CHECK(ask(QsciScintilla::SCI_GETFIRSTVISIBLELINE) == 0);
}
