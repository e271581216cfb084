// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the pointer rests on while the text and its problems change.
#include "tests/gui/EditorFixture.h"
#include "views/editor/HoverCard.h"

using namespace tilescope;
using namespace tilescope::views;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using tests::EditorFixture;

static Diagnostic problem(uint32_t line, uint32_t begin, uint32_t end, std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = {{line, begin}, {line, end}, 0};
  diagnostic.message = std::move(message);
  return diagnostic;
}

TEST_CASE("what the pointer rests on is not told of a text that is gone", "[gui][editor]") {
  EditorFixture fixture(QStringLiteral("a = 1\nb = 2\n"));
  const auto rest = [&](int byX) {
    const auto at = [&](unsigned message) {
      return static_cast<int>(
          fixture.editor.SendScintilla(message, 0UL, fixture.editor.positionFromLineIndex(1, 0)));
    };
    QTest::mouseMove(fixture.editor.viewport(),
                     QPoint(at(QsciScintilla::SCI_POINTXFROMPOSITION) + byX,
                            at(QsciScintilla::SCI_POINTYFROMPOSITION) + 5));
  };
  const auto isShown = [&] { return fixture.editor.hoverCard().isVisible(); };
  fixture.editor.setDiagnostics({problem(1, 0, 1, "half a name")});
  rest(2);
  REQUIRE(QTest::qWaitFor(isShown, 5000));
  REQUIRE(fixture.editor.hoverCard().text().contains(u"half a name"));
  // Another problem elsewhere changes nothing about it; that it is gone does.
  fixture.editor.setDiagnostics({problem(1, 0, 1, "half a name"), problem(0, 0, 1, "another")});
  CHECK(isShown());
  fixture.editor.setDiagnostics({problem(0, 0, 1, "another")});
  CHECK_FALSE(isShown());
  // A key that comes before the pointer has rested long enough ends the rest.
  fixture.editor.setDiagnostics({problem(1, 0, 1, "half a name")});
  rest(3);
  QTest::keyClick(&fixture.editor, Qt::Key_End, Qt::ControlModifier);
  QTest::keyClicks(&fixture.editor, QStringLiteral("#"));
  CHECK_FALSE(QTest::qWaitFor(isShown, 1500));
}
