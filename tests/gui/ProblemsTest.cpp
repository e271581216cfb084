// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"
#include "views/common/Theme.h"
#include "views/problems/ProblemsView.h"

#include <QAbstractItemModelTester>
#include <QTreeView>
#include <QtTest/QtTest>

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
        "cannot broadcast `tensor<fp32>[128, 64]` with `tensor<fp32>[64, 128]`: the extents at "
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
