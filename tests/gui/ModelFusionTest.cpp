// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Edges of a model that the user has fused or kept apart, over the real worker processes.
#include "tests/gui/ModelWindow.h"
#include "views/model/EdgesPanel.h"
#include "views/model/ModelEdges.h"

#include <QPushButton>
#include <QTableView>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
struct FusionWindow : ModelWindow {
  views::EdgesPanel &edges() { return view().edges(); }
  QString edgeCell(int row, int column) {
    return edges().table().model()->index(row, column).data().toString();
  }
  QString fusion(int row) { return edgeCell(row, views::ModelEdges::Fused); }
  void choose(int row, Qt::Key wish) {
    edges().table().setFocus();
    edges().table().setCurrentIndex(edges().table().model()->index(row, 0));
    key(edges().table(), wish);
  }
  /// Of the current edge.
  bool waitForFusion(const char16_t *words) {
    return QTest::qWaitFor(
        [&] {
          const QModelIndex current = edges().table().currentIndex();
          return current.isValid() && fusion(current.row()) == words;
        },
        kPatienceMs);
  }
};
} // namespace

TEST_CASE("keys on an edge keep its nodes apart or fuse them, and both plans are side by side",
          "[gui][model]") {
  FusionWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  CHECK(test.edges().variantTexts().isEmpty());
  CHECK_FALSE(test.edges().measureButton().isVisible());
  // Edges that are not fused come first.
  REQUIRE(test.edges().table().model()->rowCount() == 2);
  REQUIRE(test.fusion(1) == u"fused");
  test.choose(1, Qt::Key_K);
  REQUIRE(test.waitForFusion(u"kept apart"));
  CHECK(test.edges().variantTexts().first() == u"Kernels: 2 | 2");
  // The edge stays the current one, and its kernel the chosen one.
  CHECK(test.edges().edge() == u"scores:positive");
  CHECK(test.view().kernel() == 1);
  CHECK(test.line().startsWith(u"def relu_softmax_kernel("));
  CHECK(test.edges().table().hasFocus());
  // Both are measured on the processor.
  REQUIRE(test.edges().measureButton().isVisible());
  test.edges().measureButton().setFocus();
  test.key(test.edges().measureButton(), Qt::Key_Space);
  CHECK(test.edges().measureButton().text() == u"Stop measuring");
  REQUIRE(QTest::qWaitFor(
      [&] { return test.edges().variantTexts().last().startsWith(u"What differs"); },
      3 * kPatienceMs));
  INFO(test.edges().variantTexts().last().toStdString());
  CHECK(test.edges().variantTexts().last().contains(u": 2 kernels: "));
  CHECK(test.edges().variantTexts().last().contains(u"s | 2 kernels: "));
  CHECK(test.edges().measureButton().text() == u"Measure both");
  // Without the choice it is as before.
  test.choose(test.edges().table().currentIndex().row(), Qt::Key_Delete);
  REQUIRE(test.waitForFusion(u"fused"));
  CHECK(test.edges().variantTexts().isEmpty());
}

TEST_CASE("a fusion that no kernel can do says why, and can be taken back", "[gui][model]") {
  FusionWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  // What is fused already is so by choice, and the other edge then cannot be.
  REQUIRE(test.fusion(1) == u"fused");
  test.choose(1, Qt::Key_F);
  REQUIRE(test.waitForFusion(u"fused by choice"));
  REQUIRE(test.fusion(0) == u"not fused");
  test.choose(0, Qt::Key_F);
  REQUIRE(QTest::qWaitFor(
      [&] {
        return test.view().stateText().contains(
            u"positive and shares cannot be fused as was chosen: ");
      },
      kPatienceMs));
  CHECK(test.fusion(test.edges().table().currentIndex().row()) == u"cannot be fused");
  CHECK(test.edges().variantTexts() == QStringList{QStringLiteral("Choices: 2 | 0")});
  CHECK_FALSE(test.edges().measureButton().isEnabled());
  test.edges().undoButton().setFocus();
  test.key(test.edges().undoButton(), Qt::Key_Space);
  REQUIRE(QTest::qWaitFor([&] { return test.view().stateText().isEmpty(); }, kPatienceMs));
  CHECK(test.fusion(0) == u"not fused");
}

TEST_CASE("chosen fusions come back at the next start", "[gui][model]") {
  FusionWindow test;
  test.open();
  REQUIRE(test.waitForKernel(0));
  test.choose(1, Qt::Key_K);
  REQUIRE(test.waitForFusion(u"kept apart"));
  test.window().close();
  test.fixture.open();
  REQUIRE(test.window().restoreSession());
  REQUIRE(QTest::qWaitFor([&] { return !test.edges().variantTexts().isEmpty(); }, kPatienceMs));
  CHECK(test.edges().variantTexts().first() == u"Kernels: 2 | 2");
  CHECK(test.view().model()->result().kernels.back().launch == "positive + shares");
}
