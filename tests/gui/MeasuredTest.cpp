// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a GPU measured, beside what was counted, in the views of memory: the profile of a product as
// it was recorded on an H100, over the real compiler.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "views/access/AccessView.h"
#include "views/editor/KernelEditor.h"
#include "views/shared/SharedView.h"

#include <QComboBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("views of memory show what a profile has measured beside what is counted",
          "[gui][worker]") {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture(worker);
  MainWindow &window = *fixture.window;
  window.compileController()->setChosenTarget("cuda:90");
  QSignalSpy settled(&window, &MainWindow::settled);
  window.openProfile(QStringLiteral(TILESCOPE_SOURCES "/examples/profiles/matmul.json"));
  REQUIRE(settled.wait(kPatienceMs));
  const QString text = QString::fromStdString(window.editor()->utf8Text());
  const qsizetype at = text.indexOf(QStringLiteral("a = tl.load"));
  REQUIRE(at > 0);
  window.editor()->goTo({static_cast<uint32_t>(text.left(at).count(u'\n')), 8});

  window.action(QStringLiteral("view.access"))->trigger();
  auto &access = *window.dock(QStringLiteral("access"))->findChild<views::AccessView *>();
  const auto says = [](const auto &view, const QString &words) {
    const bool isSaid =
        QTest::qWaitFor([&] { return view.measuredText().contains(words); }, kPatienceMs);
    INFO(view.measuredText().toStdString() << "\n" << words.toStdString());
    CHECK(isSaid);
  };
  says(access, QStringLiteral("Measured 67,108,864 sectors, 4,194,304 requests, as counted · all "
                              "loads · NVIDIA H100 80GB HBM3"));
  CHECK(access.reasonText().contains(u"Passes through L1 are not counted"));

  window.action(QStringLiteral("view.shared"))->trigger();
  auto &shared = *window.dock(QStringLiteral("shared"))->findChild<views::SharedView *>();
  REQUIRE(QTest::qWaitFor([&] { return shared.hasContent(); }, kPatienceMs));
  const int product =
      shared.choices().findText(QStringLiteral("warp_group_dot"), Qt::MatchContains);
  REQUIRE(product >= 0);
  shared.choices().setCurrentIndex(product);
  // The tensor cores have read as many core matrices as the swizzle says.
  says(shared,
       QStringLiteral("Measured 25,165,824 wavefronts, as counted · all reads of products"));
  CHECK_FALSE(shared.reasonText().contains(u"counter of wavefronts may be larger"));
  window.editor()->goTo(
      {static_cast<uint32_t>(text.left(text.indexOf(QStringLiteral("tl.store"))).count(u'\n')), 4});
  const auto chooseStore = [&] {
    const int store = shared.choices().findText(QStringLiteral("shared store"), Qt::MatchContains);
    shared.choices().setCurrentIndex(store);
    return store >= 0;
  };
  REQUIRE(QTest::qWaitFor(chooseStore, kPatienceMs));
  says(shared, QStringLiteral("Measured 722,301 wavefronts (counted 524,288) · 88,701 of them by "
                              "conflicts · all stores to shared memory"));
  CHECK(shared.reasonText().contains(u"counter of wavefronts may be larger"));

  // Of another text nothing was measured.
  window.editor()->setFocus();
  QTest::keyClick(window.editor(), Qt::Key_End);
  QTest::keyClicks(window.editor(), QStringLiteral("  # changed"));
  CHECK(QTest::qWaitFor([&] { return shared.measuredText().isEmpty(); }, kPatienceMs));
  CHECK(access.measuredText().isEmpty());
}
