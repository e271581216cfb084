// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What comes of keys: exactly what was typed, whatever the editor offers meanwhile.
#include "tests/gui/EditorFixture.h"
#include "views/editor/EditorIndicators.h"

#include <QDir>
#include <QFile>

using namespace tilescope;
using namespace tilescope::views;
using tests::EditorFixture;

static const QString kHeaderLine = QStringLiteral("import triton.language as tl\n\n\n"
                                                  "def kernel(cols, n, N, foo):\n    ");

/// Types behind the header and returns what was added.
static QString typedBehindHeader(const char *keys) {
  EditorFixture fixture(kHeaderLine);
  fixture.putAtEnd();
  fixture.type(keys);
  CHECK(fixture.editor.text().startsWith(kHeaderLine));
  return fixture.editor.text().mid(kHeaderLine.size());
}

TEST_CASE("Enter behind a closed bracket begins a line", "[gui][editor]") {
  CHECK(typedBehindHeader("x = foo(n)\n") == QStringLiteral("x = foo(n)\n    "));
  CHECK(typedBehindHeader("x = foo[n]\n") == QStringLiteral("x = foo[n]\n    "));
  CHECK(typedBehindHeader("x = (n, [n])\n") == QStringLiteral("x = (n, [n])\n    "));
}

TEST_CASE("Enter behind a finished word begins a line", "[gui][editor]") {
  CHECK(typedBehindHeader("mask = cols < n\n") == QStringLiteral("mask = cols < n\n    "));
  CHECK(typedBehindHeader("mask = cols < N\n") == QStringLiteral("mask = cols < N\n    "));
  CHECK(typedBehindHeader("x = co\n") == QStringLiteral("x = co\n    "));
  CHECK(typedBehindHeader("x = tl.exp\n") == QStringLiteral("x = tl.exp\n    "));
}

TEST_CASE("lines typed fluently are what was typed", "[gui][editor]") {
  const char *lines = "row = tl.program_id(0)\n"
                      "cols = tl.arange(0, N)\n"
                      "mask = cols < n\n"
                      "x = tl.load(foo + cols, mask=mask, other=0.0)\n"
                      "m = tl.sum(x * x, axis=0) / n\n"
                      "y = x * tl.rsqrt(m + 1e-6)\n"
                      "tl.store(foo + row * n + cols, y, mask=mask)\n";
  QString expected = QString::fromLatin1(lines).replace(u'\n', QStringLiteral("\n    "));
  CHECK(typedBehindHeader(lines) == expected);
}

TEST_CASE("brackets come in pairs only where they are closed", "[gui][editor]") {
  CHECK(typedBehindHeader("x = (") == QStringLiteral("x = ()"));
  CHECK(typedBehindHeader("# see (a") == QStringLiteral("# see (a"));
  CHECK(typedBehindHeader("x = 'a (b") == QStringLiteral("x = 'a (b"));
  EditorFixture fixture(QStringLiteral("x = a)"));
  fixture.editor.goTo({0, 5});
  // This one was there before: typing another adds it.
  fixture.type(")");
  CHECK(fixture.editor.text() == QStringLiteral("x = a))"));
  // And a quote is never swallowed.
  fixture.editor.setText(QStringLiteral("x = \"a\""));
  fixture.editor.goTo({0, 4});
  fixture.type("\"");
  CHECK(fixture.editor.text() == QStringLiteral("x = \"\"a\""));
}

TEST_CASE("an empty pair goes with its opening bracket", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = "));
  fixture.putAtEnd();
  fixture.type("f(");
  fixture.press(Qt::Key_Backspace);
  CHECK(fixture.editor.text() == QStringLiteral("x = f"));
  fixture.type("(");
  fixture.press(Qt::Key_Right);
  fixture.press(Qt::Key_Left);
  // The cursor has left the pair: its brackets are now like any others.
  fixture.type(")");
  CHECK(fixture.editor.text() == QStringLiteral("x = f())"));
}

TEST_CASE("a new line takes over and deepens the indentation", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(x):"));
  fixture.putAtEnd();
  fixture.type("\nreturn x\n");
  CHECK(fixture.editor.text() == QStringLiteral("def f(x):\n    return x\n"));
  // A line of blanks does not stay.
  fixture.editor.setText(QStringLiteral("def f(x):\n    y = x"));
  fixture.putAtEnd();
  fixture.type("\n\nz = y");
  CHECK(fixture.editor.text() == QStringLiteral("def f(x):\n    y = x\n\n    z = y"));
}

TEST_CASE("Enter in an empty pair puts the closing bracket on a line of its own", "[gui][editor]") {
  EditorFixture fixture;
  fixture.type("f(\n");
  CHECK(fixture.editor.utf8Text() == "f(\n    \n)");
  CHECK(fixture.editor.cursor() == Position{1, 4});
  fixture.type("a,\n)");
  CHECK(fixture.editor.utf8Text() == "f(\n    a,\n)");
  // A bracket that is typed behind the last argument is the one below.
  fixture.editor.setText({});
  fixture.type("x = g(\na)\ny = 1");
  CHECK(fixture.editor.utf8Text() == "x = g(\n    a)\ny = 1");
  // One that is another pair's stays.
  fixture.editor.setText({});
  fixture.type("g(\n(a + b) * c\n)");
  CHECK(fixture.editor.utf8Text() == "g(\n    (a + b) * c\n)");
  fixture.editor.setText({});
  fixture.type("@triton.autotune(configs=[\nc(1),\n], key=[])\n");
  CHECK(fixture.editor.utf8Text() == "@triton.autotune(configs=[\n    c(1),\n], key=[])\n");
}

TEST_CASE("a clause goes back to its statement at its colon", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(x):"));
  fixture.putAtEnd();
  fixture.type("\nif x:\ny = 1\nelif x > 1:\ny = 2\nelse:\ny = 3");
  CHECK(fixture.editor.utf8Text() == "def f(x):\n    if x:\n        y = 1\n    elif x > 1:\n"
                                     "        y = 2\n    else:\n        y = 3");
  // Where it stands right it stays.
  fixture.editor.setText(QStringLiteral("if a:\n    if b:\n        c = 1\n    else"));
  fixture.putAtEnd();
  fixture.type(":");
  CHECK(fixture.editor.utf8Text() == "if a:\n    if b:\n        c = 1\n    else:");
  fixture.editor.setText(QStringLiteral("x = {\n    else_"));
  fixture.putAtEnd();
  fixture.type(":");
  CHECK(fixture.editor.utf8Text() == "x = {\n    else_:");
}

/// Types a text as a user does who corrects the indentation that the editor offers.
static void typeFluently(EditorFixture &fixture, const QString &text) {
  const QStringList lines = text.split(u'\n');
  for (qsizetype i = 0; i < lines.size(); ++i) {
    if (i > 0)
      fixture.press(Qt::Key_Return);
    const QString &line = lines[i];
    qsizetype indentation = 0;
    while (indentation < line.size() && line[indentation] == u' ')
      ++indentation;
    // Nobody indents a blank line.
    if (indentation < line.size() || i + 1 == lines.size()) {
      while (static_cast<qsizetype>(fixture.editor.cursor().column) > indentation)
        fixture.press(Qt::Key_Backspace);
      while (static_cast<qsizetype>(fixture.editor.cursor().column) < indentation)
        fixture.press(Qt::Key_Space);
    }
    for (const QChar character : line.mid(indentation))
      QTest::keyClick(&fixture.editor, character.toLatin1());
  }
}

TEST_CASE("typing a file produces the file", "[gui][editor]") {
  const QDir folder(QStringLiteral(TILESCOPE_EXAMPLES));
  const QStringList names = folder.entryList({QStringLiteral("*.py")}, QDir::Files);
  REQUIRE(names.size() >= 9);
  for (const QString &name : names) {
    INFO(name.toStdString());
    QFile file(folder.filePath(name));
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    EditorFixture fixture;
    typeFluently(fixture, text);
    CHECK(fixture.editor.text().toStdString() == text.toStdString());
  }
}

TEST_CASE("a completed function is called, a completed value is not", "[gui][editor]") {
  CHECK(typedBehindHeader("x = tl.program_\t0") == QStringLiteral("x = tl.program_id(0)"));
  CHECK(typedBehindHeader("x = tl.program_\t0) + 1") == QStringLiteral("x = tl.program_id(0) + 1"));
  CHECK(typedBehindHeader("x = tl.float3\t") == QStringLiteral("x = tl.float32"));
  EditorFixture fixture(QStringLiteral("import triton\n\n\n"));
  fixture.putAtEnd();
  fixture.type("@triton.ji\t");
  CHECK(fixture.editor.text().endsWith(QStringLiteral("@triton.jit")));
}

TEST_CASE("brackets that come with a function cost a fluent typist no key", "[gui][editor]") {
  CHECK(typedBehindHeader("x = tl.program_\t(0)") == QStringLiteral("x = tl.program_id(0)"));
  CHECK(typedBehindHeader("x = (tl.program_\t, 1)") == QStringLiteral("x = (tl.program_id, 1)"));
  CHECK(typedBehindHeader("x = [tl.program_\t]") == QStringLiteral("x = [tl.program_id]"));
  CHECK(typedBehindHeader("x = tl.program_\t((n))") == QStringLiteral("x = tl.program_id((n))"));
  // One that stands there already is taken.
  EditorFixture fixture(kHeaderLine + QStringLiteral("x = tl.program_(0)"));
  fixture.editor.goTo({4, 4 + 15});
  fixture.editor.triggerCompletion();
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.press(Qt::Key_Tab);
  CHECK(fixture.editor.text().endsWith(QStringLiteral("x = tl.program_id(0)")));
}

TEST_CASE("the icons of lines that were joined go with their problems", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = np.b\nc = np.d\n"));
  compiler::Diagnostic first, second;
  first.range = {{0, 4}, {0, 8}};
  second.range = {{1, 4}, {1, 8}};
  fixture.editor.setDiagnostics({first, second});
  fixture.editor.goTo({1, 0});
  QTest::keyClick(&fixture.editor, Qt::Key_Backspace);
  REQUIRE(fixture.editor.markersAtLine(0) == 1U << kErrorMarker);
  fixture.editor.setDiagnostics({});
  CHECK(fixture.editor.markersAtLine(0) == 0);
}

TEST_CASE("Enter in a launch block begins a line of it", "[gui][editor]") {
  for (const char *keys :
       {"# /// tilescope\nkernel = 1\n///\nx = 1", "# /// tilescope\n# kernel = 1\n# ///\nx = 1"}) {
    EditorFixture fixture;
    fixture.type(keys);
    CHECK(fixture.editor.utf8Text() == "# /// tilescope\n# kernel = 1\n# ///\nx = 1");
  }
}

TEST_CASE("a letter with Alt that means nothing is not typed", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("x = 1"));
  fixture.press(Qt::Key_O, Qt::AltModifier);
  QTest::keyClick(&fixture.editor, 'd', Qt::AltModifier);
  CHECK(fixture.editor.utf8Text() == "x = 1");
}

TEST_CASE("a closing bracket that begins its line is as deep as the line that opened it",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("@triton.autotune(configs=[\n    Config(1),\n    "));
  fixture.putAtEnd();
  fixture.type("]");
  CHECK(fixture.editor.utf8Text() == "@triton.autotune(configs=[\n    Config(1),\n]");
  // Behind others, and where no bracket is open, it stays where it is.
  fixture.editor.setText(QStringLiteral("x = (\n    [1,\n     2"));
  fixture.putAtEnd();
  fixture.type("]");
  CHECK(fixture.editor.utf8Text() == "x = (\n    [1,\n     2]");
  fixture.editor.setText(QStringLiteral("if x:\n    "));
  fixture.putAtEnd();
  fixture.type(")");
  CHECK(fixture.editor.utf8Text() == "if x:\n    )");
  // The one that came with its partner is typed, and not another one.
  fixture.editor.setText({});
  fixture.type("def k(x):\nw = f(x\n)\nv = w[x\n]\ny = 1");
  CHECK(fixture.editor.utf8Text() ==
        "def k(x):\n    w = f(x\n    )\n    v = w[x\n    ]\n    y = 1");
}

TEST_CASE("Enter indents with tabs where the text does", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(x):\n\ty = x\n\tif y:\n\t\tz = 1\n"));
  fixture.editor.goTo({1, 6});
  fixture.type("\nz = 2");
  CHECK(fixture.editor.text(2) == u"\tz = 2\n");
  fixture.editor.goTo({4, 7});
  fixture.type("\nw = 3\n");
  CHECK(fixture.editor.text(5) == u"\t\tw = 3\n");
  CHECK(fixture.editor.text(6) == u"\t\t\n");
  fixture.press(Qt::Key_Backtab);
  CHECK(fixture.editor.text(6) == u"\t\n");
  fixture.type("return z\n");
  CHECK(fixture.editor.utf8Text() ==
        "def f(x):\n\ty = x\n\tz = 2\n\tif y:\n\t\tz = 1\n\t\tw = 3\n\treturn z\n\n");
}

static const QString kFunctions =
    QStringLiteral("import triton\n\n"
                   "@triton.jit\ndef f(x, y):\n    a = x + y\n"
                   "    return a * a\n\n"
                   "@triton.jit\ndef g(x):\n    a = x\n    return a\n");

TEST_CASE("up and down keep the column of a jump", "[gui][editor]") {
  EditorFixture fixture(kFunctions);
  fixture.editor.goTo({4, 0});
  fixture.press(Qt::Key_End);
  fixture.editor.goTo({4, 6});
  fixture.press(Qt::Key_Down);
  CHECK(fixture.editor.cursor() == Position{5, 6});
  fixture.editor.find(QStringLiteral("triton"), {}, true, false);
  CHECK(fixture.editor.find(QStringLiteral("return"), {}, true, false));
  const uint32_t column = fixture.editor.cursor().column;
  fixture.press(Qt::Key_Up);
  CHECK(fixture.editor.cursor().column == std::min<uint32_t>(column, 9));
}

TEST_CASE("commenting lines keeps them selected", "[gui][editor]") {
  EditorFixture fixture(kFunctions);
  fixture.editor.goTo({4, 4});
  fixture.press(Qt::Key_Down, Qt::ShiftModifier);
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text(4) == u"    # a = x + y\n");
  CHECK(fixture.editor.text(5) == u"    # return a * a\n");
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text() == kFunctions);
}
