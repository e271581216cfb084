// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A presenter goes through a script with keys, over a real worker.
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/page/FileTabs.h"
#include "app/ide/present/PresentController.h"
#include "app/ide/window/Presentation.h"
#include "tests/gui/Patience.h"
#include "tests/gui/PresentedWindow.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/programs/ProgramsView.h"
#include "views/stages/StageColumn.h"

#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTextBrowser>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::PresentLayer;

static const char *const kKernel = R"py(import triton
import triton.language as tl

# /// tilescope
# kernel = "scale"
# grid = ["cdiv(n, BLOCK)", 2]
# [sizes]
# n = 1000
# [args]
# x_ptr   = { dtype = "fp32", shape = [2, "n"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = [2, "n"] }
# [constexprs]
# BLOCK = 256
# ///


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.program_id(1) * n
    x = tl.load(x_ptr + row + offsets, mask=offsets < n)
    tl.store(out_ptr + row + offsets, x * 2, mask=offsets < n)


@triton.jit
def other(x_ptr):
    tl.store(x_ptr, 1.0)
)py";

static const char *const kScript = R"toml(title = "Talk"
text_percent = 150

[[steps]]
title = "The text"
file = "kernel.py"
at = "x = tl.load"
views = ["editor", "programs"]
program = [2, 1]
notes = "Say **this** first."

[[steps]]
title = "One access"
view = "access"
program = [3, 1]
sliders = { Warp = 2 }

[[steps]]
title = "The other kernel"
kernel = "other"
at = "tl.store(x_ptr, 1.0)"
views = ["editor", "ttir"]
spotlight = true

[[steps]]
title = "An element"
kernel = "scale"
view = "programs"
argument = "out_ptr"
element = [1, 500]
)toml";

namespace {

struct PresentFixture : PresentedWindow {
  void begin(const char *script = kScript) {
    write("kernel.py", kKernel);
    window.openFile(write("present.toml", script));
    REQUIRE(present.isUnderWay());
    QCoreApplication::processEvents();
  }
  /// The views that can be seen, by name.
  QStringList seen() const {
    QStringList names;
    if (window.centralWidget()->isVisible())
      names << QStringLiteral("editor");
    for (QDockWidget *dock : window.findChildren<QDockWidget *>())
      if (dock->isVisible())
        names << dock->objectName();
    return names;
  }
  /// In the order of their names: those that are open, if behind others.
  QString opened() const {
    QStringList names;
    for (const QDockWidget *dock : window.findChildren<QDockWidget *>())
      if (!dock->isHidden())
        names << dock->objectName();
    names.sort();
    return names.join(u' ');
  }
  bool waitFor(const std::function<bool()> &holds) const {
    return QTest::qWaitFor(holds, kPatienceMs);
  }
  QRectF rectOf(const QWidget &widget) const {
    return {widget.mapTo(&window, QPoint()), widget.size()};
  }
};

} // namespace

TEST_CASE("a presenter goes through a script with the keys of a clicker", "[gui][present]") {
  PresentFixture test;
  const int zoom = views::fontZoom();
  const QString before = test.opened();
  test.begin();
  PresentLayer &layer = *test.present.layer();
  CHECK(layer.caption() == u"The text");
  CHECK(layer.hasFocus());
  CHECK(views::textPercent() >= 150);
  CHECK(test.seen() == QStringList{QStringLiteral("editor")});
  CHECK_FALSE(test.window.menuBar()->isVisible());
  CHECK_FALSE(test.window.statusBar()->isVisible());
  CHECK(test.window.isFullScreen());
  CHECK(test.window.editor()->cursor() == Position{20, 4});

  // One view at a time, each with its program, once there is something to show.
  test.press(Qt::Key_PageDown);
  CHECK(test.seen() == QStringList{QStringLiteral("programs")});
  CHECK(layer.caption() == u"The text");
  views::ProgramsView &programs = *test.window.programsView();
  REQUIRE(test.waitFor([&] { return programs.canvas().content().program == 6; }));
  CHECK(programs.scrubber(views::ArrayCanvas::Scrub::X).value() == 2);
  CHECK(programs.scrubber(views::ArrayCanvas::Scrub::Y).value() == 1);

  test.press(Qt::Key_PageDown);
  CHECK(test.seen() == QStringList{QStringLiteral("access")});
  const auto sliders = slidersOf(*test.window.dock(QStringLiteral("access")));
  // Program 3 of row 1: in the grid of 4 x 2 it is the seventh.
  REQUIRE(test.waitFor([&] { return sliders.at(QStringLiteral("Program"))->value() == 7; }));
  REQUIRE(test.waitFor([&] { return sliders.at(QStringLiteral("Warp"))->value() == 2; }));

  test.press(Qt::Key_PageDown);
  CHECK(layer.caption() == u"The other kernel");
  REQUIRE(test.waitFor([&] {
    const CompileController &compile = *test.window.compileController();
    return compile.isCurrent() && compile.latest()->result()->kernel == "other";
  }));
  test.press(Qt::Key_PageUp);
  test.press(Qt::Key_PageUp);
  test.press(Qt::Key_PageUp);
  CHECK(layer.caption() == u"The text");
  CHECK(test.seen() == QStringList{QStringLiteral("editor")});
  // Before the first there is none.
  test.press(Qt::Key_PageUp);
  CHECK(test.present.state()->position() == 0);

  test.press(Qt::Key_Escape);
  CHECK_FALSE(test.present.isUnderWay());
  CHECK(test.opened().toStdString() == before.toStdString());
  CHECK(views::fontZoom() == zoom);
  CHECK(test.window.menuBar()->isVisible());
  CHECK(test.window.statusBar()->isVisible());
  CHECK_FALSE(test.window.isFullScreen());
  // The keys are those of the editor again.
  test.window.editor()->setFocus();
  test.window.editor()->goTo({0, 0});
  test.press(Qt::Key_PageDown);
  CHECK(test.window.editor()->cursor().line > 0);
}

TEST_CASE("the audience sees the tabs of the presented files alone", "[gui][present]") {
  PresentFixture test;
  EditorPage *own = test.window.openFile(test.write("own.py", "x = 1\n"));
  REQUIRE(own);
  const auto *tabs = test.window.findChild<FileTabs *>();
  REQUIRE(tabs);
  test.begin();
  CHECK_FALSE(tabs->isTabVisible(tabs->indexOf(own)));
  CHECK(tabs->isTabVisible(tabs->currentIndex()));
  CHECK(tabs->page() != own);
  test.press(Qt::Key_Escape);
  CHECK(tabs->page() == own);
  CHECK(tabs->isTabVisible(tabs->indexOf(own)));
}

TEST_CASE("a window that ends in a presentation begins as it was before", "[gui][present]") {
  PresentFixture test;
  test.window.resize(1100, 640);
  test.begin();
  REQUIRE(test.window.isFullScreen());
  const Session kept = test.window.session();
  CHECK(kept.windowSize == QSize(1100, 640));
  QWidget next;
  REQUIRE(next.restoreGeometry(kept.geometry));
  CHECK_FALSE(next.windowState() & Qt::WindowFullScreen);
  CHECK(next.size() == QSize(1100, 640));
  test.press(Qt::Key_Escape);
  test.window.resize(1000, 600);
  CHECK(test.window.session().windowSize == QSize(1000, 600));
}

TEST_CASE("a clicker goes on while the presenter types into the kernel", "[gui][present]") {
  PresentFixture test;
  test.begin();
  QTest::mouseClick(test.window.editor()->viewport(), Qt::LeftButton, {}, QPoint(200, 60));
  REQUIRE(test.window.editor()->hasFocus());
  test.window.editor()->goTo({22, 0});
  // Letters are text there, and commands elsewhere.
  QTest::keyClicks(test.window.editor(), QStringLiteral("# sd"));
  CHECK(test.window.editor()->utf8Text().find("\n# sd") != std::string::npos);
  CHECK_FALSE(test.present.layer()->isSpotlit());
  test.press(Qt::Key_PageDown);
  CHECK(test.present.state()->position() == 1);
  CHECK(test.present.layer()->hasFocus());
}

TEST_CASE("the spotlight falls on the cursor's line, a related line, or an element",
          "[gui][present]") {
  PresentFixture test;
  test.begin();
  PresentLayer &layer = *test.present.layer();
  CHECK(layer.lit().isEmpty());
  test.press(Qt::Key_S);
  REQUIRE(layer.isSpotlit());
  const auto lineLit = [&](uint32_t line) {
    const views::KernelEditor &editor = *test.window.editor();
    const QRectF shown =
        QRectF(editor.lineRect(line)).translated(test.rectOf(*editor.viewport()).topLeft());
    return layer.lit().contains(shown.adjusted(20, 0, -20, 0)) &&
           layer.lit().height() < 4 * shown.height();
  };
  REQUIRE(test.waitFor([&] { return lineLit(20); }));
  // It follows the cursor.
  test.window.editor()->goTo({18, 4});
  REQUIRE(test.waitFor([&] { return lineLit(18); }));

  test.press(Qt::Key_End);
  CHECK(layer.caption() == u"An element");
  views::ArrayCanvas &canvas = test.window.programsView()->canvas();
  // Row 1 of the second array, in its middle.
  REQUIRE(test.waitFor([&] {
    return layer.lit().height() > 0 && layer.lit().height() < 200 &&
           test.rectOf(canvas).contains(layer.lit().center());
  }));
  const auto &arrays = *canvas.content().arrays;
  REQUIRE(arrays.argument(1).name == "out_ptr");
  const QRectF element = canvas.rectOf({1, compiler::access::elementAt(arrays.shape(1), 1500)});
  CHECK(layer.lit().contains(element.translated(test.rectOf(canvas).topLeft()).center()));

  // In a column, on the operation that the line became.
  test.press(Qt::Key_Left);
  REQUIRE(layer.caption() == u"The other kernel");
  views::CodeView &code = test.window.stageColumn(compiler::StageId::Ttir)->codeView();
  REQUIRE(test.waitFor([&] { return !code.relatedRect().isEmpty(); }));
  REQUIRE(test.waitFor([&] {
    return layer.lit().contains(
        QRectF(code.relatedRect()).translated(test.rectOf(*code.viewport()).topLeft()).center());
  }));
}

TEST_CASE("a presenter draws over a view, and finds the drawing again", "[gui][present]") {
  PresentFixture test;
  test.begin();
  PresentLayer &layer = *test.present.layer();
  test.press(Qt::Key_D);
  REQUIRE(layer.isDrawing());
  QWindow *handle = test.window.windowHandle();
  const auto drag = [&] {
    QTest::mousePress(handle, Qt::LeftButton, {}, QPoint(100, 100));
    QTest::mouseMove(handle, QPoint(200, 150));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(200, 150));
  };
  drag();
  const auto lines = layer.ink().lines(layer.size());
  REQUIRE(lines.size() == 1);
  CHECK((lines[0].front() - QPointF(100, 100)).manhattanLength() < 1);
  CHECK((lines[0].back() - QPointF(200, 150)).manhattanLength() < 1);
  // It was no click into the editor.
  CHECK(test.window.editor()->cursor() == Position{20, 4});
  const QImage drawn = layer.grab().toImage();
  CHECK(drawn.pixelColor(150, 125) == views::theme()[views::ColorRole::Error]);

  test.press(Qt::Key_PageDown);
  CHECK(layer.ink().isEmpty());
  test.press(Qt::Key_PageUp);
  CHECK(layer.ink().lines(layer.size()).size() == 1);
  test.press(Qt::Key_C);
  CHECK(layer.ink().isEmpty());
  test.press(Qt::Key_D);
  CHECK_FALSE(layer.isDrawing());
  drag();
  CHECK(layer.ink().isEmpty());
}

TEST_CASE("notes are a window of their own, with the same keys", "[gui][present]") {
  PresentFixture test;
  test.begin();
  views::PresentNotes &notes = *test.present.notes();
  CHECK_FALSE(notes.isVisible());
  test.press(Qt::Key_N);
  REQUIRE(notes.isVisible());
  REQUIRE(QTest::qWaitForWindowActive(&notes));
  CHECK(notes.isWindow());
  CHECK(notes.page().toPlainText() == u"Say this first.");
  CHECK(notes.nextText() == u"Next: One access");
  test.press(Qt::Key_PageDown);
  test.press(Qt::Key_Right);
  CHECK(test.present.layer()->caption() == u"One access");
  CHECK(notes.page().toPlainText() == u"This step has no notes.");
  test.press(Qt::Key_End);
  CHECK(notes.nextText() == u"This is the last step.");
  test.press(Qt::Key_N);
  CHECK_FALSE(notes.isVisible());
  CHECK(test.present.isUnderWay());
}

TEST_CASE("a loop goes around by itself until a key stops it", "[gui][present]") {
  PresentFixture test;
  test.begin("title = \"Loop\"\nloop = true\nseconds = 1\n"
             "[[steps]]\ntitle = \"One\"\nfile = \"kernel.py\"\n"
             "[[steps]]\ntitle = \"Two\"\nview = \"problems\"\n");
  CHECK(test.present.layer()->caption() == u"One");
  REQUIRE(test.waitFor([&] { return test.present.layer()->caption() == u"Two"; }));
  REQUIRE(test.waitFor([&] { return test.present.layer()->caption() == u"One"; }));
  test.press(Qt::Key_L);
  CHECK_FALSE(test.present.state()->isLoop());
  test.press(Qt::Key_B);
  CHECK(test.present.layer()->isBlank());
  CHECK(test.present.layer()->grab().toImage().pixelColor(50, 50) == QColor(Qt::black));
  // The next key only makes it light again.
  test.press(Qt::Key_PageDown);
  CHECK_FALSE(test.present.layer()->isBlank());
  CHECK(test.present.layer()->caption() == u"One");
}

TEST_CASE("a script that is wrong is told with its line, and nothing begins", "[gui][present]") {
  PresentFixture test;
  const QString path = test.write("present.toml", "title = \"Talk\"\n[[steps]]\ntitle = 7\n");
  test.window.openFile(path);
  CHECK_FALSE(test.present.isUnderWay());
  QStringList said;
  for (const QLabel *label : test.window.centralWidget()->findChildren<QLabel *>())
    if (label->isVisible())
      said << label->text();
  CHECK(said.join(u'\n').contains(path));
  INFO(said.join(u'\n').toStdString());
  CHECK(said.join(u'\n').contains(u"line 3: ‘title’ must be a string in quotes"));
  CHECK_FALSE(test.window.action(QStringLiteral("present.end"))->isEnabled());
}
