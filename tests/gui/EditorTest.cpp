// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/editor/CompletionModel.h"
#include "views/editor/CompletionPopup.h"
#include "views/editor/EditContext.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/PythonScanner.h"

#include <QtTest/QAbstractItemModelTester>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

static TokenKind kindOf(const std::string &text, const std::string &word, int occurrence = 1) {
  size_t at = text.find(word);
  while (--occurrence > 0)
    at = text.find(word, at + 1);
  for (const ScannedToken &token : scanPython(text).tokens)
    if (token.begin <= at && at < token.end())
      return token.kind;
  return TokenKind::Plain;
}

TEST_CASE("names are told apart by what they are", "[gui][editor]") {
  const std::string text = tests::sampleSource();
  CHECK(kindOf(text, "tl.program_id") == TokenKind::LanguageName);
  CHECK(kindOf(text, "program_id") == TokenKind::LanguageName);
  CHECK(kindOf(text, "BLOCK + tl") == TokenKind::Constexpr);
  CHECK(kindOf(text, "x_ptr + offsets") == TokenKind::Argument);
  CHECK(kindOf(text, "@triton.jit") == TokenKind::Decorator);
  CHECK(kindOf(text, "vector_add(") == TokenKind::FunctionName);
  CHECK(kindOf(text, "mask = offsets") == TokenKind::Local);
  CHECK(kindOf(text, "def ") == TokenKind::Keyword);
  CHECK(kindOf(text, "n = 98432") == TokenKind::BlockKey);
  CHECK(kindOf(text, "98432") == TokenKind::BlockValue);
  CHECK(kindOf("import triton.language as L\nx = L.zeros((4,), L.int32)\n", "zeros") ==
        TokenKind::LanguageName);
}

TEST_CASE("tokens never overlap, whatever is typed", "[gui][editor]") {
  const std::string text = tests::sampleSource();
  for (size_t length = 0; length <= text.size(); length += 7) {
    uint32_t last = 0;
    for (const ScannedToken &token : scanPython(text.substr(0, length)).tokens) {
      REQUIRE(token.begin >= last);
      REQUIRE(token.length > 0);
      last = token.end();
    }
    REQUIRE(last <= length);
  }
}

TEST_CASE("strings and numbers end where Python ends them", "[gui][editor]") {
  CHECK(kindOf("x = rb'a\\'b' + y", "b' +") == TokenKind::String);
  CHECK(kindOf("x = '''a\nb''' + y", "b'''") == TokenKind::String);
  CHECK(kindOf("x = 'open\ny = 1", "y") == TokenKind::Local);
  CHECK(kindOf("x = 1e-5 + y", "e-5") == TokenKind::Number);
  CHECK(kindOf("x = 0x1f - y", "y") == TokenKind::Local);
}

TEST_CASE("the call around the cursor is found", "[gui][editor]") {
  auto at = [](const std::string &text) {
    const auto offset = static_cast<uint32_t>(text.find('|'));
    std::string plain = text;
    plain.erase(offset, 1);
    return callAt(plain, offset);
  };
  CHECK(at("tl.load(ptr + |, mask=m)").callee == "tl.load");
  CHECK(at("tl.load(ptr, (a, b), |)").argument == 2);
  CHECK(at("tl.load(ptr, mask=|)").keyword == "mask");
  CHECK(at("f(g(x), |").callee == "f");
  CHECK(at("x = 1 + |").callee.empty());
}

TEST_CASE("what is being typed is found", "[gui][editor]") {
  CHECK(completionAt("x = tl.lo", 9).object == "tl");
  CHECK(completionAt("x = tl.lo", 9).prefix == "lo");
  CHECK(completionAt("x = 'lo", 7).inert);
  CHECK(completionAt("# tl.lo", 7).inert);
  CHECK_FALSE(completionAt("x = lo", 6).inert);
  CHECK(dottedNameAt("a = tl.load(x)", 8) == "tl.load");
}

static LanguageEntries sampleLanguage() {
  using Kind = LanguageEntry::Kind;
  return {
      {QStringLiteral("tl.load"),
       QStringLiteral("(pointer, mask=None, other=None)"),
       {QStringLiteral("pointer"), QStringLiteral("mask"), QStringLiteral("other")},
       QStringLiteral("Reads a block."),
       Kind::Function},
      {QStringLiteral("tl.log"), QStringLiteral("(x)"), {QStringLiteral("x")}, {}, Kind::Function},
      {QStringLiteral("tl.store"), QStringLiteral("(pointer, value)"), {}, {}, Kind::Function},
      {QStringLiteral("tensor.sum"), QStringLiteral("(axis=None)"), {}, {}, Kind::Method}};
}

static QStringList labels(const std::string &text) {
  QStringList result;
  for (const Completion &completion :
       completionsAt(text, static_cast<uint32_t>(text.size()), scanPython(text), sampleLanguage()))
    result << completion.label;
  return result;
}

TEST_CASE("completion offers what fits, best first", "[gui][editor]") {
  CHECK(labels("import triton.language as tl\ntl.lo") ==
        QStringList{QStringLiteral("log"), QStringLiteral("load")});
  CHECK(labels("import triton.language as L\nL.st") == QStringList{QStringLiteral("store")});
  CHECK(labels("tl.load(p, ma").first() == QStringLiteral("mask="));
  CHECK(labels("x.su") == QStringList{QStringLiteral("sum")});
  CHECK(labels("def f(alpha, beta):\n    al").first() == QStringLiteral("alpha"));
  CHECK(labels("'tl.lo").isEmpty());
}

TEST_CASE("the completion model is a good model", "[gui][editor]") {
  CompletionModel model;
  QAbstractItemModelTester tester(&model);
  model.setCompletions({{QStringLiteral("a"), QStringLiteral("a"), {}, {}, {}}});
  CHECK(model.rowCount() == 1);
  model.setCompletions({});
  CHECK(model.rowCount() == 0);
}

namespace {
struct EditorFixture {
  QWidget window;
  KernelEditor editor{&window};

  explicit EditorFixture(const QString &text) {
    window.resize(900, 600);
    editor.resize(900, 600);
    editor.setLanguage(std::make_shared<LanguageEntries>(sampleLanguage()));
    editor.setText(text);
    window.show();
    editor.setFocus();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
  }
  void type(const char *keys) { QTest::keyClicks(&editor, QString::fromLatin1(keys)); }
};
} // namespace

TEST_CASE("typing completes, and enter takes the choice", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.editor.goTo({1, 0});
  fixture.type("x = tl.loa");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  CHECK(fixture.editor.completionPopup().current() == QStringLiteral("load"));
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text(1) == QStringLiteral("x = tl.load"));
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.type("(");
  CHECK(fixture.editor.text(1) == QStringLiteral("x = tl.load()"));
  CHECK(fixture.editor.hoverCard().isVisible());
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("pointer")));
}

TEST_CASE("a new line takes over and deepens the indentation", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(x):"));
  fixture.editor.goTo({0, 9});
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  fixture.type("return x");
  QTest::keyClick(&fixture.editor, Qt::Key_Escape);
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text() == QStringLiteral("def f(x):\n    return x\n"));
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
  CHECK(fixture.editor.markMatches(QStringLiteral("x[0-9]"), expression) == 2);
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
    CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("Reads a block.")));
  }
}

TEST_CASE("hovering a variable shows its type and shape", "[gui][editor]") {
  EditorFixture fixture(QString::fromStdString(tests::sampleSource()));
  const SourceRange use = tests::rangeOf(tests::sampleSource(), "offsets < n");
  SourceRange name = use;
  name.end.column = use.begin.column + 7;
  fixture.editor.setValues(
      {{use, "tensor<int1>[1024]", false}, {name, "tensor<int32>[1024]", false}});
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
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("tensor&lt;int32&gt;[1024]")));
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
  CHECK(hintText({{{{line, 4}, {line, 11}, 0}, "tensor<int32>[1024]", true}}, line) ==
        QStringLiteral("int32[1024]"));
}
