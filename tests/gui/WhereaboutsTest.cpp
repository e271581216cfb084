// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is on show is named: the page of the guide about the view in use, the loop of a turn.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/StartPage.h"
#include "tests/gui/ViewSample.h"
#include "views/help/GuideView.h"
#include "views/programs/ProgramsView.h"
#include "views/registers/RegistersView.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBrowser>

#include <set>

using namespace tilescope;
using namespace tilescope::tests;
using views::GuideView;

TEST_CASE("Shift+F1 opens the guide at the page on the view in use", "[gui][help]") {
  std::set<QString> titles;
  for (const views::GuidePage &page : views::guidePages()) {
    INFO(page.title.toStdString());
    CHECK(titles.insert(page.title).second);
  }
  ViewSample test(kScale);
  const auto pageAfter = [&](Qt::Key view) {
    test.openView(view);
    QWidget *focus = QApplication::focusWidget();
    REQUIRE(focus);
    QTest::keyClick(focus, Qt::Key_F1, Qt::ShiftModifier);
    auto *guide = test.window.findChild<GuideView *>();
    REQUIRE(guide);
    const QString name = guide->page().source().fileName();
    guide->close();
    test.window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&test.window));
    return name;
  };
  CHECK(pageAfter(Qt::Key_Y) == u"registers.md");
  CHECK(pageAfter(Qt::Key_G) == u"programs.md");
  // From the editor, where it was left.
  test.window.editor()->setFocus();
  QTest::keyClick(test.window.editor(), Qt::Key_F1, Qt::ShiftModifier);
  auto *guide = test.window.findChild<GuideView *>();
  REQUIRE(guide);
  CHECK(guide->page().source().fileName() == u"programs.md");
}

TEST_CASE("of several loops, the header of the Programs view says which a turn is of",
          "[gui][worker][programs]") {
  ViewSample test(R"(import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [256], init = "randn" }
# w_ptr = { dtype = "fp32", shape = [256], init = "randn" }
# ///


@triton.jit
def k(x_ptr, w_ptr):
    i = tl.arange(0, 128)
    total = tl.zeros((128,), dtype=tl.float32)
    for at in range(0, 256, 128):
        total += tl.load(x_ptr + at + i)
    mean = tl.sum(total, axis=0) / 256
    for at in range(0, 256, 128):
        w = tl.load(w_ptr + at + i)
        tl.store(x_ptr + at + i, w * mean)
)");
  test.openView(Qt::Key_G);
  views::ProgramsView &view = *test.window.programsView();
  views::ArrayCanvas &canvas = view.canvas();
  REQUIRE(test.waitFor([&] { return view.content().arrays != nullptr && canvas.hasFocus(); }));
  CHECK(view.titleText().contains(
      u"iteration 0 of 0–3 (turn 0 of 0–1 of the loop with line 18) reads"));
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(&canvas, Qt::Key_T);
  CHECK(view.titleText().contains(
      u"iteration 3 of 0–3 (turn 1 of 0–1 of the loop with lines 21 to 22) reads"));
}

TEST_CASE("the start page does not scroll to the side", "[gui]") {
  QWidget place;
  place.resize(1000, 600);
  app::StartPage page(&place);
  const auto section = [](const QString &title) {
    app::StartPage::Section made{title, {}};
    for (const char *name : {"The first thing to do here", "The second thing to do here"})
      made.entries.push_back({QString::fromLatin1(name), QStringLiteral("Ctrl+Shift+X"), [] {}});
    return made;
  };
  page.setSections({section(QStringLiteral("Start")), section(QStringLiteral("Learn")),
                    section(QStringLiteral("Examples"))});
  place.show();
  REQUIRE(QTest::qWaitForWindowExposed(&place));
  const QScrollBar &bar = *page.findChild<QScrollArea *>()->horizontalScrollBar();
  const auto leftOf = [&](const char *title) {
    for (const QLabel *label : page.findChildren<QLabel *>())
      if (label->text() == QString::fromLatin1(title))
        return label->mapTo(&page, QPoint()).x();
    return -1;
  };
  const int narrowest = page.findChild<QPushButton *>()->parentWidget()->minimumSizeHint().width();
  CHECK(leftOf("Learn") > leftOf("Start"));
  for (int width = 1000; width > narrowest + 80; width -= 7) {
    place.resize(width, 600);
    QCoreApplication::processEvents();
    INFO(width);
    CHECK(bar.maximum() == 0);
  }
  CHECK(leftOf("Learn") == leftOf("Start"));
}
