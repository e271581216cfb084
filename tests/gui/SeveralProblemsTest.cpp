// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Several problems in one line: each is read and fixed by keys, in the editor and in Problems.
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "views/common/CodeView.h"
#include "views/editor/FixPopup.h"
#include "views/editor/HoverCard.h"

#include <QListWidget>
#include <QMenu>
#include <QTreeView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::Diagnostic;

namespace {
/// A line with two loads of the same array, whose findings say the same, each with a fix of its own.
struct TwoLoads : RunsFixture {
  static constexpr const char *kFirst = "tl.load(x_ptr + offsets)";
  static constexpr const char *kSecond = "tl.load(x_ptr + offsets + 1)";

  TwoLoads() {
    std::string text = sampleSource();
    const std::string line = "    both = " + std::string(kFirst) + " + " + kSecond + "\n";
    text.insert(text.find("    tl.store("), line);
    fixture.openAndWait(fixture.write("two.py", text));
    press(Qt::Key_F5);
    LaunchRun run = outcome();
    run.diagnostics = {masked(kFirst), masked(kSecond)};
    runs.finish(std::move(run));
  }
  Diagnostic masked(const char *load) {
    Diagnostic found = finding(load, "`x_ptr` is read past its end");
    const Position end{found.range.end.line, found.range.end.column - 1};
    found.fixes = {{{end, end, 0}, ", mask=offsets < n", "add a mask"}};
    return found;
  }
  views::KernelEditor &editor() { return fixture.editor(); }
  bool says(const std::string &code) { return editor().utf8Text().find(code) != std::string::npos; }
  void goTo(const char *code) { editor().goTo(rangeOf(editor().utf8Text(), code).begin); }
  views::FixPopup *popup() {
    return qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  }
  /// The titles of the list.
  static QStringList listed(const views::FixPopup &popup) {
    const auto *list = popup.findChild<QListWidget *>();
    QStringList titles;
    for (int row = 0; row < list->count(); ++row)
      titles << list->item(row)->text();
    return titles;
  }
};
} // namespace

TEST_CASE("the fixes of two findings of a line are told apart, and both are applied by keys",
          "[gui][run][problems]") {
  TwoLoads test;
  test.goTo("both =");
  test.press(Qt::Key_Period, Qt::ControlModifier);
  REQUIRE(test.popup());
  QStringList titles = TwoLoads::listed(*test.popup());
  REQUIRE(titles.size() == 2);
  INFO(titles.join(u'\n').toStdString());
  CHECK(titles[0] != titles[1]);
  QTest::keyClick(test.popup()->focusWidget(), Qt::Key_Down);
  QTest::keyClick(test.popup()->focusWidget(), Qt::Key_Return);
  CHECK(test.says("tl.load(x_ptr + offsets + 1, mask=offsets < n)\n"));
  // What is left of the line is found again a moment after the edit.
  REQUIRE(QTest::qWaitFor(
      [&] {
        test.goTo("both =");
        test.press(Qt::Key_Period, Qt::ControlModifier);
        return test.popup() != nullptr;
      },
      kPatienceMs));
  CHECK(TwoLoads::listed(*test.popup()) == QStringList{QStringLiteral("add a mask")});
  QTest::keyClick(test.popup()->focusWidget(), Qt::Key_Return);
  CHECK(test.says("tl.load(x_ptr + offsets, mask=offsets < n) + tl.load(x_ptr + offsets + 1, "
                  "mask=offsets < n)\n"));
}

TEST_CASE("a line says how many problems it has, and Ctrl+K and F8 tell of each",
          "[gui][run][problems]") {
  TwoLoads test;
  // What begins at one place and ends at two is stopped at once.
  LaunchRun run = test.outcome();
  Diagnostic outer = test.finding(TwoLoads::kFirst, "the whole load"),
             inner = test.finding("tl.load(x_ptr", "its name");
  inner.range.end = {outer.range.begin.line, outer.range.begin.column + 7};
  inner.range.begin = outer.range.begin;
  Diagnostic other = test.finding(TwoLoads::kSecond, "the other load");
  run.diagnostics = {outer, inner, other};
  test.press(Qt::Key_F5);
  test.runs.finish(std::move(run));
  test.goTo("both =");
  test.press(Qt::Key_F8);
  REQUIRE(test.editor().hoverCard().isVisible());
  CHECK(test.editor().hoverCard().text().contains(u"the whole load"));
  CHECK(test.editor().hoverCard().text().contains(u"its name"));
  CHECK_FALSE(test.editor().hoverCard().text().contains(u"the other load"));
  test.press(Qt::Key_F8);
  CHECK(test.editor().hoverCard().text().contains(u"the other load"));
  test.press(Qt::Key_Escape);
  test.press(Qt::Key_K, Qt::ControlModifier);
  for (const char16_t *said : {u"the whole load", u"its name", u"the other load"})
    CHECK(test.editor().hoverCard().text().contains(said));
}

TEST_CASE("Ctrl+. at a problem without a fix says so above the fixes of others in its line",
          "[gui][run][problems]") {
  TwoLoads test;
  LaunchRun run = test.outcome();
  Diagnostic unfixed = test.finding(TwoLoads::kFirst, "is undefined");
  run.diagnostics = {unfixed, test.masked(TwoLoads::kSecond)};
  test.press(Qt::Key_F5);
  test.runs.finish(std::move(run));
  test.goTo(TwoLoads::kFirst);
  test.press(Qt::Key_Period, Qt::ControlModifier);
  REQUIRE(test.popup());
  CHECK(test.popup()->explanation().startsWith(u"No fix is available for this: is undefined"));
  CHECK(TwoLoads::listed(*test.popup()) == QStringList{QStringLiteral("add a mask")});
}

TEST_CASE("Problems has the fix of each place of which the same is said, and a menu with all",
          "[gui][run][problems]") {
  TwoLoads test;
  QTest::keyClick(test.window.editor(), Qt::Key_8, Qt::ControlModifier);
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  REQUIRE(QTest::qWaitFor([&] { return tree->isVisible(); }, 5000));
  const auto &model = test.window.problems()->model();
  QModelIndex problem;
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data().toString().contains(u"(at 2 places)"))
      problem = model.index(row, 0);
  REQUIRE(problem.isValid());
  // The fix of the first, the second place, and its fix.
  REQUIRE(model.rowCount(problem) == 3);
  const QModelIndex second = model.index(2, 0, problem);
  CHECK(second.data().toString().startsWith(u"Fix in line "));
  CHECK(tree->isExpanded(problem));
  // The menu has both.
  tree->scrollTo(problem);
  QContextMenuEvent asked(QContextMenuEvent::Mouse, tree->visualRect(problem).center(),
                          tree->viewport()->mapToGlobal(tree->visualRect(problem).center()));
  QCoreApplication::sendEvent(tree->viewport(), &asked);
  auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
  REQUIRE(menu);
  CHECK(menu->actions().size() == 2);
  QTest::keyClick(menu, Qt::Key_Escape);
  tree->setCurrentIndex(second);
  tree->scrollTo(second);
  QTest::keyClick(tree, Qt::Key_Return);
  CHECK(test.says("tl.load(x_ptr + offsets + 1, mask=offsets < n)\n"));
  CHECK(test.says("tl.load(x_ptr + offsets) + "));
}

TEST_CASE("two problems at the cursor are both explained, with the fixes of both",
          "[gui][run][problems]") {
  TwoLoads test;
  test.goTo("both =");
  test.press(Qt::Key_E, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.popup());
  CHECK(test.popup()->explanation().count(u"is read past its end") >= 2);
  CHECK(test.popup()->fixes().size() == 2);
}
