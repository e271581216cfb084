// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Columns by keys: behind passes, compared with other results, as many as wanted.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ColumnsFixture.h"
#include "views/passes/PassesView.h"

#include <QCheckBox>
#include <QLabel>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::PassKey;
using views::StageColumn;

TEST_CASE("keys go from pass to pass in a column, whose passes are then recorded",
          "[gui][columns]") {
  Columns test;
  test.open();
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  const std::string whole = textOf(column);
  CHECK_FALSE(test.backend.requests.back().recordPassIr);
  test.press(&column.codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  CHECK(column.pass() == PassKey{StageId::Ttir, "canonicalize", 0});
  CHECK(test.backend.requests.back().recordPassIr);
  REQUIRE(test.waitFor([&] { return column.headerText().contains(u"after canonicalize"); }));
  test.press(&column.codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  CHECK(column.headerText().contains(u"after inline"));
  CHECK(textOf(column) == whole + "// before\n");
  CHECK(column.passField().currentText() == u"after inline");
  // The first one has none before it.
  test.press(&column.codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  CHECK(column.pass() == PassKey{StageId::Ttir, "inline", 0});
  // What that pass left and the next one changed.
  test.choose(column.comparisonField(), QStringLiteral("Diff by last pass"));
  column.setPass(PassKey{StageId::Ttir, "canonicalize", 0});
  CHECK(column.headerText() == u"+0 \u22121 lines by canonicalize");
  test.choose(column.comparisonField(), QStringLiteral("Content"));
  column.codeView().setFocus();
  for (int i = 0; i < 2; ++i)
    test.press(&column.codeView(), Qt::Key_PageDown, Qt::ControlModifier | Qt::AltModifier);
  CHECK_FALSE(column.pass());
  CHECK(textOf(column) == whole);
  CHECK(column.headerText().contains(u"made in"));
  test.window().compileController()->recompile();
  CHECK_FALSE(test.backend.requests.back().recordPassIr);
}

TEST_CASE("lines behind a pass belong to the source", "[gui][columns]") {
  Columns test;
  test.open();
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  test.choose(column.passField(), QStringLiteral("after canonicalize"));
  REQUIRE(test.waitFor([&] { return column.headerText().contains(u"after canonicalize"); }));
  Q_EMIT column.codeView().lineActivated(lineWith(column, "%y_4 = tt.load"), 6);
  const views::Focus &focus = test.window().focusState()->selected();
  // It is no line of the stage itself.
  CHECK_FALSE(focus.stage);
  CHECK(focus.sources ==
        std::vector{rangeOf(sampleSource(), "tl.load(y_ptr + offsets, mask=mask)")});
  CHECK(test.window().editor()->cursor() == focus.sources.front().begin);
  // Escape leaves the fields for the text, from an open list, too.
  test.press(&column.codeView(), Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(QApplication::activePopupWidget());
  test.press(column.passField().view(), Qt::Key_Escape);
  CHECK(test.waitFor([&] { return column.codeView().hasFocus(); }));
  CHECK_FALSE(QApplication::activePopupWidget());
  // A pass that a compile lacks is named.
  column.setPass(PassKey{StageId::Ttir, "tilescope-gone", 0});
  CHECK(column.headerText() == u"this compile runs no gone");
}

TEST_CASE("a column is compared with another target, compiled beside the document",
          "[gui][columns]") {
  Columns test;
  test.addition = [](const compiler::CompileRequest &request) {
    return request.selection.target == "cuda:80" ? "// ampere\n" : std::string();
  };
  test.open();
  StageColumn &column = test.goTo(StageId::Ttgir, Qt::Key_3);
  test.choose(column.comparisonField(), QStringLiteral("Diff to cuda:80"));
  REQUIRE(test.waitFor([&] { return column.headerText().startsWith(u"+0"); }));
  CHECK(column.headerText() == u"+0 \u22121 lines against cuda:80");
  CHECK(test.backend.checks.back().selection.target == "cuda:80");
  CHECK(test.backend.checks.back().stopAfter == StageId::Ttgir);
  CHECK(test.window().compileController()->latest()->result()->target == "cuda:90");
  // After an edit it is compiled again, and the label is right all the time.
  const size_t before = test.backend.checks.size();
  test.append("#");
  REQUIRE(test.waitFor([&] { return test.backend.checks.size() > before; }));
  CHECK(test.waitFor([&] { return column.headerText() == u"+0 \u22121 lines against cuda:80"; }));
  CHECK(test.backend.checks.back().text == test.fixture.editor().utf8Text());
  // Nothing is compiled for what nobody looks at.
  test.choose(column.comparisonField(), QStringLiteral("Content"));
  const size_t asked = test.backend.checks.size();
  test.append("#");
  QTest::qWait(600);
  CHECK(test.backend.checks.size() == asked);
}

TEST_CASE("differences to another target keep their places in the source", "[gui][columns]") {
  Columns test;
  test.open();
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    if (request.selection.target == "cuda:80")
      for (compiler::Stage &stage : result->stages)
        if (const size_t at = stage.text.find("arith.cmpi slt"); at != std::string::npos)
          stage.text.replace(at, 14, "arith.cmpi ult");
    return result;
  };
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  test.choose(column.comparisonField(), QStringLiteral("Diff to cuda:80"));
  REQUIRE(test.waitFor([&] { return column.headerText().startsWith(u"+1"); }));
  REQUIRE(column.codeView().showsDiff());
  const SourceRange mask = rangeOf(sampleSource(), "offsets < n");
  for (const char *words : {"cmpi ult", "cmpi slt"}) {
    Q_EMIT column.codeView().lineActivated(lineWith(column, words), 0);
    INFO(words);
    CHECK(test.window().focusState()->selected().sources == std::vector{mask});
  }
  // The line that is there now is one of the stage; the other is gone.
  CHECK(column.stageLineOf(lineWith(column, "cmpi ult")) == -1);
  const int32_t row = lineWith(column, "cmpi slt");
  CHECK(column.rowOf(column.stageLineOf(row)) == row);
}

TEST_CASE("a column is compared with another launch and with an earlier version",
          "[gui][columns]") {
  Columns test;
  test.addition = [](const compiler::CompileRequest &request) {
    std::string added = request.selection.launch == "1" ? "// large\n" : "";
    return request.text.find("#edited") == std::string::npos ? added : added + "edited;\n";
  };
  test.open(twoLaunches());
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  test.choose(column.comparisonField(), QStringLiteral("Diff to launch large"));
  CHECK(test.waitFor(
      [&] { return column.headerText() == u"+0 \u22121 lines against launch large"; }));
  test.choose(column.comparisonField(), QStringLiteral("Content"));
  // With the time at which it came.
  const auto version = [&] {
    return column.comparisonField().findText(QStringLiteral("Diff to version 1, "),
                                             Qt::MatchStartsWith);
  };
  CHECK(version() < 0);
  // Versions are told apart by what is two seconds apart.
  QTest::qWait(2100);
  test.append("#edited");
  REQUIRE(test.waitFor([&] { return version() > 0; }));
  test.choose(column.comparisonField(), column.comparisonField().itemText(version()));
  CHECK(test.waitFor(
      [&] { return column.headerText().startsWith(u"+1 \u22120 lines against version 1, "); }));
}

TEST_CASE("a second column of a stage shows another pass, and is there at the next start",
          "[gui][columns]") {
  Columns test;
  test.open();
  StageColumn &first = test.goTo(StageId::Ttir, Qt::Key_2);
  test.press(&first.codeView(), Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
  ViewDock *dock = test.window().dock(QStringLiteral("stage.ttir.2"));
  REQUIRE(dock != nullptr);
  CHECK(dock->windowTitle() == u"TTIR (2)");
  CHECK(dock->isInFront());
  CHECK(test.window().dock(QStringLiteral("stage.ttir"))->isInFront());
  auto *second = qobject_cast<StageColumn *>(dock->widget());
  REQUIRE(second != nullptr);
  CHECK(textOf(*second) == textOf(first));
  REQUIRE(test.waitFor([&] { return second->codeView().hasFocus(); }));
  test.press(&second->codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  test.press(&second->codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.waitFor([&] { return textOf(*second).ends_with("// before\n"); }));
  CHECK_FALSE(textOf(first).ends_with("// before\n"));
  // Closed and opened again it is the same one.
  dock->close();
  first.codeView().setFocus();
  test.press(&first.codeView(), Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
  CHECK(dock->isInFront());
  CHECK(test.window().dock(QStringLiteral("stage.ttir.3")) == nullptr);
  test.choose(first.comparisonField(), QStringLiteral("Diff by last pass"));
  second->codeView().setFocus();
  test.press(&second->codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  test.press(&second->codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  const std::optional<views::PassKey> pass = second->pass();
  REQUIRE(pass.has_value());
  test.window().close();
  test.fixture.open();
  REQUIRE(test.window().restoreSession());
  ViewDock *again = test.window().dock(QStringLiteral("stage.ttir.2"));
  REQUIRE(again != nullptr);
  CHECK_FALSE(again->isHidden());
  // With what they showed.
  auto *restored = qobject_cast<StageColumn *>(again->widget());
  REQUIRE(restored != nullptr);
  CHECK(restored->pass() == pass);
  REQUIRE(test.waitFor([&] { return textOf(*restored).ends_with("// before\n"); }));
  CHECK(test.column(StageId::Ttir).comparison().with == views::Comparison::With::PreviousPass);
  // The default arrangement has none.
  test.window().restoreDefaultLayout();
  CHECK(again->isHidden());
}

TEST_CASE("a pointer that rests on a line brings its relatives into view", "[gui][columns]") {
  Columns test;
  test.open();
  test.window().resize(1600, 520);
  StageColumn &hovered = test.goTo(StageId::Ttir, Qt::Key_2);
  StageColumn &other = test.column(StageId::Ttgir);
  REQUIRE(other.isVisible());
  hovered.codeView().scrollToLine(lineWith(hovered, "tt.return"));
  other.codeView().scrollToLine(0);
  const int store = lineWith(other, "tt.store");
  REQUIRE_FALSE(other.codeView().isLineVisible(store));
  const SourceRange place =
      rangeOf(sampleSource(), "tl.store(out_ptr + offsets, x + y, mask=mask)");
  QWidget *text = hovered.codeView().viewport();
  const auto isOnStore = [&] {
    const auto &sources = test.window().focusState()->hovered().sources;
    return !sources.empty() && sources.front() == place;
  };
  for (int y = 2; y < text->height() && !isOnStore(); y += 4) {
    QTest::mouseMove(text, {text->width() / 2, y});
    QCoreApplication::processEvents();
  }
  REQUIRE(isOnStore());
  CHECK_FALSE(other.codeView().isLineVisible(store));
  CHECK(test.waitFor([&] { return other.codeView().isLineVisible(store); }));
}

TEST_CASE("all columns go where the slider of passes is", "[gui][columns]") {
  Columns test;
  test.open();
  test.press(test.window().editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
  views::PassesView &passes = *test.window().passes();
  REQUIRE(passes.followBox().isChecked());
  REQUIRE(test.waitFor([&] {
    return test.backend.requests.back().recordPassIr ||
           test.backend.requests.back().entry == StageId::Ttgir;
  }));
  StageColumn &column = test.column(StageId::Ttir);
  passes.selectPass(0);
  CHECK(test.waitFor([&] { return column.headerText().contains(u"after inline"); }));
  passes.selectPass(1);
  CHECK(test.waitFor([&] { return column.headerText().contains(u"after canonicalize"); }));
  CHECK(passes.estimateText().contains(u"nothing has a layout yet"));
  // Of another stage: the column is where it was.
  passes.selectPass(3);
  CHECK(column.headerText().contains(u"made in"));
  CHECK(test.waitFor([&] {
    return test.column(StageId::Ttgir).headerText().contains(u"after tritongpu-coalesce");
  }));
  CHECK(test.waitFor([&] { return passes.estimateText().contains(u"32 registers"); }));
  CHECK(passes.estimateText().contains(u"At the end: 32 registers"));
  // Out of sight it leads nobody.
  test.window().dock(QStringLiteral("passes"))->hide();
  CHECK(
      test.waitFor([&] { return test.column(StageId::Ttgir).headerText().contains(u"made in"); }));
  CHECK(passes.estimateText().isEmpty());
}

TEST_CASE("the note of a stale column stays at its lower edge, whatever its size becomes",
          "[gui][columns]") {
  Columns test;
  test.open();
  // By itself, so that one step of the layout is all that follows.
  views::FocusState focus;
  StageColumn ttir(StageId::Ttir, &focus);
  ttir.setResult(test.window().compileController()->latest());
  ttir.setOutdated(QStringLiteral("an earlier text, in so many words that they take two lines"));
  QLabel *note = nullptr;
  for (QLabel *label : ttir.codeView().findChildren<QLabel *>())
    if (label->text() == ttir.staleText())
      note = label;
  REQUIRE(note != nullptr);
  for (const QSize size : {QSize(700, 600), QSize(300, 160), QSize(500, 420)}) {
    ttir.resize(size);
    ttir.show();
    QCoreApplication::processEvents();
    const QRect text = ttir.codeView().viewport()->geometry();
    CHECK(note->geometry().bottom() == text.bottom());
    CHECK(note->width() == text.width());
    CHECK(note->height() >= note->heightForWidth(note->width()));
  }
}

TEST_CASE("why an earlier text did not compile is not said of the text that is being compiled",
          "[gui][columns]") {
  views::FocusState focus;
  StageColumn sass(StageId::Sass, &focus);
  auto failed = std::make_shared<compiler::CompileResult>(*sampleResult());
  failed->ok = false;
  failed->stages.resize(1);
  failed->stages.front().ok = false;
  compiler::Diagnostic error;
  error.message = "`y` is not defined";
  failed->diagnostics = {error};
  sass.setResult(std::make_shared<const views::Correlation>(failed));
  CHECK(sass.staleText().contains(u"Problems says why"));
  sass.setOutdated(QStringLiteral("an earlier text"));
  CHECK(sass.staleText().isEmpty());
  CHECK(sass.headerText().contains(u"compiling…"));
}
