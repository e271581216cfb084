// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Keys and clicks that pass between the editor and the window around it.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/FixPopup.h"
#include "views/editor/HoverCard.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::views;
using compiler::Diagnostic;
using tests::WindowFixture;

namespace {
struct EditorWindow {
  tests::FakeBackend backend;
  WindowFixture fixture{backend};
  MainWindow &window = *fixture.window;
  std::vector<Diagnostic> found;

  EditorWindow() {
    backend.answer = [this](const compiler::CompileRequest &) {
      auto result = tests::sampleResult();
      result->diagnostics = found;
      return result;
    };
  }

  void open(const char *name = "vector_add.py") {
    fixture.openAndWait(fixture.write(name, tests::sampleSource()), 5000);
    fixture.editor().setFocus();
  }
};
} // namespace

/// An error in the sample with a fix.
static Diagnostic wrongFunction() {
  Diagnostic wrong;
  wrong.kind = compiler::DiagnosticKind::UnknownAttribute;
  wrong.range = tests::rangeOf(tests::sampleSource(), "program_id");
  wrong.message = "no such function";
  wrong.fixes = {{wrong.range, "num_programs", "change to `num_programs`"}};
  return wrong;
}

TEST_CASE("every shortcut of the program works in the editor", "[gui][editor]") {
  EditorWindow test;
  test.open();
  // One that Scintilla would take for itself.
  QAction taken;
  taken.setObjectName(QStringLiteral("taken"));
  taken.setShortcut(QKeySequence(QStringLiteral("Ctrl+Up")));
  static_cast<QWidget &>(test.window).addAction(&taken);
  int numPressed = 0;
  for (QAction *action : test.window.actions())
    for (const QKeySequence &shortcut : action->shortcuts()) {
      if (!action->isEnabled())
        continue;
      INFO(action->objectName().toStdString() << ": " << shortcut.toString().toStdString());
      REQUIRE(shortcut.count() == 1);
      // Only the key is of interest, not what it does.
      QObject::disconnect(action, &QAction::triggered, nullptr, nullptr);
      QSignalSpy triggered(action, &QAction::triggered);
      const std::string before = test.fixture.editor().utf8Text();
      QTest::keyClick(&test.fixture.editor(), shortcut[0].key(), shortcut[0].keyboardModifiers());
      CHECK(triggered.count() == 1);
      CHECK(test.fixture.editor().utf8Text() == before);
      ++numPressed;
    }
  CHECK(numPressed > 30);
}

TEST_CASE("Ctrl+M in the editor shows the editor alone, and everything again", "[gui][editor]") {
  EditorWindow test;
  test.open();
  QDockWidget *problems = test.window.dock(QStringLiteral("problems"));
  REQUIRE(problems->isVisible());
  QTest::keyClick(&test.fixture.editor(), Qt::Key_M, Qt::ControlModifier);
  CHECK_FALSE(problems->isVisible());
  CHECK(test.fixture.editor().isVisible());
  QTest::keyClick(&test.fixture.editor(), Qt::Key_M, Qt::ControlModifier);
  CHECK(problems->isVisible());
}

TEST_CASE("keys typed right behind Ctrl+G are the line, those after it go to the editor",
          "[gui][editor]") {
  EditorWindow test;
  test.open();
  const auto type = [](const char *keys) {
    for (const char *key = keys; *key; ++key)
      QTest::keyClick(QApplication::focusWidget(), *key);
  };
  // No event runs between the keys, as when a user types fast.
  QTest::keyClick(&test.fixture.editor(), Qt::Key_G, Qt::ControlModifier);
  type("12");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  REQUIRE(test.fixture.editor().hasFocus());
  CHECK(test.fixture.editor().cursor().line == 11);
  type("abc");
  CHECK(test.fixture.editor().text(11).startsWith(QStringLiteral("abc")));
  // The first character that is not a blank, as with Home.
  QTest::keyClick(&test.fixture.editor(), Qt::Key_G, Qt::ControlModifier);
  int indented = 0;
  while (!test.fixture.editor().text(indented).startsWith(QStringLiteral("    o")))
    ++indented;
  type(std::to_string(indented + 1).c_str());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(test.fixture.editor().cursor() == Position{static_cast<uint32_t>(indented), 4});
  // With a column, past the end, and not at all.
  QTest::keyClick(&test.fixture.editor(), Qt::Key_G, Qt::ControlModifier);
  type("3:4");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(test.fixture.editor().cursor() == Position{2, 3});
  QTest::keyClick(&test.fixture.editor(), Qt::Key_G, Qt::ControlModifier);
  type("99999");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(static_cast<int>(test.fixture.editor().cursor().line) == test.fixture.editor().lines() - 1);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_G, Qt::ControlModifier);
  type("1");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  CHECK(test.fixture.editor().hasFocus());
  CHECK(static_cast<int>(test.fixture.editor().cursor().line) == test.fixture.editor().lines() - 1);
}

TEST_CASE("the find bar says which of the matches is selected", "[gui][editor]") {
  EditorWindow test;
  test.open();
  QTest::keyClick(&test.fixture.editor(), Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("tl.load"));
  const auto says = [&](const char *text) {
    for (QLabel *label : test.window.currentPage()->findChildren<QLabel *>())
      if (label->isVisible() && label->text() == QLatin1String(text))
        return true;
    return false;
  };
  CHECK(says("1 of 2"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(says("2 of 2"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ShiftModifier);
  CHECK(says("1 of 2"));
  QTest::keyClick(QApplication::focusWidget(), 'x');
  CHECK(says("no match"));
  // `tl.loadx(` is no expression.
  for (QAbstractButton *button : test.window.currentPage()->findChildren<QAbstractButton *>())
    if (button->toolTip().startsWith(u"Regular expression") && button->isVisible())
      QTest::keyClick(button, Qt::Key_Space);
  for (QLineEdit *edit : test.window.currentPage()->findChildren<QLineEdit *>())
    if (edit->text() == u"tl.loadx")
      QTest::keyClick(edit, '(');
  CHECK(says("not a regular expression: missing closing parenthesis"));
}

TEST_CASE("a click on a tab leaves the keyboard with the editor", "[gui][editor]") {
  EditorWindow test;
  test.open("one.py");
  test.open("two.py");
  auto *tabs = test.window.findChild<QTabWidget *>();
  REQUIRE(tabs->count() == 2);
  test.window.problems()->setFocus();
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(0).center());
  CHECK(tabs->currentIndex() == 0);
  CHECK(test.fixture.editor().hasFocus());
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(0).center());
  CHECK(test.fixture.editor().hasFocus());
}

TEST_CASE("Ctrl+. offers the fix and types nothing", "[gui][editor]") {
  EditorWindow test;
  const Diagnostic wrong = wrongFunction();
  test.found = {wrong};
  test.open();
  test.fixture.editor().goTo(wrong.range.begin);
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Period, Qt::ControlModifier);
  auto *popup = qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  CHECK(test.fixture.editor().utf8Text() == tests::sampleSource());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(test.fixture.editor().utf8Text().find("tl.num_programs") != std::string::npos);
}

TEST_CASE("Ctrl+. answers the problem under the cursor, not a hint about the same line",
          "[gui][editor]") {
  EditorWindow test;
  Diagnostic wrong = wrongFunction();
  wrong.fixes.clear();
  wrong.message = "reads past its last element";
  test.found = {wrong};
  test.open();
  views::KernelEditor &editor = test.fixture.editor();
  compiler::Hint hint;
  hint.range = {{wrong.range.begin.line, 0}, {wrong.range.begin.line, 2}, 0};
  hint.advice = "pad the rows";
  editor.setPerformanceHints({hint});
  editor.goTo(wrong.range.begin);
  QTest::keyClick(&editor, Qt::Key_Period, Qt::ControlModifier);
  CHECK(editor.hoverCard().text().contains(u"reads past its last element"));
  CHECK_FALSE(editor.hoverCard().text().contains(u"pad the rows"));
  // Beside it, the hint is what there is to say.
  QTest::keyClick(&editor, Qt::Key_Home);
  QTest::keyClick(&editor, Qt::Key_Home);
  QTest::keyClick(&editor, Qt::Key_Period, Qt::ControlModifier);
  CHECK(editor.hoverCard().text().contains(u"pad the rows"));
}

TEST_CASE("a problem with a fix has a bulb, which a click opens", "[gui][editor]") {
  EditorWindow test;
  const Diagnostic wrong = wrongFunction();
  Diagnostic plain;
  plain.range = tests::rangeOf(tests::sampleSource(), "tl.store");
  plain.message = "no fix";
  test.found = {wrong, plain};
  test.open();
  views::KernelEditor &editor = test.fixture.editor();
  const auto marks = [&](const Diagnostic &diagnostic) {
    return editor.markersAtLine(static_cast<int>(diagnostic.range.begin.line)) &
           static_cast<unsigned>(views::kProblemMarkers);
  };
  CHECK(marks(wrong) == 1U << views::kErrorFixMarker);
  CHECK(marks(plain) == 1U << views::kErrorMarker);
  const auto line = static_cast<unsigned long>(wrong.range.begin.line);
  const auto send = [&](unsigned message, unsigned long w, long l) {
    return static_cast<int>(editor.SendScintilla(message, w, l));
  };
  const int start = send(QsciScintillaBase::SCI_POSITIONFROMLINE, line, 0);
  const QPoint bulb(editor.marginWidth(views::kNumberMargin) +
                        editor.marginWidth(views::kBreakpointMargin) +
                        editor.marginWidth(views::kSymbolMargin) / 2,
                    send(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, start) +
                        send(QsciScintillaBase::SCI_TEXTHEIGHT, line, 0) / 2);
  QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, bulb);
  auto *popup = qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  CHECK(editor.cursor() == wrong.range.begin);
  CHECK(popup->facts().isEmpty());
  CHECK(popup->preview().document().text().find("num_programs") != std::string::npos);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
  CHECK(QApplication::activePopupWidget() == nullptr);
  CHECK(editor.utf8Text() == tests::sampleSource());
}

TEST_CASE("F8 walks the problems of the file", "[gui][editor]") {
  EditorWindow test;
  for (const char *place : {"tl.load", "program_id", "tl.store"}) {
    Diagnostic wrong;
    wrong.range = tests::rangeOf(tests::sampleSource(), place);
    wrong.message = place;
    test.found.push_back(wrong);
  }
  test.open();
  test.fixture.editor().goTo({0, 0});
  for (const char *place : {"program_id", "tl.load", "tl.store", "program_id"}) {
    QTest::keyClick(&test.fixture.editor(), Qt::Key_F8);
    CHECK(test.fixture.editor().cursor() == tests::rangeOf(tests::sampleSource(), place).begin);
  }
  QTest::keyClick(&test.fixture.editor(), Qt::Key_F8, Qt::ShiftModifier);
  CHECK(test.fixture.editor().cursor() == tests::rangeOf(tests::sampleSource(), "tl.store").begin);
}

TEST_CASE("the list of problems waits for the statement that is typed", "[gui][editor]") {
  EditorWindow test;
  test.open();
  Diagnostic wrong;
  wrong.range = tests::rangeOf(tests::sampleSource(), "tl.store");
  wrong.message = "half typed";
  test.found = {wrong};
  test.fixture.editor().goTo(wrong.range.end);
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.type("x");
  REQUIRE(settled.wait(5000));
  CHECK(test.window.problems()->model().rowCount() == 0);
  CHECK(QTest::qWaitFor([&] { return test.window.problems()->model().rowCount() == 1; }, 5000));
}

TEST_CASE("findings of an earlier text fade while a long compile goes on", "[gui][editor]") {
  EditorWindow test;
  Diagnostic wrong;
  wrong.range = tests::rangeOf(tests::sampleSource(), "tl.store");
  wrong.message = "of the text before";
  test.found = {wrong};
  test.open();
  views::ProblemsView &problems = *test.window.problems();
  REQUIRE(problems.model().rowCount() == 1);
  CHECK_FALSE(problems.isOutdated());
  const auto answer = std::exchange(test.backend.answer, nullptr);
  test.fixture.editor().goTo({0, 0});
  test.fixture.type("#");
  REQUIRE(QTest::qWaitFor([&] { return problems.isOutdated(); }, 1000));
  CHECK(test.fixture.editor().areDiagnosticsOutdated());
  const auto labels = test.window.statusBar()->findChildren<QLabel *>();
  CHECK(std::ranges::any_of(labels, [](QLabel *label) { return label->text() == u"Compiling…"; }));
  // Nothing is called free of problems before it is known to be.
  test.backend.answer = answer;
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.type(" ");
  REQUIRE(settled.wait(5000));
  CHECK_FALSE(problems.isOutdated());
  CHECK_FALSE(test.fixture.editor().areDiagnosticsOutdated());
}

TEST_CASE("a problem of the compiled file never selects lines of another", "[gui][editor]") {
  EditorWindow test;
  Diagnostic wrong;
  wrong.range = tests::rangeOf(tests::sampleSource(), "tl.store");
  wrong.message = "of the kernel";
  test.found = {wrong};
  test.open();
  // A text of the language is not compiled: nothing speaks of the kernel behind it.
  EditorPage *other = test.window.openReadOnly(QStringLiteral("<prelude>/other.py"),
                                               QStringLiteral("x = 1\n").repeated(100));
  REQUIRE(test.window.currentPage() == other);
  CHECK(test.window.problems()->model().diagnostics().empty());
  CHECK(test.window.compileController()->document() == nullptr);
  Q_EMIT test.window.problems()->placeRequested(wrong.range);
  CHECK(test.window.currentPage() == other);
  CHECK(other->editor().cursor() == Position{0, 0});
  CHECK_FALSE(other->editor().hasSelectedText());
}

TEST_CASE("Alt+Enter fixes what is wrong anywhere on the line", "[gui][editor]") {
  EditorWindow test;
  const Diagnostic wrong = wrongFunction();
  test.found = {wrong};
  test.open();
  for (const uint32_t column : {uint32_t{0}, uint32_t{1000}}) {
    test.fixture.editor().goTo({wrong.range.begin.line, column});
    QTest::keyClick(&test.fixture.editor(), Qt::Key_Return, Qt::AltModifier);
    auto *popup = qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
    REQUIRE(popup);
    CHECK(popup->fixes().front().edit.title == "change to `num_programs`");
    QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
  }
  CHECK(test.fixture.editor().utf8Text() == tests::sampleSource());
}

TEST_CASE("keys typed into a stage are answered with the command for a copy", "[gui][editor]") {
  EditorWindow test;
  test.open();
  CodeView &view = test.window.stageColumn(compiler::StageId::Ttir)->codeView();
  const std::string shown = view.document().text();
  view.setFocus();
  QTest::keyClick(&view, 'x');
  const QString said = test.window.statusBar()->currentMessage();
  CHECK(said.startsWith(QStringLiteral("TTIR is read-only. Edit a copy:")));
  CHECK(said.contains(test.window.action(QStringLiteral("forkTtir"))->text()));
  CHECK(view.document().text() == shown);
  // Keys that read are not.
  test.window.statusBar()->clearMessage();
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Escape);
  CHECK(test.window.statusBar()->currentMessage().isEmpty());
}

TEST_CASE("what follows from a key is done in events of their own", "[gui][editor]") {
  EditorWindow test;
  test.open();
  const auto compiled = [&] { return test.window.compileController()->document()->source->text; };
  test.fixture.editor().goTo({0, 0});
  QTest::keyClick(&test.fixture.editor(), '#');
  CHECK(compiled() == tests::sampleSource());
  QCoreApplication::processEvents();
  CHECK(compiled() == "#" + tests::sampleSource());
  // A command right behind a key is about the text with it.
  QTest::keyClick(&test.fixture.editor(), '#');
  QTest::keyClick(&test.fixture.editor(), Qt::Key_B, Qt::ControlModifier);
  CHECK(compiled() == "##" + tests::sampleSource());
}

TEST_CASE("the editor's menu offers what does something at the cursor, with its keys",
          "[gui][editor]") {
  EditorWindow test;
  Diagnostic wrong;
  wrong.message = "wrong";
  wrong.range = tests::rangeOf(tests::sampleSource(), "x + y");
  wrong.fixes = {{wrong.range, "x", "write `x`"}};
  test.found = {wrong};
  test.open();
  KernelEditor &editor = test.fixture.editor();
  QApplication::clipboard()->clear();
  // The right button puts the cursor where it is pressed.
  const auto open = [&](const char *snippet) {
    const Position at = tests::rangeOf(tests::sampleSource(), snippet).begin;
    editor.goTo(at);
    QTest::qWait(20);
    const long offset = editor.positionFromLineIndex(int(at.line), int(at.column));
    const QPoint point(
        int(editor.SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, offset)),
        int(editor.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, offset)));
    // Elsewhere, without scrolling.
    editor.SendScintilla(QsciScintilla::SCI_SETEMPTYSELECTION, 0UL);
    QContextMenuEvent event(QContextMenuEvent::Mouse, point + QPoint(3, 3),
                            editor.viewport()->mapToGlobal(point + QPoint(3, 3)));
    QApplication::sendEvent(editor.viewport(), &event);
    CHECK(editor.cursor().line == at.line);
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
  };
  const auto isEnabled = [](const QMenu *menu, const char *id) {
    for (const QAction *action : menu->actions())
      if (action->objectName() == QLatin1String(id))
        return action->isEnabled();
    FAIL("not in the menu: " << id);
    return false;
  };
  QMenu *menu = open("x + y");
  REQUIRE(menu);
  CHECK(isEnabled(menu, "definition"));
  CHECK(isEnabled(menu, "fix"));
  for (const char *id : {"undo", "redo", "cut", "copy", "paste"})
    CHECK_FALSE(isEnabled(menu, id));
  for (const QAction *action : menu->actions())
    if (action->objectName() == u"undo")
      CHECK(action->text() == u"Undo\tCtrl+Z");
  QTest::keyClick(menu, Qt::Key_Escape);
  menu = open("import");
  REQUIRE(menu);
  CHECK_FALSE(isEnabled(menu, "fix"));
  QTest::keyClick(menu, Qt::Key_Escape);
  // The chosen action applies to the editor.
  editor.setFocus();
  QTest::keyClick(&editor, Qt::Key_X);
  const std::string changed = editor.utf8Text();
  menu = open("import");
  REQUIRE(menu);
  for (QAction *action : menu->actions())
    if (action->objectName() == u"undo")
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
  CHECK(QTest::qWaitFor([&] { return editor.utf8Text() != changed; }));
}

TEST_CASE("text of another size leaves the cursor's line in sight", "[gui][editor]") {
  EditorWindow test;
  const std::string lines(120, '\n');
  test.fixture.openAndWait(test.fixture.write("long.py", tests::sampleSource() + lines), 5000);
  KernelEditor &editor = test.fixture.editor();
  editor.setFocus();
  editor.goTo({70, 0});
  QTest::qWait(20);
  // Near the lower edge.
  editor.setFirstVisibleLine(70 - int(editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN)) + 3);
  for (int i = 0; i < 6; ++i) {
    QTest::keyClick(&editor, Qt::Key_Plus, Qt::ControlModifier);
    QTest::qWait(20);
    const int row = 70 - editor.firstVisibleLine();
    CHECK(row >= 0);
    CHECK(row < int(editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN)));
  }
  QTest::keyClick(&editor, Qt::Key_0, Qt::ControlModifier);
}

TEST_CASE("a fix that is clicked in Problems shows what it changed", "[gui][editor]") {
  EditorWindow test;
  const Diagnostic wrong = wrongFunction();
  test.found = {wrong};
  test.open();
  test.window.resize(1366, 500);
  auto &editor = test.fixture.editor();
  editor.append(QStringLiteral("#\n").repeated(200));
  REQUIRE(QTest::qWaitFor([&] { return test.window.compileController()->isCurrent(); }, 5000));
  editor.goTo({200, 0});
  auto *tree = test.window.problems()->findChild<QTreeView *>();
  tree->setFocus();
  const auto fix = [&]() -> QModelIndex {
    const views::ProblemsModel &model = test.window.problems()->model();
    const QModelIndex problem = model.index(0, 0);
    for (int row = 0; row < model.rowCount(problem); ++row)
      if (const QModelIndex at = model.index(row, 0, problem); model.fixAt(at))
        return at;
    return {};
  };
  REQUIRE(QTest::qWaitFor([&] { return fix().isValid(); }, 5000));
  test.window.dock(QStringLiteral("problems"))->raise();
  QCoreApplication::processEvents();
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(fix()).center());
  CHECK(editor.utf8Text().find("tl.num_programs") != std::string::npos);
  CHECK(editor.cursor().line == wrong.range.begin.line);
  CHECK(editor.firstLine() <= wrong.range.begin.line);
  CHECK(test.window.focusWidget() == &editor);
}

TEST_CASE("what opens above the text leaves the cursor's line in sight", "[gui][editor]") {
  EditorWindow test;
  test.open();
  auto &editor = test.fixture.editor();
  editor.append(QStringLiteral("#\n").repeated(200));
  const long onScreen = editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN);
  const auto last = static_cast<uint32_t>(onScreen) - 1;
  editor.restorePlace({last, 0}, 0);
  REQUIRE(editor.firstLine() == 0);
  test.window.resize(test.window.width(), test.window.height() - 80);
  QCoreApplication::processEvents();
  const long fewer = editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN);
  REQUIRE(fewer < onScreen);
  CHECK(last < editor.firstLine() + static_cast<uint32_t>(fewer));
  // When it closes, the text is where it was.
  test.window.resize(test.window.width(), test.window.height() + 80);
  QCoreApplication::processEvents();
  const auto now = static_cast<uint32_t>(editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
  REQUIRE(now > static_cast<uint32_t>(fewer));
  CHECK(editor.firstLine() == std::max(last + 1, now) - now);
}
