// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/EditorFixture.h"
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/editor/CompletionModel.h"
#include "views/editor/DifferingPart.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelLexer.h"

#include <QScrollBar>
#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope;
using tests::EditorFixture;
using namespace tilescope::views;

TEST_CASE("the completion model is a good model", "[gui][editor]") {
  CompletionModel model;
  QAbstractItemModelTester tester(&model);
  model.setCompletions({{"a", {}, {}, {}}});
  CHECK(model.rowCount() == 1);
  model.setCompletions({});
  CHECK(model.rowCount() == 0);
}

TEST_CASE("names are coloured by what they are", "[gui][editor]") {
  const std::string text = tests::sampleSource();
  EditorFixture fixture(QString::fromStdString(text));
  fixture.editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
  auto role = [&](const char *snippet) {
    const Position at = tests::rangeOf(text, snippet).begin;
    const long offset = fixture.editor.positionFromLineIndex(static_cast<int>(at.line),
                                                             static_cast<int>(at.column));
    const long style = fixture.editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, offset);
    return fixture.editor.lexer()->defaultColor(static_cast<int>(style));
  };
  CHECK(role("tl.program_id") == theme()[ColorRole::Language]);
  CHECK(role("program_id") == theme()[ColorRole::Language]);
  CHECK(role("BLOCK + tl") == theme()[ColorRole::Constexpr]);
  CHECK(role("x_ptr + offsets") == theme()[ColorRole::Argument]);
  CHECK(role("@triton.jit") == theme()[ColorRole::Decorator]);
  CHECK(role("vector_add(") == theme()[ColorRole::Function]);
  CHECK(role("mask = offsets") == theme()[ColorRole::Local]);
  CHECK(role("def ") == theme()[ColorRole::Keyword]);
  CHECK(role("n = 98432") == theme()[ColorRole::Attribute]);
  CHECK(role("98432") == theme()[ColorRole::TextMuted]);
}

TEST_CASE("ranges that overlap fold one after the other", "[gui][editor]") {
  constexpr int kBase = QsciScintillaBase::SC_FOLDLEVELBASE;
  constexpr int kHeader = QsciScintillaBase::SC_FOLDLEVELHEADERFLAG;
  CHECK(foldLevels({{0, 3}, {1, 2}}, 5) ==
        std::vector<int>{kBase | kHeader, (kBase + 1) | kHeader, kBase + 2, kBase + 1, kBase});
  // One bracket closes on the line that opens the next.
  CHECK(foldLevels({{0, 2}, {2, 4}}, 5) ==
        std::vector<int>{kBase | kHeader, kBase + 1, kBase | kHeader, kBase + 1, kBase + 1});
}

TEST_CASE("what is folded stays folded while a string above it is open", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = 1\n\n\ndef f():\n    return 1\n\n\ny = 2\n"));
  auto colorise = [&] { fixture.editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L); };
  colorise();
  fixture.editor.goTo({3, 0});
  fixture.editor.toggleFoldAtCursor();
  REQUIRE_FALSE(fixture.editor.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 4UL));
  fixture.editor.goTo({1, 0});
  fixture.type("'''");
  colorise();
  CHECK_FALSE(fixture.editor.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 4UL));
}

TEST_CASE("comments are put on and taken off", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(x):\n    a = x\n\n    b = x\n"));
  fixture.editor.setSelection(1, 0, 3, 5);
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text() == QStringLiteral("def f(x):\n    # a = x\n\n    # b = x\n"));
  fixture.editor.setSelection(1, 0, 3, 5);
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text() == QStringLiteral("def f(x):\n    a = x\n\n    b = x\n"));
  fixture.editor.undo();
  CHECK(fixture.editor.text().contains(QStringLiteral("# a = x")));
}

TEST_CASE("several cursors type at once", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a\na\na\n"));
  fixture.editor.goTo({0, 1});
  fixture.editor.addCursor(true);
  fixture.editor.addCursor(true);
  fixture.type("1");
  CHECK(fixture.editor.text() == QStringLiteral("a1\na1\na1\n"));
}

TEST_CASE("the next occurrence joins the selection", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("foo = foo + foo\n"));
  fixture.editor.goTo({0, 0});
  for (int i = 0; i < 3; ++i)
    fixture.editor.selectNextOccurrence();
  fixture.type("b");
  CHECK(fixture.editor.text() == QStringLiteral("b = b + b\n"));
}

TEST_CASE("find and replace know regular expressions", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x1 = 1\nx2 = 2\n"));
  FindOptions expression;
  expression.regularExpression = true;
  CHECK(fixture.editor.markMatches(QStringLiteral("x[0-9]"), expression).total == 2);
  CHECK(fixture.editor.find(QStringLiteral("x2"), {}, true, false));
  CHECK(fixture.editor.selectedText() == QStringLiteral("x2"));
  CHECK(fixture.editor.replaceAll(QStringLiteral("x([0-9])"), QStringLiteral("y\\1"), expression) ==
        2);
  CHECK(fixture.editor.text() == QStringLiteral("y1 = 1\ny2 = 2\n"));
  CHECK_FALSE(fixture.editor.find(QStringLiteral("x"), {}, true, false));
}

TEST_CASE("hover shows the type and what is wrong", "[gui][editor]") {
  EditorFixture fixture(QString::fromStdString(tests::sampleSource()));
  fixture.editor.setDiagnostics(tests::brokenResult()->diagnostics);
  fixture.editor.setValues(tests::sampleResult()->values);
  fixture.editor.goTo(tests::rangeOf(tests::sampleSource(), "offsets < n").begin);
  fixture.editor.showHover();
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("has shape [1024]")));
  // Whichever part of the name the pointer is on.
  const Position load = tests::rangeOf(tests::sampleSource(), "tl.load").begin;
  for (const uint32_t column : {load.column, load.column + 1, load.column + 4}) {
    fixture.editor.goTo({load.line, column});
    fixture.editor.showHover();
    CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("tl.load")));
  }
}

TEST_CASE("types of names go with the names", "[gui][editor]") {
  EditorFixture fixture(QString::fromStdString(tests::sampleSource()));
  fixture.editor.SendScintilla(QsciScintilla::SCI_SETCARETPERIOD, 0UL);
  const std::vector<compiler::ValueFacts> values = tests::sampleResult()->values;
  fixture.editor.setValues(values);
  const QImage shown = fixture.editor.viewport()->grab().toImage();
  fixture.editor.setValues({});
  REQUIRE(fixture.editor.viewport()->grab().toImage() != shown);
  fixture.editor.setValues(values);
  QTest::keyClick(&fixture.editor, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&fixture.editor, '0');
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  const QImage typed = fixture.editor.viewport()->grab().toImage();
  fixture.editor.setValues({});
  CHECK(fixture.editor.viewport()->grab().toImage() == typed);
}

TEST_CASE("hovering a variable shows its type and shape", "[gui][editor]") {
  EditorFixture fixture(QString::fromStdString(tests::sampleSource()));
  const SourceRange use = tests::rangeOf(tests::sampleSource(), "offsets < n");
  SourceRange name = use;
  name.end.column = use.begin.column + 7;
  fixture.editor.setValues({{use, "int1[1024]", false}, {name, "int32[1024]", false}});
  const int x = static_cast<int>(fixture.editor.SendScintilla(
      QsciScintilla::SCI_POINTXFROMPOSITION, 0,
      fixture.editor.positionFromLineIndex(static_cast<int>(use.begin.line),
                                           static_cast<int>(use.begin.column) + 2)));
  const int y = static_cast<int>(fixture.editor.SendScintilla(
      QsciScintilla::SCI_POINTYFROMPOSITION, 0,
      fixture.editor.positionFromLineIndex(static_cast<int>(use.begin.line),
                                           static_cast<int>(use.begin.column) + 2)));
  QTest::mouseMove(fixture.editor.viewport(), QPoint(x + 2, y + 5));
  REQUIRE(QTest::qWaitFor([&] { return fixture.editor.hoverCard().isVisible(); }, 5000));
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("int32[1024]")));
}

TEST_CASE("IR is coloured, folded and commented as IR", "[gui][editor]") {
  EditorFixture fixture(
      QStringLiteral("module {\n  tt.func @k(%x: i32) {\n    %0 = arith.addi %x, %x : i32\n"
                     "    tt.return\n  }\n}\n"));
  KernelEditor &editor = fixture.editor;
  auto color = [&](int line, int index) {
    editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
    const long style = editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT,
                                            editor.positionFromLineIndex(line, index));
    return editor.lexer()->defaultColor(static_cast<int>(style)).name();
  };
  editor.setStageLanguage(TextLanguage::Mlir);
  CHECK(color(1, 3) == theme()[ColorRole::Language].name());
  CHECK(color(1, 14) == theme()[ColorRole::Argument].name());
  CHECK(color(2, 30) == theme()[ColorRole::Type].name());
  // Spaces and ends of lines, too, have the background of the page.
  const QColor base = theme()[ColorRole::Base];
  const long paper = base.red() | (base.green() << 8) | (base.blue() << 16);
  for (long at = 0; at < editor.length(); ++at) {
    INFO("at " << at);
    const long style =
        editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, static_cast<unsigned long>(at));
    CHECK(editor.SendScintilla(QsciScintilla::SCI_STYLEGETBACK,
                               static_cast<unsigned long>(style)) == paper);
  }
  auto isHeader = [&](unsigned long line) {
    return (editor.SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, line) &
            QsciScintilla::SC_FOLDLEVELHEADERFLAG) != 0;
  };
  CHECK(isHeader(0));
  CHECK(isHeader(1));
  CHECK_FALSE(isHeader(2));
  editor.goTo({2, 6});
  editor.toggleComment();
  CHECK(editor.text(2) == QStringLiteral("    // %0 = arith.addi %x, %x : i32\n"));
  editor.toggleComment();
  CHECK(editor.text(2) == QStringLiteral("    %0 = arith.addi %x, %x : i32\n"));
  // No completion of kernel names, and no Python indentation after a colon.
  editor.goTo({3, 4});
  fixture.type("tt.loa");
  CHECK_FALSE(editor.completionPopup().isVisible());
  editor.setStageLanguage(TextLanguage::Llvm);
  editor.goTo({2, 6});
  editor.toggleComment();
  CHECK(editor.text(2).trimmed().startsWith(QStringLiteral("; %0")));
  editor.setStageLanguage(std::nullopt);
  CHECK(color(0, 0) != theme()[ColorRole::Keyword].name());
}

TEST_CASE("hints name types once", "[gui][editor]") {
  const auto values = tests::sampleResult()->values;
  const uint32_t line = tests::rangeOf(tests::sampleSource(), "offsets = ").begin.line;
  CHECK(hintText(values, 0).isEmpty());
  CHECK(hintText({{{{line, 4}, {line, 11}, 0}, "int32[1024]", true}}, line) ==
        QStringLiteral("int32[1024]"));
}

TEST_CASE("what can be scrolled to sideways shrinks with the text", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("short\n"));
  const auto range = [&] { return fixture.editor.horizontalScrollBar()->maximum(); };
  fixture.putAtEnd();
  fixture.type(std::string(600, '1').c_str());
  REQUIRE(QTest::qWaitFor([&] { return range() > 0; }, 2000));
  fixture.press(Qt::Key_A, Qt::ControlModifier);
  fixture.press(Qt::Key_Delete);
  CHECK(fixture.editor.text().isEmpty());
  CHECK(QTest::qWaitFor([&] { return range() == 0; }, 2000));
}

TEST_CASE("what is long stays in reach when another line gets shorter", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("short\n%1\n").arg(QString(400, u'1')));
  const auto range = [&] { return fixture.editor.horizontalScrollBar()->maximum(); };
  REQUIRE(QTest::qWaitFor([&] { return range() > 0; }, 2000));
  fixture.editor.goTo({0, 5});
  fixture.press(Qt::Key_Backspace);
  QTest::qWait(50);
  CHECK(range() > 0);
}

TEST_CASE("a text that fits is not scrolled", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a\n").repeated(10));
  fixture.editor.goTo({9, 0});
  CHECK(fixture.editor.firstLine() == 0);
  // One that does not is scrolled to its last line, and not beyond.
  fixture.editor.setText(QStringLiteral("a\n").repeated(200));
  fixture.editor.goTo({200, 0});
  const long onScreen = fixture.editor.SendScintilla(QsciScintilla::SCI_LINESONSCREEN);
  CHECK(fixture.editor.firstLine() == 201 - onScreen);
}

TEST_CASE("a decorator gets its color when its function is typed below it", "[gui][editor]") {
  EditorFixture fixture;
  fixture.type("import triton\n@triton.jit\n");
  fixture.press(Qt::Key_Escape);
  fixture.type("def f(x):\n");
  const long at = fixture.editor.positionFromLineIndex(1, 8);
  const auto style = [&] {
    return static_cast<int>(fixture.editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, at));
  };
  CHECK(QTest::qWaitFor([&] {
    return fixture.editor.lexer()->defaultColor(style()) == theme()[ColorRole::Decorator];
  }));
}

TEST_CASE("the bracket beside the cursor is marked with its partner, and one without as an error",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = f(a[0], 'b)')\ny = (a < 2"));
  KernelEditor &editor = fixture.editor;
  const auto marked = [&](EditorIndicator indicator) {
    std::vector<long> places;
    for (long at = 0; at < editor.length(); ++at)
      if (editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, indicator, at) != 0)
        places.push_back(at);
    return places;
  };
  using Places = std::vector<long>;
  const auto isMarked = [&](const Places &pair, const Places &lone) {
    return QTest::qWaitFor(
        [&] {
          return marked(kBraceIndicator) == pair && marked(kBraceTextIndicator) == pair &&
                 marked(kLoneBraceIndicator) == lone;
        },
        2000);
  };
  // The one before the cursor goes first. The one in the string is text.
  editor.goTo({0, 6});
  CHECK(isMarked({5, 16}, {}));
  editor.goTo({0, 7});
  CHECK(isMarked({7, 9}, {}));
  // What is typed moves the marks, and takes them away.
  fixture.type("[");
  CHECK(isMarked({}, {7}));
  fixture.press(Qt::Key_Backspace);
  CHECK(isMarked({7, 9}, {}));
  editor.goTo({0, 2});
  CHECK(isMarked({}, {}));
  // A comparison is no bracket.
  editor.goTo({1, 7});
  CHECK(isMarked({}, {}));
  editor.goTo({1, 5});
  CHECK(isMarked({}, {editor.positionFromLineIndex(1, 4)}));
}

TEST_CASE("Shift+Tab goes back to the tab stop before", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("                     a\n     b\n   c\nd\n"));
  fixture.editor.goTo({0, 21});
  const auto outdent = [&] { fixture.press(Qt::Key_Backtab, Qt::ShiftModifier); };
  for (const int wanted : {20, 16, 12}) {
    outdent();
    CHECK(fixture.editor.indentation(0) == wanted);
  }
  // Of a selection every line, in one step.
  fixture.editor.selectRange({{0, 0}, {3, 0}, 0});
  outdent();
  CHECK(fixture.editor.text() == u"        a\n    b\nc\nd\n");
  fixture.editor.undo();
  CHECK(fixture.editor.text() == u"            a\n     b\n   c\nd\n");
}

TEST_CASE("the bar says how far the text is scrolled, after text of another size, too",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("short\n%1\n").arg(QString(110, u'1')));
  fixture.editor.goTo({1, 0});
  const auto scrolled = [&] { return fixture.editor.SendScintilla(QsciScintilla::SCI_GETXOFFSET); };
  for (int steps = 0; steps < 8; ++steps) {
    views::setFontZoom(steps);
    QTest::qWait(5);
  }
  fixture.press(Qt::Key_End);
  REQUIRE(QTest::qWaitFor([&] { return scrolled() > 0; }, 2000));
  views::setFontZoom(0);
  CHECK(QTest::qWaitFor([&] { return fixture.editor.horizontalScrollBar()->value() == scrolled(); },
                        2000));
  fixture.editor.repaint();
  QTest::qWait(50);
  CHECK(fixture.editor.horizontalScrollBar()->value() == scrolled());
}

TEST_CASE("texts differ in parts between which lines stay", "[gui][editor]") {
  using Parts = std::vector<DifferingPart>;
  CHECK(differingParts("a1\nb\nc\n", "a2\nb\nc\nd\n") == Parts{{1, 2, 1, 2}, {7, 7, 7, 9}});
  CHECK(differingParts("a\nb", "a\nb").empty());
  CHECK(differingParts("", "a\n") == Parts{{0, 0, 0, 2}});
  // Nothing is cut inside of a letter, and the last line needs no line feed.
  CHECK(differingParts("é\nx\ny", "è\nx\ny\n") == Parts{{0, 2, 0, 2}, {6, 6, 6, 7}});
  std::mt19937 random(3);
  const auto text = [&] {
    std::string lines;
    for (uint32_t i = random() % 9; i > 0; --i)
      lines += std::string(random() % 3, char('a' + random() % 2)) + (random() % 5 ? "\n" : "");
    return lines;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string before = text(), after = text();
    std::string made = before;
    const Parts parts = differingParts(before, after);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      made.replace(part->begin, part->oldEnd - part->begin, after, part->newBegin,
                   part->newEnd - part->newBegin);
    INFO(before << "|" << after);
    REQUIRE(made == after);
  }
}

TEST_CASE("a card makes way for the place at which a program stops", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\nx = tl.load(p)\n\n"));
  const HoverCard &card = fixture.editor.hoverCard();
  fixture.editor.goTo({1, 10});
  fixture.editor.showHover();
  REQUIRE(card.isVisible());
  fixture.editor.setStepLine(1);
  CHECK_FALSE(card.isVisible());
  // It is shown again where the program stays.
  fixture.editor.showHover();
  fixture.editor.setStepLine(1);
  CHECK(card.isVisible());
}
