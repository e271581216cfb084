// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What comes of keys: exactly what was typed, whatever the editor offers meanwhile.
#include "tests/gui/EditorFixture.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/LaunchKeys.h"

#include <QDir>
#include <QFile>
#include <QMenu>
#include <QRegularExpression>

using namespace tilescope;
using namespace tilescope::views;
using tests::EditorFixture;

static const QString kHeader = QStringLiteral("import triton.language as tl\n\n\n"
                                              "def kernel(cols, n, N, foo):\n    ");

/// Types behind the header and returns what was added.
static QString typedBehindHeader(const char *keys) {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type(keys);
  CHECK(fixture.editor.text().startsWith(kHeader));
  return fixture.editor.text().mid(kHeader.size());
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

TEST_CASE("the list closes at closing brackets", "[gui][editor]") {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type("x = foo(co");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.type(")");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  CHECK(fixture.editor.text().endsWith(QStringLiteral("x = foo(co)")));
}

TEST_CASE("the list is as high as its rows", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def kernel(alpha):\n    "));
  fixture.putAtEnd();
  fixture.type("x = alph");
  const CompletionPopup &list = fixture.editor.completionPopup();
  REQUIRE(list.isVisible());
  REQUIRE(list.count() == 1);
  CHECK(list.height() < 2 * QFontMetrics(codeFont()).height());
}

TEST_CASE("arguments and locals stand above keywords", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def kernel(N):\n    "));
  fixture.putAtEnd();
  fixture.type("x = n");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  CHECK(fixture.editor.completionPopup().current() == QStringLiteral("N"));
}

TEST_CASE("Tab takes the row in use, Enter only what was chosen", "[gui][editor]") {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type("x = tl.program_");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  CHECK(fixture.editor.completionPopup().current() == QStringLiteral("program_id"));
  fixture.press(Qt::Key_Tab);
  CHECK(fixture.editor.text().endsWith(QStringLiteral("x = tl.program_id()")));
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  // Moving in the list chooses.
  fixture.press(Qt::Key_End);
  fixture.type("\ny = co");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  CHECK_FALSE(fixture.editor.completionPopup().enterAccepts());
  fixture.press(Qt::Key_Down);
  const QString chosen = fixture.editor.completionPopup().current();
  fixture.press(Qt::Key_Return);
  CHECK(fixture.editor.text().contains(QStringLiteral("y = ") + chosen));
  // A word that names nothing and can become only one name.
  fixture.press(Qt::Key_End);
  fixture.type("\nz = tl.program_");
  CHECK(fixture.editor.completionPopup().enterAccepts());
  fixture.press(Qt::Key_Return);
  CHECK(fixture.editor.text().endsWith(QStringLiteral("z = tl.program_id()")));
}

TEST_CASE("a name taken in front of a word leaves the word", "[gui][editor]") {
  EditorFixture fixture(kHeader + QStringLiteral("x = BLOCK"));
  fixture.editor.goTo({4, 8});
  fixture.type("co");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.press(Qt::Key_Tab);
  CHECK(fixture.editor.text().endsWith(QStringLiteral("x = colsBLOCK")));
}

TEST_CASE("nothing is offered where a name is invented", "[gui][editor]") {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type("for co");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.type("\ndef co");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.type("(co");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
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
  EditorFixture fixture(kHeader + QStringLiteral("x = tl.program_(0)"));
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

TEST_CASE("a launch block offers its keys when it is asked for them", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("# /// tilescope\n# grid = [1]\n# [args]\n"
                                       "# x = { dtype = \"fp32\",  }\n# ///\nx = 1\n"));
  fixture.editor.goTo({3, 24});
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.editor.triggerCompletion();
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.type("exp");
  fixture.press(Qt::Key_Tab);
  CHECK(fixture.editor.text().contains(QStringLiteral("\"fp32\", expected }")));
  const auto keys = [](std::string_view text, Position at) {
    std::string names;
    for (const auto &item : completeLaunchKeys(text, at).items)
      names += item.text + " ";
    return names;
  };
  CHECK(keys("# /// tilescope\n# \n", {1, 2}) == "grid kernel name guessed ");
  CHECK(keys("# /// tilescope\n# x = { init = \"ra\n", {1, 17}) == "rand randn randint ");
  // What `expected` can name: the block's own names, also those below, and functions.
  const std::string_view sums =
      "# /// tilescope\n# [sizes]\n# n = 4\n# [args]\n"
      "# out = { shape = [\"n\"], expected = \"2 * \" }\n"
      "# xs  = { shape = [\"n\", 8] }\n# [options]\n# num_warps = 4\n# ///\n";
  CHECK(keys(sums, {4, 41}).starts_with("n out xs sum mean max min argmax "));
  CHECK(explainLaunchKey(sums, {4, 30}).find("sum(x_ptr, axis=1)") != std::string::npos);
  CHECK(explainLaunchKey(sums, {4, 12}) == "`shape`: extents");
  CHECK(explainLaunchKey(sums, {4, 42}).empty());
  CHECK(keys("# /// tilescope\n# [op\n", {1, 5}) == "options ");
  CHECK(keys("# /// tilescope\n# x = { expected = \"y\", rt }\n", {1, 25}) == "rtol ");
  // Outside of a block there are none.
  CHECK(keys("# /// tilescope\n# ///\n# \n", {2, 2}).empty());
  CHECK(keys("# only a comment\n# \n", {1, 2}).empty());
}

TEST_CASE("the keys of a launch block are offered while they are typed", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("# /// tilescope\n# grid = [1]\n# [args]\n"
                                       "# x = { dtype = \"fp32\",  }\n# ///\nx = 1\n"));
  fixture.editor.goTo({3, 24});
  fixture.type("e");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.type("xp");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.press(Qt::Key_Tab);
  CHECK(fixture.editor.text().contains(QStringLiteral("\"fp32\", expected }")));
}

TEST_CASE("a completed call shows its parameters and goes with one BackSpace", "[gui][editor]") {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type("x = tl.program_\t");
  CHECK(fixture.editor.signatureCard().isVisible());
  fixture.press(Qt::Key_Backspace);
  CHECK(fixture.editor.text().endsWith(QStringLiteral("x = tl.program_id")));
}

TEST_CASE("a word that is complete has no list over the lines below", "[gui][editor]") {
  EditorFixture fixture(kHeader);
  fixture.putAtEnd();
  fixture.type("x = col");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.type("s");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
  fixture.type(" + N");
  CHECK_FALSE(fixture.editor.completionPopup().isVisible());
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
}

static const QString kUsages = QStringLiteral("import triton\n\n"
                                              "@triton.jit\ndef f(x, y):\n    a = x + y\n"
                                              "    return a * a\n\n"
                                              "@triton.jit\ndef g(x):\n    a = x\n    return a\n");

TEST_CASE("a name is renamed in its function by typing", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({5, 11});
  fixture.editor.selectUsages();
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("Type the new name")));
  fixture.type("sum");
  CHECK(fixture.editor.text(4).trimmed() == u"sum = x + y");
  CHECK(fixture.editor.text(5).trimmed() == u"return sum * sum");
  // Another function's name of the same letters is another one.
  CHECK(fixture.editor.text(9).trimmed() == u"a = x");
  fixture.editor.goTo({2, 0});
  fixture.editor.selectUsages();
  CHECK(fixture.editor.hoverCard().text().contains(QStringLiteral("No name of this file")));
}

TEST_CASE("a parameter is renamed in the configurations of its kernel, too", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral(
      "import triton\nimport triton.language as tl\n\n"
      "@triton.autotune([triton.Config({\"BM\": 64}), triton.Config({'BM': 128})], key=[\"n\"])\n"
      "@triton.heuristics({\"EVEN\": lambda args: args[\"n\"] % args[\"BM\"] == 0})\n"
      "@triton.jit\ndef f(x, n, BM: tl.constexpr, EVEN: tl.constexpr):\n"
      "    tl.store(x + tl.arange(0, BM), 0)\n"));
  fixture.editor.goTo({6, 13});
  fixture.editor.selectUsages();
  fixture.type("BLOCK");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text(3).contains(u"Config({\"BLOCK\": 64}), triton.Config({'BLOCK': 128})"));
  CHECK(fixture.editor.text(4).contains(u"args[\"n\"] % args[\"BLOCK\"] == 0"));
  CHECK(fixture.editor.text(6).contains(u"def f(x, n, BLOCK: tl.constexpr, EVEN"));
  CHECK(fixture.editor.text(7).contains(u"tl.arange(0, BLOCK)"));
}

TEST_CASE("a word of the language is not taken as a new name", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({5, 11});
  fixture.editor.selectUsages();
  fixture.type("for");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.hoverCard().text().contains(u"Not renamed"));
  CHECK(fixture.editor.hoverCard().text().contains(u"`for`"));
  CHECK(fixture.editor.utf8Text() == kUsages.toStdString());
}

TEST_CASE("Enter ends the name that is typed in several places", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({5, 11});
  fixture.editor.selectUsages();
  fixture.type("sum");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text(4).trimmed() == u"sum = x + y");
  CHECK(fixture.editor.lines() == kUsages.count(u'\n') + 1);
  fixture.type("x");
  CHECK(fixture.editor.text(4).trimmed() == u"sum = x + y");
  CHECK(fixture.editor.text(5).trimmed() == u"return sumx * sum");
}

TEST_CASE("a rename is one step that is undone and done again", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({5, 11});
  fixture.editor.selectUsages();
  fixture.type("sum");
  fixture.press(Qt::Key_Return);
  const QString renamed = fixture.editor.text();
  CHECK(renamed.contains(u"    sum = x + y\n    return sum * sum\n"));
  fixture.editor.undo();
  CHECK(fixture.editor.text() == kUsages);
  fixture.editor.redo();
  CHECK(fixture.editor.text() == renamed);
  CHECK(fixture.editor.cursor() == Position{5, 14});
  // Escape gives the name back.
  fixture.editor.selectUsages();
  fixture.type("other");
  fixture.press(Qt::Key_Escape);
  CHECK(fixture.editor.text() == renamed);
}

TEST_CASE("a name that is none, or is another one already, is not given", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  const auto rename = [&](const char *name) {
    fixture.editor.goTo({5, 11});
    fixture.editor.selectUsages();
    fixture.type(name);
    fixture.press(Qt::Key_Return);
    return fixture.editor.hoverCard().text();
  };
  for (const char *name : {"9a", "a b", "return"}) {
    INFO(name);
    CHECK(rename(name).contains(u"Not renamed"));
    CHECK(fixture.editor.text() == kUsages);
  }
  CHECK(rename("y").contains(u"in line 4"));
  CHECK(fixture.editor.text() == kUsages);
  // A function of the file, which this one does not use, is no other name here.
  rename("g");
  CHECK(fixture.editor.text().contains(u"return g * g"));
  // Two functions are one too many.
  fixture.editor.goTo({3, 4});
  fixture.editor.selectUsages();
  fixture.type("g");
  fixture.press(Qt::Key_Return);
  CHECK(fixture.editor.text().contains(u"def f(x, y)"));
}

TEST_CASE("an imported name is renamed where it is defined", "[gui][editor]") {
  const QString text = QStringLiteral("from helpers import rotate\n\n\ndef f(x):\n"
                                      "    return rotate(x)\n");
  EditorFixture fixture(text);
  fixture.editor.goTo({4, 13});
  fixture.editor.selectUsages();
  CHECK(fixture.editor.hoverCard().text().contains(u"comes from"));
  CHECK(fixture.editor.selectedText().isEmpty());
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

TEST_CASE("up and down keep the column of a jump", "[gui][editor]") {
  EditorFixture fixture(kUsages);
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
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({4, 4});
  fixture.press(Qt::Key_Down, Qt::ShiftModifier);
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text(4) == u"    # a = x + y\n");
  CHECK(fixture.editor.text(5) == u"    # return a * a\n");
  fixture.editor.toggleComment();
  CHECK(fixture.editor.text() == kUsages);
}

TEST_CASE("select all selects the name that is being renamed, and not the text", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({5, 11});
  fixture.editor.selectUsages();
  fixture.type("sum");
  fixture.editor.selectAll();
  fixture.type("zz");
  CHECK(fixture.editor.text(4).trimmed() == u"zz = x + y");
  CHECK(fixture.editor.text(5).trimmed() == u"return zz * zz");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  fixture.editor.selectAll();
  CHECK(fixture.editor.selectedText() == fixture.editor.text());
}

TEST_CASE("a parameter is renamed in the launch block, too", "[gui][editor]") {
  const QString text =
      QStringLiteral("# /// tilescope\n# kernel = \"f\"\n"
                     "# grid = [\"cdiv(n, B)\"]\n# [sizes]\n# n = 64\n"
                     "# [args]\n"
                     "# x = { dtype = \"fp32\", shape = [\"n\"], init = \"randn\" }\n"
                     "# n = \"n\"\n# [constexprs]\n# B = 16\n# ///\n"
                     "@triton.jit\ndef f(x, n, B):\n    return x + n\n\n"
                     "# /// tilescope\n# n = 3\n# ///\n"
                     "@triton.jit\ndef g(n):\n    return n\n");
  EditorFixture fixture(text);
  fixture.editor.goTo({12, 9});
  fixture.editor.selectUsages();
  fixture.type("len");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  QString renamed = text;
  for (const char *use : {"cdiv(n", "# n = 64", "[\"n\"]", "# n = \"n\"", "(x, n", "x + n"}) {
    QString wanted = QString::fromLatin1(use);
    const QString before = wanted;
    static const QRegularExpression kName(QStringLiteral("\\bn\\b"));
    renamed.replace(before, wanted.replace(kName, QStringLiteral("len")));
  }
  CHECK(fixture.editor.text().toStdString() == renamed.toStdString());
  // The kernel itself.
  fixture.editor.goTo({12, 4});
  fixture.editor.selectUsages();
  fixture.type("kernel");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text(1) == u"# kernel = \"kernel\"\n");
}

TEST_CASE("the usages of a name are listed, and lead there", "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({4, 4});
  fixture.editor.showUsages();
  auto *menu = fixture.editor.findChild<QMenu *>();
  REQUIRE(menu != nullptr);
  REQUIRE(menu->actions().size() == 3);
  CHECK(menu->actions()[0]->text() == u"5:  a = x + y");
  QTest::keyClick(menu, Qt::Key_Down);
  QTest::keyClick(menu, Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return fixture.editor.cursor().line == 5; }, 3000));
}

TEST_CASE("an ampersand of the code is one in the list of usages", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("def f(m, k):\n    n = m & k\n    return n\n"));
  fixture.editor.goTo({0, 6});
  fixture.editor.showUsages();
  auto *menu = fixture.editor.findChild<QMenu *>();
  REQUIRE(menu != nullptr);
  REQUIRE(menu->actions().size() == 2);
  // One alone would underline the letter behind it.
  CHECK(menu->actions()[1]->text() == u"2:  n = m && k");
}
