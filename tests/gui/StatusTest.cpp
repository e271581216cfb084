// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The status bar, and the page that stands in place of the editors.
#include "app/ide/window/StartPage.h"
#include "app/ide/window/StatusFacts.h"
#include "tests/gui/StateFixture.h"
#include "views/common/FactsLabel.h"
#include "views/common/Theme.h"
#include "views/meter/CompileMeter.h"

#include <QPushButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::ColorRole;

static const views::FactsLabel &resources(MainWindow &window) {
  return *window.statusBar()->findChild<views::FactsLabel *>();
}

static ColorRole colorOf(const views::FactsLabel &label, const QString &text) {
  for (const views::Fact &fact : label.facts())
    if (fact.text == text)
      return fact.color;
  FAIL("no such fact: " << text.toStdString());
  return ColorRole::Text;
}

TEST_CASE("the status bar leads with what authors tune", "[gui][window]") {
  StateFixture test;
  compiler::Resources used{.registers = 64, .sharedBytes = 40960, .spillBytes = 0, .threads = 128};
  test.backend.answer = [&](const compiler::CompileRequest &) {
    auto result = sampleResult();
    result->target = "cuda:90";
    result->resources = used;
    return result;
  };
  test.open("kernel.py", sampleSource());
  const views::FactsLabel &label = resources(test.window);
  // The example of `profiler::occupancy`: 20 of 64 warps.
  CHECK(label.text() ==
        u"64 registers  ·  no spills  ·  40 KiB shared  ·  occupancy 31 %  ·  cuda:90");
  CHECK(label.toolTip().contains(u"20 of the 64 warps that a multiprocessor can hold, limited by "
                                 u"shared memory"));
  CHECK(label.mapTo(&test.window, QPoint()).x() < 12);
  CHECK(colorOf(label, QStringLiteral("no spills")) == ColorRole::TextMuted);
  // The first facts stay in a narrow window; the tool tip has the others.
  CHECK(label.numShown(label.sizeHint().width()) == 5);
  // What is left out leaves a sign, for which there is room.
  CHECK(label.numPainted(label.sizeHint().width()) == 5);
  for (int width = 0; width < label.sizeHint().width(); width += 7) {
    const size_t painted = label.numPainted(width);
    CHECK(painted <= label.numShown(width));
    if (painted > 0 && painted < 5)
      CHECK(label.numShown(width - label.fontMetrics().horizontalAdvance(
                                       QStringLiteral("  ·  …"))) == painted);
  }
  CHECK(label.numShown(label.fontMetrics().horizontalAdvance(
            QStringLiteral("64 registers  ·  no spills  ·  40"))) == 2);
  const auto spilled = [&](int64_t bytes) {
    used.spillBytes = bytes;
    QSignalSpy settled(&test.window, &MainWindow::settled);
    test.fixture.type("#");
    REQUIRE(settled.wait(5000));
  };
  spilled(16);
  CHECK(colorOf(label, QStringLiteral("16 B spilled")) == ColorRole::Warning);
  spilled(512);
  CHECK(colorOf(label, QStringLiteral("512 B spilled")) == ColorRole::Error);
}

TEST_CASE("the status bar says what is wrong, and where", "[gui][window]") {
  StateFixture test;
  test.backend.answer = [](const compiler::CompileRequest &) {
    auto result = brokenResult();
    compiler::Stage ast;
    ast.id = StageId::Ast;
    result->stages = {ast};
    result->diagnostics.front().range = {{50, 2}, {50, 4}, 0};
    return result;
  };
  test.open("kernel.py", sampleSource());
  QStringList texts;
  for (const QLabel *label : test.window.statusBar()->findChildren<QLabel *>())
    texts << label->text();
  CHECK(texts.contains(QStringLiteral("Syntax error, line 51")));
}

TEST_CASE("the times of all stages open from the status bar", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  QToolButton *button = nullptr;
  for (QToolButton *each : test.window.statusBar()->findChildren<QToolButton *>())
    if (each->text().startsWith(u"TTIR"))
      button = each;
  REQUIRE(button);
  CHECK(button->isVisible());
  CHECK(button->text().endsWith(u" ms"));
  QTest::mouseClick(button, Qt::LeftButton);
  auto *meter = test.window.findChild<views::CompileMeter *>();
  REQUIRE(meter);
  CHECK(meter->isVisible());
  QTest::keyClick(meter, Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return !meter->isVisible(); }));
  test.window.action(QStringLiteral("meter"))->trigger();
  CHECK(meter->isVisible());
}

static QStringList buttonsOf(const QWidget &page) {
  QStringList names;
  for (const QPushButton *button : page.findChildren<QPushButton *>())
    if (button->isVisible())
      names << button->text();
  return names;
}

TEST_CASE("in place of an empty editor there is the choice of a file", "[gui][window]") {
  StateFixture test;
  test.open("first.py", sampleSource());
  test.open("second.py", sampleSource());
  auto *page = test.window.findChild<StartPage *>();
  REQUIRE(page);
  CHECK_FALSE(page->isVisible());
  for (int i = 0; i < 2; ++i)
    test.window.action(QStringLiteral("close"))->trigger();
  REQUIRE(test.window.currentPage() == nullptr);
  CHECK(page->isVisible());
  const QStringList names = buttonsOf(*page);
  for (const char *name : {"New file", "Open file…", "Glossary", "second.py", "first.py"})
    CHECK(names.contains(QString::fromUtf8(name)));
  CHECK(names.indexOf(QStringLiteral("second.py")) < names.indexOf(QStringLiteral("first.py")));
  // By keys alone: the page has the keyboard, Tab goes on, and Space opens.
  QTest::qWait(20);
  REQUIRE(page->isAncestorOf(QApplication::focusWidget()));
  for (int i = 0; i < 20; ++i) {
    const auto *button = qobject_cast<QPushButton *>(QApplication::focusWidget());
    if (button && button->text() == u"first.py")
      break;
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  REQUIRE(test.window.currentPage() != nullptr);
  CHECK(test.window.currentPage()->path().endsWith(u"first.py"));
  CHECK_FALSE(page->isVisible());
}
