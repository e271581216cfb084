// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the editor says beside the text: parameters, problems, messages, hints.
#include "compiler/artifacts/AppliedFix.h"
#include "tests/gui/EditorFixture.h"
#include "tests/gui/Patience.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/common/Theme.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/FixPopup.h"
#include "views/editor/PopupPlacement.h"
#include "views/editor/TextChange.h"

#include <QScreen>

using namespace tilescope;
using namespace tilescope::views;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::Severity;
using tests::EditorFixture;

static Diagnostic problem(uint32_t line, uint32_t begin, uint32_t end, std::string message,
                          uint32_t file = 0) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = {{line, begin}, {line, end}, file};
  diagnostic.message = std::move(message);
  return diagnostic;
}

static bool isMarked(KernelEditor &editor, int line, int index) {
  const long offset = editor.positionFromLineIndex(line, index);
  return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT,
                              static_cast<unsigned long>(kErrorIndicator), offset) != 0;
}

TEST_CASE("an open bracket shows the parameters, the current one marked", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  const HoverCard &card = fixture.editor.signatureCard();
  fixture.putAtEnd();
  fixture.type("x = tl.load(");
  REQUIRE(card.isVisible());
  auto marked = [&](const char *parameter) {
    const QString html = card.text();
    const qsizetype bold = html.indexOf(QStringLiteral("<b>"));
    return bold >= 0 && html.mid(bold, html.indexOf(QStringLiteral("</b>")) - bold)
                            .contains(QString::fromLatin1(parameter));
  };
  CHECK(marked("pointer"));
  // It stays while names are typed and completed.
  fixture.type("p, ma");
  CHECK(card.isVisible());
  CHECK(fixture.editor.completionPopup().isVisible());
  fixture.press(Qt::Key_Escape);
  CHECK(card.isVisible());
  fixture.type("sk=tl.min(a");
  CHECK(card.text().contains(QStringLiteral("tl.min")));
  fixture.press(Qt::Key_Escape);
  fixture.type(")");
  CHECK(card.text().contains(QStringLiteral("tl.load")));
  CHECK(marked("mask"));
  fixture.type(")");
  CHECK_FALSE(card.isVisible());
}

TEST_CASE("Escape closes the parameters", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.putAtEnd();
  fixture.type("x = tl.load(");
  REQUIRE(fixture.editor.signatureCard().isVisible());
  fixture.press(Qt::Key_Escape);
  CHECK_FALSE(fixture.editor.signatureCard().isVisible());
  fixture.type("1, ");
  CHECK_FALSE(fixture.editor.signatureCard().isVisible());
  fixture.editor.showSignature();
  CHECK(fixture.editor.signatureCard().isVisible());
}

TEST_CASE("functions of the file show their parameters, too", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def launch(alpha, beta=2):\n    pass\n\n\n"));
  fixture.putAtEnd();
  fixture.type("launch(1, ");
  REQUIRE(fixture.editor.signatureCard().isVisible());
  CHECK(fixture.editor.signatureCard().text().contains(QStringLiteral("beta=2")));
}

TEST_CASE("leaving the line shows what is wrong with it", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\n"));
  fixture.editor.goTo({0, 5});
  fixture.type(" + m");
  fixture.editor.setDiagnostics({problem(0, 8, 9, "`m` is not defined")});
  REQUIRE_FALSE(isMarked(fixture.editor, 0, 8));
  fixture.press(Qt::Key_Escape);
  QSignalSpy released(&fixture.editor, &KernelEditor::diagnosticsReleased);
  fixture.press(Qt::Key_Down);
  CHECK(isMarked(fixture.editor, 0, 8));
  CHECK(released.count() == 1);
}

TEST_CASE("a statement over several lines is typed as one", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = f(1,\n      2)\nb = 2\n"));
  fixture.editor.goTo({1, 7});
  fixture.type("3");
  fixture.editor.setDiagnostics({problem(0, 4, 5, "no"), problem(2, 0, 1, "yes")});
  CHECK_FALSE(isMarked(fixture.editor, 0, 4));
  CHECK(isMarked(fixture.editor, 2, 0));
}

TEST_CASE("problems move along with the text", "[gui][editor]") {
  std::vector<Diagnostic> found{problem(2, 4, 6, "here")};
  found[0].fixes = {{{{2, 4}, {2, 6}, 0}, "x", "replace"}};
  moveDiagnostics(found, TextChange::insertion({1, 0}, "one\ntwo\n"));
  CHECK(found[0].range == SourceRange{{4, 4}, {4, 6}, 0});
  CHECK(found[0].fixes.size() == 1);
  moveDiagnostics(found, TextChange::insertion({4, 0}, "ab"));
  CHECK(found[0].range == SourceRange{{4, 6}, {4, 8}, 0});
  moveDiagnostics(found, TextChange::deletion({3, 0}, "x\nab"));
  CHECK(found[0].range == SourceRange{{3, 4}, {3, 6}, 0});
  // A fix of a place that has changed would do harm.
  moveDiagnostics(found, TextChange::insertion({3, 5}, "z"));
  CHECK(found[0].fixes.empty());
}

TEST_CASE("only what is wrong in this file is marked in it", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\n"));
  fixture.editor.setDiagnostics({problem(0, 0, 1, "elsewhere", 1)});
  CHECK_FALSE(isMarked(fixture.editor, 0, 0));
  CHECK_FALSE(fixture.editor.goToProblem(true));
  fixture.editor.showHover();
  CHECK_FALSE(fixture.editor.hoverCard().text().contains(QStringLiteral("elsewhere")));
}

TEST_CASE("stepping walks all problems of the file and says each", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\nc = 3\n"));
  std::vector<Diagnostic> found{problem(2, 4, 5, "third"), problem(0, 4, 5, "first"),
                                problem(1, 0, 1, "elsewhere", 1)};
  found[0].severity = Severity::Warning;
  fixture.editor.setDiagnostics(found);
  CHECK(fixture.editor.goToProblem(true));
  CHECK(fixture.editor.cursor() == Position{0, 4});
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("first")));
  CHECK(fixture.editor.goToProblem(true));
  CHECK(fixture.editor.cursor() == Position{2, 4});
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("third")));
  CHECK(fixture.editor.goToProblem(true));
  CHECK(fixture.editor.cursor() == Position{0, 4});
  CHECK(fixture.editor.goToProblem(false));
  CHECK(fixture.editor.cursor() == Position{2, 4});
}

TEST_CASE("a step to an open parenthesis says what is wrong, not what the function does",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = tl.load(p\n"));
  fixture.editor.setDiagnostics({problem(0, 11, 12, "was never closed")});
  REQUIRE(fixture.editor.goToProblem(true));
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("was never closed")));
  CHECK_FALSE(fixture.editor.hoverCard().text().contains(QStringLiteral("tl.load")));
}

TEST_CASE("a fix shows the lines that it changes, and the facts of its trial", "[editor]") {
  const compiler::DiagnosticFix fix{{{1, 2}, {1, 3}}, "xy", "write more"};
  CHECK(compiler::fixedText("a\nb c\nd\n", fix) == "a\nb xy\nd\n");
  const UnifiedDiff preview = fixPreview("a\nb c\nd\n", fix);
  CHECK(preview.text == "a\nb c\nb xy\nd\n");
  CHECK(preview.numAdded == 1);
  CHECK(preview.numRemoved == 1);
  // Behind the end of the text is its end.
  CHECK(compiler::fixedText("a", {{{7, 0}, {7, 0}}, "\nb", ""}) == "a\nb");
  CHECK(outcomeFacts("stages 0 → 3, registers 61 → 58; equal results") ==
        std::vector<std::string>{"stages 0 → 3", "registers 61 → 58", "equal results"});
  CHECK(outcomeFacts("").empty());
}

TEST_CASE("the fixes at the cursor are listed first, then those of its line", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = tl.laod(p)\ny = 2\n"));
  Diagnostic wrong = problem(0, 7, 11, "`tl` has no `laod`");
  wrong.fixes = {{wrong.range, "load", "change to `load`"}};
  Diagnostic other = problem(0, 12, 13, "`p` is not defined");
  other.fixes = {{other.range, "q", "change to `q`"}};
  fixture.editor.setDiagnostics({other, wrong});
  fixture.editor.goTo({0, 9});
  fixture.editor.showFixes();
  auto *popup = qobject_cast<FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  REQUIRE(popup->fixes().size() == 2);
  CHECK(popup->fixes()[0].edit.title == "change to `load`");
  CHECK(popup->fixes()[1].edit.title == "change to `q`");
  CHECK(popup->preview().document().text().starts_with("x = tl.laod(p)\nx = tl.load(p)\n"));
  QTest::keyClick(popup->focusWidget(), Qt::Key_Down);
  CHECK(popup->current() == 1);
  CHECK(popup->preview().document().text().starts_with("x = tl.laod(p)\nx = tl.laod(q)\n"));
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(fixture.editor.text(0) == QStringLiteral("x = tl.laod(q)\n"));
}

TEST_CASE("the fix at the cursor is applied by Enter", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = tl.laod(p)\ny = 2\n"));
  Diagnostic wrong = problem(0, 7, 11, "`tl` has no `laod`");
  wrong.fixes = {{wrong.range, "load", "change to `load`"}};
  fixture.editor.setDiagnostics({wrong});
  fixture.editor.goTo({0, 9});
  fixture.editor.showFixes();
  auto *popup = qobject_cast<FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  REQUIRE(popup->fixes().size() == 1);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(fixture.editor.text(0) == QStringLiteral("x = tl.load(p)\n"));
  fixture.editor.goTo({1, 0});
  fixture.editor.showFixes();
  CHECK_FALSE(QApplication::activePopupWidget());
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("No fix")));
}

TEST_CASE("popups leave the pane but not the screen", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.window.resize(200, 60);
  fixture.editor.resize(200, 60);
  fixture.putAtEnd();
  fixture.type("x = tl.lo");
  const CompletionPopup &list = fixture.editor.completionPopup();
  REQUIRE(list.isVisible());
  CHECK(list.isWindow());
  CHECK(list.height() > 60);
  CHECK(list.screen()->availableGeometry().contains(list.geometry()));
  fixture.press(Qt::Key_Tab);
  fixture.type("(");
  const HoverCard &card = fixture.editor.signatureCard();
  REQUIRE(card.isVisible());
  CHECK(card.isWindow());
  CHECK(card.width() > 200);
  CHECK(card.screen()->availableGeometry().contains(card.geometry()));
  // They go with their window.
  QEvent deactivate(QEvent::WindowDeactivate);
  QCoreApplication::sendEvent(&fixture.window, &deactivate);
  CHECK_FALSE(card.isVisible());
}

TEST_CASE("a popup stands where there is room", "[gui][editor]") {
  const QRect screen(0, 0, 800, 600);
  CHECK(placeBeside({100, 50}, {10, 100, 1, 20}, screen, PopupSide::Below) ==
        QRect(10, 123, 100, 50));
  CHECK(placeBeside({100, 50}, {10, 100, 1, 20}, screen, PopupSide::Above) ==
        QRect(10, 47, 100, 50));
  CHECK(placeBeside({100, 50}, {790, 570, 1, 20}, screen, PopupSide::Below) ==
        QRect(700, 517, 100, 50));
  CHECK(placeBeside({100, 50}, {10, 20, 1, 20}, screen, PopupSide::Above) ==
        QRect(10, 43, 100, 50));
  CHECK(screen.contains(placeBeside({900, 700}, {10, 20, 1, 20}, screen, PopupSide::Above)));
}

TEST_CASE("a message that does not fit opens on hover, in full", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\n"));
  const std::string longMessage = "cannot broadcast " + std::string(300, 'x') + " to the end";
  Diagnostic wrong = problem(1, 0, 1, longMessage);
  wrong.notes = {"The rule is this."};
  fixture.editor.setDiagnostics({wrong});
  const int end = fixture.editor.positionFromLineIndex(1, 5);
  const int x = static_cast<int>(
      fixture.editor.SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, end));
  const int y = static_cast<int>(
      fixture.editor.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, end));
  QTest::mouseMove(fixture.editor.viewport(), QPoint(x + 200, y + 5));
  REQUIRE(QTest::qWaitFor([&] { return fixture.editor.hoverCard().isVisible(); }, 5000));
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("to the end")));
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("The rule is this.")));
}

TEST_CASE("hints and messages can be read in both themes", "[gui][editor]") {
  for (const char *name : {"dark", "light"}) {
    INFO(name);
    const Theme shown = loadTheme(QString::fromLatin1(name));
    for (const ColorRole text : {kHintRole, ColorRole::Error, ColorRole::Warning, ColorRole::Info})
      for (const ColorRole paper : {ColorRole::Base, ColorRole::CurrentLine, ColorRole::FocusWeak})
        CHECK(contrastRatio(shown[text], shown[paper]) >= 4.5);
  }
}

TEST_CASE("the editor scrolls back when the cursor returns", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a line of about forty letters, no more\n"));
  const auto scrolled = [&] { return fixture.editor.SendScintilla(QsciScintilla::SCI_GETXOFFSET); };
  fixture.putAtEnd();
  fixture.type(std::string(300, '1').c_str());
  REQUIRE(QTest::qWaitFor([&] { return scrolled() > 0; }, 2000));
  fixture.press(Qt::Key_Up);
  CHECK(QTest::qWaitFor([&] { return scrolled() == 0; }, 2000));
}

TEST_CASE("documentation is found behind a name, and missed aloud elsewhere", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\nx = tl.load(p)\n\n"));
  const HoverCard &card = fixture.editor.hoverCard();
  fixture.editor.goTo({1, 11});
  CHECK(fixture.editor.nameBefore({1, 11}) == Position{1, 10});
  fixture.editor.showHover();
  CHECK(card.text().contains(QStringLiteral("tl.load")));
  fixture.editor.goTo({2, 0});
  fixture.editor.showHover();
  REQUIRE(card.isVisible());
  CHECK(card.text().contains(QStringLiteral("There is nothing to show")));
}

TEST_CASE("a card is as large as what it says now", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\n"));
  std::string words;
  for (int i = 0; i < 200; ++i)
    words += "many words ";
  fixture.editor.setDiagnostics({problem(0, 0, 1, words)});
  fixture.editor.goTo({0, 0});
  fixture.editor.showHover();
  const int large = fixture.editor.hoverCard().height();
  fixture.editor.goTo({1, 0});
  fixture.editor.showFixes();
  REQUIRE(fixture.editor.hoverCard().isVisible());
  const int line = fixture.editor.fontMetrics().height();
  CHECK(large > 5 * line);
  CHECK(fixture.editor.hoverCard().height() < 3 * line);
}

TEST_CASE("a line has one icon, of the worst that is wrong with it", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = b + c\n"));
  std::vector<Diagnostic> found{problem(0, 4, 5, "bad"), problem(0, 8, 9, "doubtful")};
  found[1].severity = Severity::Warning;
  fixture.editor.setDiagnostics(found);
  CHECK(fixture.editor.markersAtLine(0) == 1U << kErrorMarker);
  found[0].severity = Severity::Warning;
  fixture.editor.setDiagnostics(found);
  CHECK(fixture.editor.markersAtLine(0) == 1U << kWarningMarker);
}

TEST_CASE("the fix of a problem is offered at its label too", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("first\nsecond\n"));
  Diagnostic found = problem(0, 0, 5, "bad");
  found.labels.push_back({{{1, 0}, {1, 6}}, "declared here"});
  found.fixes.push_back({{{0, 0}, {0, 5}}, "mended", "mend"});
  fixture.editor.setDiagnostics({found});
  fixture.editor.goTo({1, 2});
  fixture.editor.showFixes();
  auto *popup = qobject_cast<FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Return);
  CHECK(fixture.editor.utf8Text() == "mended\nsecond\n");
}

TEST_CASE("the icon in the gutter says what is wrong with the line", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = b\nc = 1\n"));
  fixture.editor.setDiagnostics({problem(0, 4, 5, "`b` is not defined")});
  const HoverCard &card = fixture.editor.hoverCard();
  const int height =
      static_cast<int>(fixture.editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0));
  QTest::mouseMove(fixture.editor.viewport(), {6, height / 2});
  REQUIRE(QTest::qWaitFor([&] { return card.isVisible(); }, 5000));
  CHECK(card.text().contains(QStringLiteral("`b` is not defined")));
  QTest::mouseMove(fixture.editor.viewport(), {6, height * 3 / 2});
  CHECK_FALSE(card.isVisible());
}

TEST_CASE("the mark of a breakpoint is unlike that of an error, and says what it is",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = b\nc = 1\nd = 2\n"));
  fixture.editor.setDiagnostics({problem(0, 4, 5, "`b` is not defined")});
  fixture.editor.toggleBreakpoint(1);
  fixture.editor.setCondition(2, "c > 1");
  const int height =
      static_cast<int>(fixture.editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0));
  const QImage image = fixture.editor.viewport()->grab().toImage();
  const double scale = image.devicePixelRatio();
  const auto left = static_cast<int>(
      fixture.editor.SendScintilla(QsciScintilla::SCI_GETMARGINWIDTHN, kNumberMargin));
  const auto width = static_cast<int>(
      fixture.editor.SendScintilla(QsciScintilla::SCI_GETMARGINWIDTHN, kBreakpointMargin));
  const auto shows = [&](int line, ColorRole role) {
    const QRgb color = theme()[role].rgb();
    for (int y = qRound(line * height * scale); y < (line + 1) * height * scale; ++y)
      for (int x = qRound(left * scale); x < (left + width) * scale; ++x)
        if (image.pixel(x, y) == color)
          return true;
    return false;
  };
  for (const int line : {1, 2}) {
    CHECK(shows(line, ColorRole::Accent));
    CHECK_FALSE(shows(line, ColorRole::Error));
  }
  const HoverCard &card = fixture.editor.hoverCard();
  // The pointer may be there already.
  QTest::mouseMove(fixture.editor.viewport(), {300, height * 9});
  QTest::mouseMove(fixture.editor.viewport(), {6, height * 3 / 2});
  REQUIRE(QTest::qWaitFor([&] { return card.isVisible(); }, tests::kPatienceMs));
  CHECK(card.text().contains(QStringLiteral("Breakpoint: F9")));
  QTest::mouseMove(fixture.editor.viewport(), {6, height * 5 / 2});
  REQUIRE(QTest::qWaitFor([&] { return card.isVisible() && card.text().contains(u"where"); },
                          tests::kPatienceMs));
  CHECK(card.text().contains(QStringLiteral("c &gt; 1")));
}

TEST_CASE("hints keep out of the gutter, and spell types as hovering does", "[gui][editor]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  EditorFixture fixture(QStringLiteral("mask = 1\n%1\n").arg(QString(400, u'x')));
  const compiler::ValueFacts mask{{{0, 0}, {0, 4}, 0}, "int1[1024]", true};
  CHECK(hintText({mask}, 0) == QStringLiteral("int1[1024]"));
  const auto gutter = [&] {
    const QImage image = fixture.editor.viewport()->grab().toImage();
    long width = 0;
    for (unsigned long margin = 0; margin < 5; ++margin)
      width += fixture.editor.SendScintilla(QsciScintilla::SCI_GETMARGINWIDTHN, margin);
    return image.copy(0, 0, static_cast<int>(width * image.devicePixelRatio()), 30);
  };
  fixture.editor.goTo({1, 390});
  // Just so far that the hint of the first line would begin in the gutter.
  for (long scrolled = 40; scrolled <= 140; scrolled += 20) {
    fixture.editor.SendScintilla(QsciScintilla::SCI_SETXOFFSET,
                                 static_cast<unsigned long>(scrolled));
    fixture.editor.setValues({});
    const QImage without = gutter();
    fixture.editor.setValues({mask});
    CHECK(gutter() == without);
  }
  fixture.editor.setValues({mask});
  fixture.editor.goTo({0, 2});
  fixture.editor.showHover();
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("int1[1024]")));
  CHECK_FALSE(fixture.editor.hoverCard().text().contains(QStringLiteral("tensor")));
}

TEST_CASE("the parameters stay where their call begins", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n\n\n\n\n"));
  fixture.putAtEnd();
  fixture.type("x = tl.load(");
  const HoverCard &card = fixture.editor.signatureCard();
  REQUIRE(card.isVisible());
  const QPoint outer = card.pos();
  fixture.type("pointer + 1, mask=");
  CHECK(card.pos() == outer);
  fixture.type("tl.max(");
  CHECK(card.pos().x() > outer.x());
  fixture.type("1)");
  CHECK(card.pos() == outer);
}

TEST_CASE("a hint without room is told by hovering its line", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("offsets = %1\nb = 2\n").arg(QString(400, u'1')));
  const compiler::ValueFacts offsets{{{0, 0}, {0, 7}, 0}, "int64[1024]", true};
  fixture.editor.setValues({offsets});
  const HoverCard &card = fixture.editor.hoverCard();
  const int height =
      static_cast<int>(fixture.editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0));
  // Far from the name that the hint is about.
  QTest::mouseMove(fixture.editor.viewport(), {600, height / 2});
  REQUIRE(QTest::qWaitFor([&] { return card.isVisible(); }, 5000));
  CHECK(card.text().contains(QStringLiteral("int64[1024]")));
  // Where there is room, it stands behind its line.
  fixture.editor.setText(QStringLiteral("offsets = 1\nb = 2\n"));
  fixture.editor.setValues({offsets});
  fixture.editor.goTo({0, 10});
  fixture.editor.showHover();
  CHECK_FALSE(card.text().contains(QStringLiteral("int64[1024]")));
}

TEST_CASE("the parameters of a call that was left open stay behind with it", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n\nx = 1\ny = 2\n"));
  const HoverCard &card = fixture.editor.signatureCard();
  fixture.editor.goTo({1, 0});
  fixture.type("o = tl.arange(");
  fixture.press(Qt::Key_Delete);
  fixture.type("0, ");
  REQUIRE(card.isVisible());
  REQUIRE(fixture.editor.utf8Text().find(')') == std::string::npos);
  fixture.press(Qt::Key_Down);
  CHECK_FALSE(card.isVisible());
  fixture.editor.showSignature();
  CHECK_FALSE(card.isVisible());
  // A line that goes on with the call belongs to it.
  fixture.press(Qt::Key_Up);
  fixture.press(Qt::Key_End);
  fixture.press(Qt::Key_Return);
  fixture.type("    4");
  fixture.editor.showSignature();
  CHECK(card.isVisible());
}

TEST_CASE("a message that does not fit opens where the cursor rests, not where it types",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\nc = 3\n"));
  const std::string message(200, 'm');
  fixture.editor.setDiagnostics({problem(1, 4, 5, message.c_str())});
  const HoverCard &card = fixture.editor.hoverCard();
  fixture.press(Qt::Key_Down);
  CHECK(QTest::qWaitFor([&] { return card.isVisible(); }, 5000));
  CHECK(card.text().contains(QString::fromStdString(message)));
  // It goes with the cursor.
  fixture.press(Qt::Key_Down);
  CHECK(QTest::qWaitFor([&] { return !card.isVisible(); }, 5000));
  fixture.press(Qt::Key_Up);
  CHECK(QTest::qWaitFor([&] { return card.isVisible(); }, 5000));
  fixture.type("x");
  CHECK_FALSE(card.isVisible());
  QTest::qWait(1000);
  CHECK_FALSE(card.isVisible());
}

TEST_CASE("parts of a card are parted by a line as wide as the card", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\n"));
  HoverCard card(&fixture.window);
  card.showText(QStringLiteral("one part of some length<hr>another"), QRect(100, 100, 1, 10),
                PopupSide::Below);
  REQUIRE(QTest::qWaitForWindowExposed(&card));
  const QImage image = card.grab().toImage();
  // The longest run of one color that is not the ground, in any row inside the frame.
  int longest = 0;
  for (int y = 4; y < image.height() - 4; ++y) {
    const QRgb ground = image.pixel(5, 5);
    int run = 0;
    for (int x = 4; x < image.width() - 4; ++x) {
      run = image.pixel(x, y) != ground ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  }
  CHECK(longest > image.width() * 3 / 4);
}

TEST_CASE("a jump brings the beginning of its line back into sight", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("short\n") + QStringLiteral("x").repeated(400) +
                        QStringLiteral("\nshort\n"));
  const auto scrolled = [&] { return fixture.editor.SendScintilla(QsciScintilla::SCI_GETXOFFSET); };
  fixture.editor.goTo({2, 0});
  fixture.editor.SendScintilla(QsciScintilla::SCI_SETXOFFSET, 100UL);
  // The cursor is there already.
  fixture.editor.goTo({2, 0});
  CHECK(scrolled() == 0);
  // Where the line is left of what is seen, a place far to the right stays in sight.
  fixture.editor.goTo({1, 390});
  CHECK(scrolled() > 0);
}
