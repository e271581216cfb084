// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names that are renamed in all of their places, and the list of these.
#include "tests/gui/EditorFixture.h"

#include <QMenu>
#include <QRegularExpression>

using namespace tilescope;
using namespace tilescope::views;
using tests::EditorFixture;

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

TEST_CASE("select all selects a name that has a single place, while the cursor is in it",
          "[gui][editor]") {
  EditorFixture fixture(kUsages);
  fixture.editor.goTo({8, 4});
  fixture.editor.selectUsages();
  fixture.editor.selectAll();
  fixture.type("tail");
  fixture.editor.selectAll();
  fixture.type("last");
  QTest::keyClick(&fixture.editor, Qt::Key_Return);
  CHECK(fixture.editor.text(8).trimmed() == u"def last(x):");
  CHECK(fixture.editor.lines() == kUsages.count(u'\n') + 1);
  fixture.editor.selectUsages();
  fixture.editor.goTo({0, 0});
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

TEST_CASE("a parameter gets no name that its launch block has for something else",
          "[gui][editor]") {
  const QString text = QStringLiteral("import triton\n\n"
                                      "# /// tilescope\n# name = \"n\"\n# grid = [\"P\"]\n"
                                      "# [sizes]\n# P = 16\n"
                                      "# [args]\n# x = { dtype = \"fp32\", shape = [\"P\", 64] }\n"
                                      "# [options]\n# num_warps = 8\n# ///\n"
                                      "@triton.jit\ndef f(x):\n    a = x\n");
  EditorFixture fixture(text);
  const auto rename = [&](const char *name) {
    fixture.editor.setText(text);
    fixture.editor.goTo({14, 8});
    fixture.editor.selectUsages();
    fixture.type(name);
    QTest::keyClick(&fixture.editor, Qt::Key_Return);
    return fixture.editor.hoverCard().isVisible() ? fixture.editor.hoverCard().text() : QString();
  };
  CHECK(rename("P").contains(u"Not renamed: `P` is something else in the launch block already, "
                             u"in line 5"));
  CHECK(fixture.editor.text() == text);
  // Keys of the block's own are no names of the kernel's.
  for (const char *name : {"grid", "num_warps", "name", "n", "a_ptr"}) {
    INFO(name);
    CHECK(rename(name).isEmpty());
    QString renamed = text;
    renamed.replace(QStringLiteral("# x = "), QStringLiteral("# %1 = ").arg(QLatin1String(name)))
        .replace(QStringLiteral("f(x)"), QStringLiteral("f(%1)").arg(QLatin1String(name)))
        .replace(QStringLiteral("a = x"), QStringLiteral("a = %1").arg(QLatin1String(name)));
    CHECK(fixture.editor.text() == renamed);
  }
}
