// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// F1 on a word, a view, a problem, or a line of a stage.
#include "tests/gui/FakeWindow.h"
#include "views/common/Theme.h"
#include "views/editor/FixPopup.h"
#include "views/help/Glossary.h"
#include "views/help/GlossaryView.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QTreeView>

using namespace tilescope;
using namespace tilescope::tests;
using views::GlossaryView;

TEST_CASE("F1 begins with the word at the cursor, or the view in use", "[gui][help]") {
  FakeWindow test;
  test.openAndWait(test.write("kernel.py", sampleSource()));
  test.window->editor()->setFocus();
  test.window->editor()->goTo(rangeOf(sampleSource(), "mask=mask").begin);
  test.press(Qt::Key_F1, Qt::NoModifier);
  QPointer<GlossaryView> view = test.window->findChild<GlossaryView *>();
  REQUIRE(view);
  CHECK(view->shownText().startsWith(QStringLiteral("Mask")));
  QTest::keyClicks(&view->searchField(), QStringLiteral("fault"));
  CHECK(view->shownText().startsWith(QStringLiteral("Fault")));
  QTest::keyClick(&view->searchField(), Qt::Key_Escape);
  REQUIRE(QTest::qWaitFor([&] { return !view; }));
  test.press(Qt::Key_7);
  test.press(Qt::Key_F1, Qt::NoModifier);
  view = test.window->findChild<GlossaryView *>();
  REQUIRE(view);
  INFO(view->searchField().text().toStdString());
  CHECK(view->shownText().startsWith(QStringLiteral("Layout view")));
}

TEST_CASE("F1 opens the page of a function, of a message and of an operation", "[gui][help]") {
  FakeWindow test;
  const auto missing = [&](const compiler::CompileRequest &) {
    auto result = sampleResult();
    compiler::Diagnostic diagnostic;
    diagnostic.kind = compiler::DiagnosticKind::ShapeMismatch;
    diagnostic.range = rangeOf(sampleSource(), "offsets < n");
    diagnostic.message = "shapes differ";
    result->diagnostics = {diagnostic};
    return result;
  };
  test.fake.answer = missing;
  test.openAndWait(test.write("kernel.py", sampleSource()));
  QPointer<GlossaryView> view;
  const auto pageAt = [&](const char *code) {
    test.window->activateWindow();
    test.window->editor()->setFocus();
    test.window->editor()->goTo(rangeOf(sampleSource(), code).begin);
    test.press(Qt::Key_F1, Qt::NoModifier);
    view = test.window->findChild<GlossaryView *>();
    REQUIRE(view);
    return view->shownText();
  };
  CHECK(pageAt("arange(0").startsWith(u"tl.arange"));
  CHECK(view->shownText().contains(u"arange(start, end)"));
  CHECK(view->shownText().contains(u"j = tl.arange(0, 8)"));
  // Problems whose examples happen to call it do not mention it.
  CHECK_FALSE(view->shownText().contains(u"launch-block-invalid"));
  CHECK(pageAt("load(x_ptr").startsWith(u"tl.load"));
  const QString constexprPage = pageAt("constexpr):");
  INFO(constexprPage.left(80).toStdString());
  CHECK(constexprPage.startsWith(u"Constexpr"));
  // No word that has a page, and a problem.
  CHECK(pageAt("offsets < n").startsWith(u"shape-mismatch"));
  // A word that no page covers: that is said, and a search is offered.
  CHECK(pageAt("offsets = ").startsWith(u"No page covers offsets."));
  auto *page = view->findChild<QTextBrowser *>();
  CHECK(page->toMarkdown().contains(u"(help-search:offsets)"));
  Q_EMIT page->anchorClicked(QUrl(QStringLiteral("help-search:offsets")));
  CHECK(view->searchField().text() == u"offsets");
  CHECK_FALSE(view->shownText().startsWith(u"No "));
  // Its search finds the same pages, and a link leads to those of which only the term is listed.
  view->searchField().selectAll();
  QTest::keyClicks(&view->searchField(), QStringLiteral("where"));
  CHECK(view->shownText().startsWith(u"tl.where"));
  view->showSection(QStringLiteral("Language"));
  CHECK(page->toPlainText().contains(u"tl.atomic_add · "));
  Q_EMIT page->anchorClicked(QUrl(QStringLiteral("help:tl.atomic_add")));
  CHECK(view->shownText().startsWith(u"tl.atomic_add"));
  QTest::keyClick(&view->searchField(), Qt::Key_Escape);
  REQUIRE(QTest::qWaitFor([&] { return !view; }));

  // An operation of a stage.
  views::StageColumn *column = test.window->stageColumn(compiler::StageId::Ttir);
  views::CodeView &code = column->codeView();
  const std::string ttir = code.document().text();
  const size_t at = ttir.find("tt.make_range");
  REQUIRE(at != std::string::npos);
  code.setFocus();
  code.setCurrentLine(
      static_cast<int32_t>(std::count(ttir.begin(), ttir.begin() + static_cast<long>(at), '\n')));
  test.window->activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(test.window.get()));
  QTest::keyClick(&code, Qt::Key_F1);
  view = test.window->findChild<GlossaryView *>();
  REQUIRE(view);
  CHECK(view->shownText().startsWith(u"tt.make_range"));
}

TEST_CASE("a problem is explained in terms of NumPy, with the change that mends it",
          "[gui][help]") {
  FakeWindow test;
  test.fake.answer = [](const compiler::CompileRequest &request) {
    auto result = sampleResult();
    result->files = {{request.path, request.text}};
    compiler::Diagnostic diagnostic;
    diagnostic.kind = compiler::DiagnosticKind::AmbiguousCondition;
    diagnostic.range = rangeOf(sampleSource(), "offsets < n");
    diagnostic.message = "this condition is 64 answers at once";
    diagnostic.fixes = {{diagnostic.range, "offsets <= n", "write `offsets <= n`"}};
    if (request.text == sampleSource())
      result->diagnostics = {diagnostic};
    return result;
  };
  test.openAndWait(test.write("kernel.py", sampleSource()));
  views::KernelEditor &editor = *test.window->editor();
  editor.setFocus();
  editor.goTo({0, 0});
  const auto explain = [&] {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_E, Qt::ControlModifier | Qt::AltModifier);
    return qobject_cast<views::FixPopup *>(QApplication::activePopupWidget());
  };
  CHECK_FALSE(explain());
  CHECK(test.window->statusBar()->currentMessage().startsWith(u"Nothing is wrong in the"));
  editor.goTo({rangeOf(sampleSource(), "offsets < n").begin.line, 0});
  views::FixPopup *popup = explain();
  REQUIRE(popup);
  CHECK(popup->explanation().startsWith(u"this condition is 64 answers at once"));
  CHECK(popup->explanation().contains(u"NumPy says the same"));
  CHECK(popup->explanation().contains(u"as np.where"));
  REQUIRE(popup->fixes().size() == 1);
  CHECK(popup->preview().document().text().find("offsets <= n") != std::string::npos);
  CHECK(popup->preview().isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  CHECK(editor.utf8Text() == sampleSource());

  // From the list of problems, too; Enter applies the change.
  auto *list = test.window->problems()->findChild<QTreeView *>();
  test.window->action(QStringLiteral("view.problems"))->trigger();
  list->setFocus();
  list->setCurrentIndex(list->model()->index(0, 0));
  popup = explain();
  REQUIRE(popup);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  CHECK(editor.utf8Text().find("offsets <= n") != std::string::npos);
}

TEST_CASE("F1 opens the page of an instruction, whatever its widths", "[gui][help]") {
  FakeWindow test;
  test.fake.answer = [](const compiler::CompileRequest &) {
    auto result = sampleResult();
    for (compiler::Stage &stage : result->stages)
      if (stage.id == compiler::StageId::Ptx)
        stage.text = "\tmov.u32 \t%r1, %tid.x;\n\t@%p1 ld.global.v4.b32 \t{ %r2 }, [ %rd1 ];\n"
                     "\tmax.f32 \t%f1, %f2, %f3;\n";
    return result;
  };
  test.openAndWait(test.write("kernel.py", sampleSource()));
  views::StageColumn *column = test.window->stageColumn(compiler::StageId::Ptx);
  views::CodeView &code = column->codeView();
  code.setFocus();
  const auto pageAt = [&](int32_t line) {
    code.setCurrentLine(line);
    QTest::keyClick(&code, Qt::Key_F1);
    auto *view = test.window->findChild<GlossaryView *>();
    REQUIRE(view);
    return view->shownText();
  };
  CHECK(pageAt(1).startsWith(u"ld.global"));

  // The pointer over the instruction, its widths included, and not over its registers.
  test.window->action(QStringLiteral("view.stage.ptx"))->trigger();
  REQUIRE(QTest::qWaitFor([&] { return code.isVisible() && code.viewport()->width() > 300; }));
  const auto tipAt = [&](const char *word) {
    QToolTip::hideText();
    const QFontMetricsF metrics(views::codeFont());
    for (int x = 0; x < code.viewport()->width(); x += 3) {
      QHelpEvent event(QEvent::ToolTip, QPoint(x, qRound(metrics.height() * 1.5)),
                       code.viewport()->mapToGlobal(QPoint(x, 0)));
      QCoreApplication::sendEvent(code.viewport(), &event);
      if (QToolTip::text().contains(QString::fromLatin1(word)))
        return QToolTip::text();
    }
    return QString();
  };
  CHECK(tipAt("loads from global memory").startsWith(u"<p>ld.global: "));
  CHECK(tipAt("%r2").isEmpty());
  // Code in the words, and what is no tag.
  code.setWordHelp([](const QString &, int) { return QStringLiteral("`a < b` is true\nor not"); });
  CHECK(tipAt("true") == u"<p>‘a &lt; b’ is true<br>or not</p>");
}

TEST_CASE("the glossary and the functions are in the Help menu", "[gui][help]") {
  FakeWindow test;
  const QList<QAction *> menus = test.window->menuBar()->actions();
  for (const char *id : {"glossary", "functions"}) {
    QAction *command = test.window->action(QString::fromLatin1(id));
    REQUIRE(command != nullptr);
    CHECK(menus.last()->menu()->actions().contains(command));
  }
  test.window->action(QStringLiteral("functions"))->trigger();
  const auto *view = test.window->findChild<GlossaryView *>();
  REQUIRE(view);
  for (const char *name : {"tl.load", "tl.where", "tl.arange", "tl.dot"})
    CHECK(view->shownText().contains(QString::fromLatin1(name)));
}
