// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What Ctrl+. says where no fix is offered.
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/editor/HoverCard.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("Ctrl+. anywhere in the line of a problem without a fix says why there is none",
          "[gui][editor]") {
  FakeBackend backend;
  WindowFixture fixture(backend);
  compiler::Diagnostic wrong;
  wrong.kind = compiler::DiagnosticKind::RunWriteRace;
  wrong.range = rangeOf(sampleSource(), "tl.store(");
  wrong.message = "is written by program 0 and program 1";
  wrong.notes = {"no fix is offered, since only you know which value is meant"};
  backend.answer = [&](const compiler::CompileRequest &) {
    auto result = sampleResult();
    result->diagnostics = {wrong};
    return result;
  };
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()), 5000);
  views::KernelEditor &editor = fixture.editor();
  editor.setFocus();
  editor.goTo(wrong.range.begin);
  QTest::keyClick(&editor, Qt::Key_Home);
  QTest::keyClick(&editor, Qt::Key_Home);
  REQUIRE(editor.cursor().column == 0);
  QTest::keyClick(&editor, Qt::Key_Period, Qt::ControlModifier);
  CHECK(editor.hoverCard().text().contains(u"is written by program 0 and program 1"));
  CHECK(editor.hoverCard().text().contains(u"only you know which value is meant"));
}
