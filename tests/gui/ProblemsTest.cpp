// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/problems/ProblemsView.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>
#include <QtTest/QtTest>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

namespace {
/// The list with one long error, a remark and a fix.
struct Problems {
  ProblemsView view;
  QTreeView *tree = view.findChild<QTreeView *>();

  explicit Problems(int width) {
    auto result = tests::brokenResult();
    result->diagnostics[0].message =
        "cannot broadcast `fp32[128, 64]` with `fp32[64, 128]`: the extents at "
        "dimension 0 are 128 and 64, and neither of them is 1; write `[:, None]` to add a "
        "dimension";
    view.setDiagnostics(result->diagnostics, result->files);
    view.resize(width, 300);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
  }
  QRect row(int number) { return tree->visualRect(view.model().index(number, 0)); }
};
} // namespace

TEST_CASE("problems wrap over the whole width", "[gui][problems]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  Problems wide(1500), narrow(420);
  const int line = QFontMetrics(wide.tree->font()).height();
  CHECK(wide.row(0).height() < 3 * line);
  CHECK(narrow.row(0).height() >= 4 * line);
  // No other column takes room from the message.
  CHECK(narrow.view.model().columnCount() == 1);
  CHECK(narrow.row(0).right() >= narrow.tree->viewport()->width() - 2);
  // A new width is a new height.
  narrow.view.resize(1500, 300);
  QApplication::processEvents();
  CHECK(narrow.row(0).height() == wide.row(0).height());
}

TEST_CASE("rows of problems grow with the text", "[gui][problems]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  Problems problems(900);
  const int before = problems.row(0).height();
  setFontZoom(8);
  QApplication::processEvents();
  CHECK(problems.row(0).height() > before * 3 / 2);
  CHECK(problems.row(0).height() >= QFontMetrics(uiFont()).height());
  setFontZoom(0);
}

TEST_CASE("a problem says its place in short, and its notes below", "[gui][problems]") {
  Problems problems(900);
  QAbstractItemModelTester tester(&problems.view.model());
  const ProblemsModel &model = problems.view.model();
  const QModelIndex first = model.index(0, 0);
  CHECK(
      first.data(ProblemsModel::PlaceRole).toString().startsWith(QStringLiteral("vector_add.py:")));
  REQUIRE(model.rowCount(first) == 3);
  CHECK(problems.tree->isExpanded(first));
  // Something about the machine has no place, and does not pretend to have one.
  compiler::Diagnostic machine;
  machine.message = "`ptxas` was not found";
  problems.view.setDiagnostics({machine}, tests::brokenResult()->files);
  CHECK(model.index(0, 0).data(ProblemsModel::PlaceRole).toString().isEmpty());
  QSignalSpy requested(&problems.view, &ProblemsView::placeRequested);
  QTest::mouseClick(problems.tree->viewport(), Qt::LeftButton, {}, problems.row(0).center());
  CHECK(requested.isEmpty());
}

TEST_CASE("problems stand in the order of their lines, errors first", "[gui][problems]") {
  ProblemsView view;
  const auto at = [](uint32_t line, compiler::Severity severity) {
    compiler::Diagnostic diagnostic;
    diagnostic.range = {{line, 0}, {line, 3}, 0};
    diagnostic.severity = severity;
    diagnostic.message = "line " + std::to_string(line);
    return diagnostic;
  };
  using enum compiler::Severity;
  view.setDiagnostics({at(45, Error), at(7, Warning), at(44, Error), at(3, Warning)},
                      {{"a.py", ""}});
  QStringList order;
  for (int row = 0; row < view.model().rowCount(); ++row)
    order << view.model().index(row, 0).data().toString();
  CHECK(order.join(u' ') == QStringLiteral("line 44 line 45 line 3 line 7"));
}

TEST_CASE("a fix looks as if it could be clicked, and can", "[gui][problems]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  Problems problems(900);
  const QModelIndex parent = problems.view.model().index(0, 0);
  const QModelIndex fix = problems.view.model().index(2, 0, parent);
  REQUIRE(fix.data(ProblemsModel::FixRole).toBool());
  QWidget *rows = problems.tree->viewport();
  const QPoint at = problems.tree->visualRect(fix).center();
  QTest::mouseMove(rows, at);
  CHECK(rows->cursor().shape() == Qt::PointingHandCursor);
  QTest::mouseMove(rows, problems.row(0).center());
  CHECK(rows->cursor().shape() == Qt::ArrowCursor);
  QSignalSpy requested(&problems.view, &ProblemsView::fixRequested);
  QTest::mouseClick(rows, Qt::LeftButton, {}, at);
  CHECK(requested.count() == 1);
}

TEST_CASE("a click selects a problem, and a double click or Enter leads to its place",
          "[gui][problems]") {
  Problems problems(900);
  QSignalSpy requested(&problems.view, &ProblemsView::placeRequested);
  QWidget *rows = problems.tree->viewport();
  const QPoint at = problems.row(0).center();
  QTest::mouseClick(rows, Qt::LeftButton, {}, at);
  CHECK(requested.isEmpty());
  CHECK(problems.tree->currentIndex().row() == 0);
  QTest::mouseDClick(rows, Qt::LeftButton, {}, at);
  CHECK(requested.count() == 1);
  // The details stay in sight.
  CHECK(problems.tree->isExpanded(problems.view.model().index(0, 0)));
  QTest::keyClick(problems.tree, Qt::Key_Return);
  CHECK(requested.count() == 2);
}

TEST_CASE("two clicks on a fix apply it once", "[gui][problems]") {
  Problems problems(900);
  QSignalSpy fixed(&problems.view, &ProblemsView::fixRequested);
  QSignalSpy requested(&problems.view, &ProblemsView::placeRequested);
  const QModelIndex parent = problems.view.model().index(0, 0);
  const QPoint at = problems.tree->visualRect(problems.view.model().index(2, 0, parent)).center();
  QTest::mouseClick(problems.tree->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(problems.tree->viewport(), Qt::LeftButton, {}, at);
  CHECK(fixed.count() == 1);
  CHECK(requested.isEmpty());
}

TEST_CASE("the list stays as it is when only the text is another", "[gui][problems]") {
  Problems problems(900);
  auto result = tests::brokenResult();
  problems.view.setDiagnostics(result->diagnostics, result->files);
  QSignalSpy reset(&problems.view.model(), &QAbstractItemModel::modelReset);
  result->files.front().text += "\n# a comment\n";
  problems.view.setDiagnostics(result->diagnostics, result->files);
  CHECK(reset.isEmpty());
  result->files.front().path += "2";
  problems.view.setDiagnostics(result->diagnostics, result->files);
  CHECK(reset.size() == 1);
}

static compiler::Diagnostic said(compiler::DiagnosticKind kind, const char *message,
                                 uint32_t line) {
  compiler::Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.message = message;
  diagnostic.range = {{line, 0}, {line, 3}, 0};
  return diagnostic;
}

TEST_CASE("one mistake that is reported at many places is one problem", "[gui][problems]") {
  using enum compiler::DiagnosticKind;
  ProblemsView view;
  QAbstractItemModelTester tester(&view.model());
  view.setDiagnostics(
      {said(UndefinedName, "`x` is not defined", 4), said(UndefinedName, "`y` is not defined", 5),
       said(UndefinedName, "`x` is not defined", 9), said(UndefinedName, "`x` is not defined", 7)},
      {{"a.py", ""}});
  const ProblemsModel &model = view.model();
  REQUIRE(model.rowCount() == 2);
  const QModelIndex first = model.index(0, 0);
  CHECK(first.data().toString() == u"`x` is not defined (at 3 places)");
  REQUIRE(model.rowCount(first) == 2);
  CHECK(model.index(0, 0, first).data(ProblemsModel::PlaceRole).toString() == u"a.py:8");
  CHECK(model.index(1, 0, first).data(ProblemsModel::PlaceRole).toString() == u"a.py:10");
  auto *tree = view.findChild<QTreeView *>();
  CHECK(tree->isExpanded(first));
  // A step to any of the places selects their row.
  view.select(said(UndefinedName, "", 9).range);
  CHECK(tree->currentIndex() == first);
  CHECK(model.count(compiler::Severity::Error) == 4);
}

TEST_CASE("problems are filtered by who reports them", "[gui][problems]") {
  using enum compiler::DiagnosticKind;
  applyTheme(loadTheme(QStringLiteral("dark")));
  ProblemsView view;
  QAbstractItemModelTester tester(&view.model());
  view.resize(800, 300);
  view.show();
  compiler::Hint hint;
  hint.message = "narrow access";
  view.setDiagnostics({said(UndefinedName, "compiler", 4), said(LaunchBlockInvalid, "launch", 5),
                       said(RunAccessOutside, "first run", 9), said(RunWriteRace, "second run", 7)},
                      {{"a.py", ""}}, {}, {hint});
  const auto button = [&](const char *text) {
    for (QToolButton *each : view.header()->findChildren<QToolButton *>())
      if (each->text() == QString::fromLatin1(text) && each->isVisible())
        return each;
    FAIL("no such source: " << text);
    return static_cast<QToolButton *>(nullptr);
  };
  CHECK(view.model().rowCount() == 5);
  for (const char *text : {"Compiler 1", "Launch 1", "Run 2", "Hints 1"})
    CHECK(button(text)->isChecked());
  QTest::mouseClick(button("Run 2"), Qt::LeftButton);
  CHECK(view.model().rowCount() == 3);
  button("Hints 1")->setFocus();
  QTest::keyClick(button("Hints 1"), Qt::Key_Space);
  CHECK(view.model().rowCount() == 2);
  QTest::mouseClick(button("Compiler 1"), Qt::LeftButton);
  QTest::mouseClick(button("Launch 1"), Qt::LeftButton);
  CHECK(view.model().rowCount() == 0);
  QStringList said;
  for (const QLabel *label : view.findChildren<QLabel *>())
    said << label->text();
  CHECK(said.contains(QStringLiteral("All problems are hidden by the choices above.")));
  // The next compile's problems are filtered as the user chose.
  view.setDiagnostics({::said(RunAccessOutside, "run", 9), ::said(BadCall, "compiler", 3)},
                      {{"a.py", ""}});
  CHECK(view.model().rowCount() == 0);
  QTest::mouseClick(button("Run 1"), Qt::LeftButton);
  REQUIRE(view.model().rowCount() == 1);
  CHECK(view.model().index(0, 0).data().toString() == u"run");
}

TEST_CASE("the fix of a mistake that is repeated is in sight, the many places of others are not",
          "[gui][problems]") {
  using enum compiler::DiagnosticKind;
  ProblemsView view;
  QAbstractItemModelTester tester(&view.model());
  std::vector<compiler::Diagnostic> diagnostics;
  for (uint32_t line = 0; line < 6; ++line) {
    diagnostics.push_back(said(UndefinedName, "`np` is not defined", line));
    diagnostics.back().notes = {"kernels cannot use NumPy"};
    diagnostics.back().fixes = {{diagnostics.back().range, "tl", "write `tl`"}};
    diagnostics.push_back(said(UndefinedName, "`q` is not defined", line));
  }
  view.setDiagnostics(diagnostics, {{"a.py", ""}});
  const ProblemsModel &model = view.model();
  auto *tree = view.findChild<QTreeView *>();
  REQUIRE(model.rowCount() == 2);
  const QModelIndex mended = model.index(0, 0), other = model.index(1, 0);
  CHECK(tree->isExpanded(mended));
  CHECK_FALSE(tree->isExpanded(other));
  // In front of the other places.
  CHECK(model.index(1, 0, mended).data().toString() == u"Fix: write `tl`");
  REQUIRE(model.fixAt(model.index(1, 0, mended)) != nullptr);
  CHECK(model.fixAt(model.index(1, 0, mended))->range.begin.line == 0);
  // Each with its own fix below.
  REQUIRE(model.rowCount(mended) == 12);
  const QModelIndex last = model.index(10, 0, mended), fix = model.index(11, 0, mended);
  CHECK(last.data(ProblemsModel::PlaceRole).toString() == u"a.py:6");
  CHECK(model.fixAt(last) == nullptr);
  CHECK(model.rangeAt(last).begin.line == 5);
  CHECK(fix.data().toString() == u"Fix in line 6, column 1: write `tl`");
  REQUIRE(model.fixAt(fix) != nullptr);
  CHECK(model.fixAt(fix)->range.begin.line == 5);
}

TEST_CASE("a hint offers the picture of its cause, between its evidence and its fix",
          "[gui][problems]") {
  ProblemsView view;
  QAbstractItemModelTester tester(&view.model());
  compiler::Hint conflicts;
  conflicts.kind = compiler::HintKind::BankConflicts;
  conflicts.rank = 1;
  conflicts.range = {{6, 8}, {6, 20}, 0};
  conflicts.message = "lanes meet in a bank";
  conflicts.evidence = {"8 wavefronts, at least 1"};
  conflicts.fixes = {{{conflicts.range, "x", "turn it"}, "wavefronts 8 → 1"}};
  compiler::Hint unused = conflicts;
  unused.kind = compiler::HintKind::UnusedArgument;
  unused.fixes.clear();
  view.setDiagnostics({}, {{"a.py", ""}}, {}, {conflicts, unused});
  const ProblemsModel &model = view.model();
  const QModelIndex hint = model.index(0, 0);
  // Evidence, gain, advice, picture, fix.
  REQUIRE(model.rowCount(hint) == 5);
  const QModelIndex picture = model.index(3, 0, hint), fix = model.index(4, 0, hint);
  CHECK(model.pictureAt(picture) == u"shared");
  CHECK(picture.data().toString().contains(u"Shared memory"));
  CHECK(model.fixAt(picture) == nullptr);
  REQUIRE(model.fixAt(fix) != nullptr);
  CHECK(model.pictureAt(fix).isEmpty());
  CHECK(model.pictureAt(hint).isEmpty());
  // What no view shows has no such row.
  const QModelIndex other = model.index(1, 0);
  REQUIRE(model.rowCount(other) == 3);
  for (int row = 0; row < 3; ++row)
    CHECK(model.pictureAt(model.index(row, 0, other)).isEmpty());

  view.resize(500, 300);
  view.show();
  auto *tree = view.findChild<QTreeView *>();
  REQUIRE(tree->isExpanded(hint));
  QString shown;
  SourceRange place;
  QObject::connect(&view, &ProblemsView::pictureRequested, &view,
                   [&](const QString &wanted, const SourceRange &range) {
                     shown = wanted;
                     place = range;
                   });
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(picture).center());
  CHECK(shown == u"shared");
  CHECK(place == conflicts.range);
  shown.clear();
  tree->setCurrentIndex(picture);
  QTest::keyClick(tree, Qt::Key_Return);
  CHECK(shown == u"shared");
}

TEST_CASE("an empty list says that a run is under way", "[gui][problems]") {
  ProblemsView view;
  view.setDiagnostics({}, {});
  const auto says = [&](const char16_t *text) {
    const auto labels = view.findChildren<QLabel *>();
    return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text() == text; });
  };
  CHECK(says(u"No problems were found."));
  view.setRunning(true);
  CHECK(says(u"Running…"));
  // What compiles is not known to run.
  view.setOutdated(true);
  CHECK(says(u"Compiling…"));
  view.setOutdated(false);
  view.setRunning(false);
  CHECK(says(u"No problems were found."));
}
