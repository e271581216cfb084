// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The list of completions: when it opens, what it offers, and which keys take a row of it.
#include "tests/gui/EditorFixture.h"
#include "views/editor/LaunchKeys.h"

using namespace tilescope;
using namespace tilescope::views;
using tests::EditorFixture;

static const QString kHeader = QStringLiteral("import triton.language as tl\n\n\n"
                                              "def kernel(cols, n, N, foo):\n    ");

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
