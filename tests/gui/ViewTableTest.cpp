// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What every view has: a key, an entry in the palette, names for those who do not see it, both
// themes, export as a picture, a page of the guide, and a section in the report. One table, so that
// a view without one of them is seen.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDescriptions.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/WindowFixture.h"
#include "views/help/GuideView.h"
#include "views/palette/CommandPalette.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QProcess>
#include <QTabBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

struct ViewRow {
  const char *id;
  const char *key;
  /// Of its command to export a picture; null: it is a list or a text, or a part of what others draw.
  const char *exported;
  const char *guidePage;
  /// Heading of the section that a report has for it; null: it is of a session (docs/architecture.md),
  /// or of a measurement, which this test has not.
  const char *section;
};

constexpr ViewRow kViews[] = {
    {"stage.ast", "Ctrl+1", nullptr, "columns", nullptr},
    {"stage.ttir", "Ctrl+2", nullptr, "columns", "Code"},
    {"stage.ttgir", "Ctrl+3", nullptr, "columns", "Code"},
    {"stage.cpuir", "Ctrl+Alt+3", nullptr, "columns", "Code"},
    {"stage.llir", "Ctrl+4", nullptr, "columns", "Code"},
    {"stage.asm", "Ctrl+Alt+5", nullptr, "columns", "Code"},
    {"stage.ptx", "Ctrl+5", nullptr, "columns", "Code"},
    {"stage.sass", "Ctrl+6", nullptr, "columns", "Code"},
    {"layout", "Ctrl+7", "exportLayout", "window", "Layouts"},
    {"access", "Ctrl+Shift+A", "exportAccess", "access", "Memory accesses"},
    {"shared", "Ctrl+Shift+M", "exportShared", "shared-memory", "Shared memory"},
    {"pipeline", "Ctrl+Shift+I", "exportPipeline", "pipeline", "Loops"},
    {"conversion", "Ctrl+Shift+C", "exportConversion", "conversion", "Conversions between layouts"},
    {"programs", "Ctrl+Shift+G", "exportPrograms", "programs", "Programs"},
    {"registers", "Ctrl+Shift+Y", "exportRegisters", "registers", "Registers"},
    {"problems", "Ctrl+8", nullptr, "hints", "Hints"},
    {"passes", "Ctrl+9", nullptr, "columns", "Compilation"},
    {"run", "Ctrl+Shift+R", nullptr, "launch_block", "Results"},
    {"profile", "Ctrl+Shift+F", "exportProfile", "profile", nullptr},
    {"trace", "Ctrl+Shift+X", "exportTrace", "trace", nullptr},
    {"sweep", "Ctrl+Shift+N", "exportSweep", "sweep", nullptr},
    {"model", "Ctrl+Alt+M", nullptr, "models", nullptr},
    {"history", "Ctrl+Shift+H", nullptr, "history", nullptr},
    {"step", "Ctrl+Shift+E", "exportStep", "stepping", nullptr},
    {"lesson", "Ctrl+Shift+L", nullptr, "lessons", nullptr},
    {"console", "Ctrl+Shift+U", nullptr, "window", nullptr},
};

/// A product on `cuda:90`, which every view has something to say of.
struct Product {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;

  Product() {
    QFile file(QStringLiteral(TILESCOPE_EXAMPLES "/matmul.py"));
    REQUIRE(file.open(QIODevice::ReadOnly));
    fixture.openAndWait(fixture.write("matmul.py", file.readAll().toStdString()));
  }
  void press(const QKeySequence &keys) {
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    QWidget *focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : &window, keys[0].key(), keys[0].keyboardModifiers());
    QCoreApplication::processEvents();
  }
};

QString text(const char *words) { return QString::fromLatin1(words); }

} // namespace

TEST_CASE("the table of views names each view of the window", "[gui][worker][views]") {
  Product test;
  QStringList known;
  for (const ViewRow &row : kViews)
    known << text(row.id);
  known.sort();
  QStringList there;
  for (const ViewDock *dock : test.window.findChildren<ViewDock *>())
    there << dock->objectName();
  there.sort();
  CHECK(known.join(u' ').toStdString() == there.join(u' ').toStdString());
}

TEST_CASE("each view has a key, an entry in the palette and a page of the guide",
          "[gui][worker][views]") {
  Product test;
  QStringList listed;
  test.press(QKeySequence(QStringLiteral("Ctrl+Shift+P")));
  const QAbstractItemModel &entries = test.window.palette()->model();
  for (int at = 0; at < entries.rowCount(); ++at)
    listed << entries.index(at, 0).data().toString();
  test.press(QKeySequence(Qt::Key_Escape));
  for (const ViewRow &row : kViews) {
    INFO(row.id);
    for (const char *command : {"view.", "show."}) {
      const QAction *action = test.window.action(text(command) + text(row.id));
      REQUIRE(action != nullptr);
      CHECK(listed.contains(action->text()));
    }
    CHECK(test.window.action(QStringLiteral("view.") + text(row.id))->shortcut() ==
          QKeySequence(text(row.key)));
    test.press(QKeySequence(text(row.key)));
    ViewDock *dock = test.window.dock(text(row.id));
    CHECK(dock->isInFront());
    CHECK(dock->isAncestorOf(QApplication::focusWidget()));
    CHECK_FALSE(viewDescription(dock->windowTitle()).isEmpty());
    CHECK(std::ranges::any_of(views::guidePages(), [&](const views::GuidePage &page) {
      return page.address.endsWith(text(row.guidePage) + QStringLiteral(".md"));
    }));
    if (row.exported) {
      const QAction *action = test.window.action(text(row.exported));
      REQUIRE(action != nullptr);
      CHECK(listed.contains(action->text()));
    }
  }
}

/// Whether a reader of the screen has something to say of a widget.
static bool isNamed(const QWidget &widget) {
  if (!widget.accessibleName().isEmpty())
    return true;
  if (const auto *label = qobject_cast<const QLabel *>(&widget))
    return !label->text().isEmpty();
  if (const auto *button = qobject_cast<const QAbstractButton *>(&widget))
    return !button->text().isEmpty() || !button->toolTip().isEmpty();
  for (const QLabel *label : widget.window()->findChildren<QLabel *>())
    if (label->buddy() == &widget)
      return true;
  return false;
}

/// Parts of what has the name already.
static bool isPartOfAnother(const QWidget &widget) {
  const QWidget *parent = widget.parentWidget();
  return qobject_cast<const QHeaderView *>(&widget) || qobject_cast<const QTabBar *>(&widget) ||
         qobject_cast<const QAbstractSpinBox *>(parent) ||
         qobject_cast<const QComboBox *>(parent) ||
         qobject_cast<const QAbstractScrollArea *>(parent);
}

TEST_CASE("what takes the keyboard in a view has a name", "[gui][worker][views]") {
  Product test;
  for (const ViewRow &row : kViews) {
    test.press(QKeySequence(text(row.key)));
    QTest::qWait(300);
    for (const QWidget *widget : test.window.dock(text(row.id))->findChildren<QWidget *>()) {
      if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) ||
          isPartOfAnother(*widget))
        continue;
      INFO(row.id << ": " << widget->metaObject()->className() << " "
                  << widget->objectName().toStdString());
      CHECK(isNamed(*widget));
    }
  }
}

/// From 0 to 1.
static double brightnessOf(QWidget &view) {
  const QImage image = view.grab().toImage().convertToFormat(QImage::Format_Grayscale8);
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      sum += image.constScanLine(y)[x];
  return sum / 255 / std::max(1, image.width() * image.height());
}

TEST_CASE("each view is dark in the dark theme and light in the light one",
          "[gui][worker][views]") {
  Product test;
  for (const ViewRow &row : kViews) {
    INFO(row.id);
    test.press(QKeySequence(text(row.key)));
    ViewDock &dock = *test.window.dock(text(row.id));
    test.window.setThemeName(QStringLiteral("dark"));
    QTest::qWait(100);
    CHECK(brightnessOf(dock) < 0.4);
    test.window.setThemeName(QStringLiteral("light"));
    QTest::qWait(100);
    CHECK(brightnessOf(dock) > 0.6);
  }
}

TEST_CASE("a report has a section for each view of a kernel and its run", "[gui][worker][views]") {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("report.html"));
  QString report;
  // The second one has hints.
  for (const char *example : {"matmul.py", "layer_norm.py"}) {
    QProcess program;
    program.start(QStringLiteral(TILESCOPE_PROGRAM),
                  {QStringLiteral("report"), QStringLiteral(TILESCOPE_EXAMPLES "/") + text(example),
                   QStringLiteral("-o"), path});
    REQUIRE(program.waitForFinished(120000 * kSlowdown));
    INFO(program.readAllStandardError().toStdString());
    REQUIRE(program.exitCode() == 0);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    report += QString::fromUtf8(file.readAll());
  }
  for (const ViewRow &row : kViews) {
    if (!row.section)
      continue;
    INFO(row.id);
    CHECK(report.contains(QStringLiteral("<h3>%1</h3>").arg(text(row.section))));
  }
}
