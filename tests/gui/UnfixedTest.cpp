// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What Ctrl+. says where no fix is offered.
#include "compiler/artifacts/UntriedFixes.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/editor/HoverCard.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// What Ctrl+. says in the line of the sample's store.
static QString saidAtStore(WindowFixture &fixture) {
  views::KernelEditor &editor = fixture.editor();
  editor.setFocus();
  editor.goTo(rangeOf(sampleSource(), "tl.store(").begin);
  QTest::keyClick(&editor, Qt::Key_Period, Qt::ControlModifier);
  return editor.hoverCard().text();
}

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
  REQUIRE(editor.cursor().column == 0);
  QTest::keyClick(&editor, Qt::Key_Period, Qt::ControlModifier);
  CHECK(editor.hoverCard().text().contains(u"is written by program 0 and program 1"));
  CHECK(editor.hoverCard().text().contains(u"only you know which value is meant"));
}

TEST_CASE("Ctrl+. does not claim that there is no fix where none could be tried in time",
          "[gui][editor]") {
  FakeBackend backend;
  WindowFixture fixture(backend);
  backend.answer = [](const compiler::CompileRequest &) {
    auto result = sampleResult();
    compiler::Diagnostic wrong;
    wrong.kind = compiler::DiagnosticKind::RunUndefined;
    wrong.severity = compiler::Severity::Warning;
    wrong.range = rangeOf(sampleSource(), "tl.store(");
    wrong.message = "receives a value that a masked-off load left undefined";
    compiler::noteUntriedFixes(wrong);
    result->diagnostics = {wrong};
    return result;
  };
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()), 5000);
  const QString said = saidAtStore(fixture);
  CHECK(said.contains(u"A fix for this may exist, but could not be tried in time"));
  CHECK(said.contains(u"run again when the machine is less busy"));
  CHECK_FALSE(said.contains(u"No fix"));
}

TEST_CASE("Ctrl+. says that it waits for the compile", "[gui][editor]") {
  FakeBackend backend;
  WindowFixture fixture(backend);
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()), 5000);
  CHECK(saidAtStore(fixture).contains(u"No fix is available here"));
  backend.answer = nullptr;
  fixture.editor().goTo({0, 0});
  fixture.type("#");
  REQUIRE(QTest::qWaitFor([&] { return fixture.editor().areDiagnosticsOutdated(); }, kPatienceMs));
  CHECK(saidAtStore(fixture).contains(u"it is still being compiled"));
}
