// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which of several fixes on a line is offered first.
#include "tests/gui/EditorFixture.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeView.h"
#include "views/editor/FixPopup.h"

using namespace tilescope;
using namespace tilescope::views;
using compiler::Diagnostic;
using compiler::Severity;

static compiler::DiagnosticFix fixAt(const SourceRange &range, const char *title) {
  return {{range.begin, range.begin, 0}, title, title};
}

/// The titles offered at a place; Enter takes the first.
static std::vector<std::string> offeredAt(tests::EditorFixture &test, Position place) {
  test.editor.goTo(place);
  test.editor.showFixes();
  auto *popup = qobject_cast<FixPopup *>(QApplication::activePopupWidget());
  REQUIRE(popup);
  std::vector<std::string> titles;
  for (const OfferedFix &each : popup->fixes())
    titles.push_back(each.edit.title);
  QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
  return titles;
}

TEST_CASE("fixes of errors come first, then those that change this line", "[gui][editor]") {
  const std::string text = tests::sampleSource();
  tests::EditorFixture test(QString::fromStdString(text));
  const SourceRange store = tests::rangeOf(text, "tl.store"),
                    load = tests::rangeOf(text, "tl.load");
  REQUIRE(store.begin.line != load.begin.line);
  Diagnostic warning, error;
  warning.severity = Severity::Warning;
  warning.range = error.range = store;
  warning.message = "receives what a load left undefined";
  warning.labels = {{load, "undefined"}};
  warning.fixes = {fixAt(load, "other"), fixAt(store, "mask it"), fixAt(load, "other")};
  error.message = "writes past the last element";
  error.fixes = {fixAt(load, "mask the load"), fixAt(store, "mask the store")};
  test.editor.setDiagnostics({warning, error});
  compiler::Hint hint;
  hint.range = store;
  hint.fixes = {{fixAt(store, "faster"), ""}};
  test.editor.setPerformanceHints({hint});
  const std::vector<std::string> expected{"mask the store", "mask the load", "mask it", "other",
                                          "faster"};
  CHECK(offeredAt(test, store.begin) == expected);
  CHECK(offeredAt(test, {store.begin.line, 0}) == expected);
  // At the load it is the other way around, and no error is there.
  CHECK(offeredAt(test, load.begin) == std::vector<std::string>{"other", "mask it"});
}

TEST_CASE("the fixes of lines that stand wrong keep their order, whichever lines they change",
          "[gui][editor]") {
  tests::EditorFixture test(QStringLiteral("def f():\n    a = 1\nb = 2\n    c = 3\n    d = 4\n"));
  Diagnostic error;
  error.kind = compiler::DiagnosticKind::SyntaxIndentation;
  error.range = {{3, 0}, {3, 4}, 0};
  error.fixes = {fixAt({{2, 0}, {2, 5}, 0}, "indent line 3"),
                 fixAt({{3, 0}, {4, 9}, 0}, "unindent lines 4 to 5")};
  test.editor.setDiagnostics({error});
  const std::vector<std::string> expected{"indent line 3", "unindent lines 4 to 5"};
  CHECK(offeredAt(test, {3, 2}) == expected);
  // In the line that stands out, too.
  CHECK(offeredAt(test, {2, 1}) == expected);
}

TEST_CASE("the preview of a fix shows what changes at the end of a long line", "[gui][editor]") {
  for (const int length : {100, 400}) {
    INFO(length);
    const std::string line = "x = tl.load(" + std::string(static_cast<size_t>(length), 'p') + ")";
    tests::EditorFixture test(QString::fromStdString(line + "\n"));
    Diagnostic warning;
    warning.severity = Severity::Warning;
    const auto end = static_cast<uint32_t>(line.size()) - 1;
    warning.range = {{0, 0}, {0, end}, 0};
    warning.fixes = {{{{0, end}, {0, end}, 0}, ", other=0.0", "write other"}};
    test.editor.setDiagnostics({warning});
    test.editor.goTo({0, 0});
    test.editor.showFixes();
    auto *popup = qobject_cast<FixPopup *>(QApplication::activePopupWidget());
    REQUIRE(popup);
    REQUIRE(popup->preview().document().text().starts_with(line + "\n"));
    const CodeView::HiddenWords hidden = popup->preview().hiddenWords(1);
    CHECK_FALSE(hidden.areRight);
    CHECK_FALSE(hidden.areLeft);
    QTest::keyClick(popup->focusWidget(), Qt::Key_Escape);
  }
}
