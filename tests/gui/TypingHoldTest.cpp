// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is wrong with a statement is kept back while the user writes it.
#include "views/editor/TypingHold.h"

#include "tests/gui/EditorFixture.h"
#include "views/editor/EditorIndicators.h"

using namespace tilescope;
using namespace tilescope::views;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using tests::EditorFixture;

/// In a line of the document, from one column to another.
static Diagnostic held(uint32_t line, uint32_t begin, uint32_t end, std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = {{line, begin}, {line, end}, 0};
  diagnostic.message = std::move(message);
  return diagnostic;
}

static bool isShown(KernelEditor &editor, int line, int index) {
  const long offset = editor.positionFromLineIndex(line, index);
  return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT,
                              static_cast<unsigned long>(kErrorIndicator), offset) != 0;
}

TEST_CASE("what is half typed is not called wrong yet, all else is", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = undefined\n"));
  fixture.editor.goTo({0, 5});
  fixture.type(" + m");
  const std::vector<Diagnostic> found{held(0, 8, 9, "`m` is not defined"),
                                      held(1, 4, 13, "`undefined` is not defined")};
  fixture.editor.setDiagnostics(found);
  CHECK_FALSE(isShown(fixture.editor, 0, 8));
  CHECK(isShown(fixture.editor, 1, 4));
  // Another key, another result: still nothing on this line.
  fixture.type("a");
  fixture.editor.setDiagnostics(found);
  CHECK_FALSE(isShown(fixture.editor, 0, 8));
  // After a pause it is shown.
  CHECK(QTest::qWaitFor([&] { return isShown(fixture.editor, 0, 8); }, 5000));
}

TEST_CASE("a call without arguments is not called wrong while these are offered", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.putAtEnd();
  fixture.type("x = tl.load(");
  REQUIRE(fixture.editor.text().endsWith(QStringLiteral("tl.load()")));
  fixture.editor.setDiagnostics({held(1, 4, 13, "`load` is missing the argument `pointer`")});
  QTest::qWait(static_cast<int>(2 * TypingHold::kPause.count()));
  CHECK_FALSE(isShown(fixture.editor, 1, 4));
  // Nobody waits for it forever.
  CHECK(QTest::qWaitFor([&] { return isShown(fixture.editor, 1, 4); }, 5000));
}

TEST_CASE("a name that a completion on offer begins with is not called wrong yet",
          "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("import triton.language as tl\n"));
  fixture.putAtEnd();
  fixture.type("x = tl.aran");
  REQUIRE(fixture.editor.completionPopup().isVisible());
  fixture.editor.setDiagnostics(
      {held(1, 7, 11, "module 'triton.language' has no attribute `aran`")});
  QTest::qWait(static_cast<int>(2 * TypingHold::kPause.count()));
  CHECK_FALSE(isShown(fixture.editor, 1, 7));
  CHECK(fixture.editor.visibleDiagnostics().empty());
  // Nothing is offered any more.
  fixture.press(Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return isShown(fixture.editor, 1, 7); }, 5000));
}
