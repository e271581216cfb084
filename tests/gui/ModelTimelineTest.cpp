// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A model that is measured in the window, over the real worker processes.
#include "app/ide/model/ModelBackend.h"
#include "tests/gui/ModelWindow.h"
#include "views/model/TimelinePanel.h"

#include <QPushButton>
#include <QTabBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
struct TimelineWindow : ModelWindow {
  views::TimelinePanel &timeline() { return view().timeline(); }
  QString facts() { return timeline().factsText(); }

  void openTime() {
    open();
    REQUIRE(waitForKernel(0));
    view().forms().setFocus();
    for (int i = 0; i < 3; ++i)
      key(view().forms(), Qt::Key_Right);
    REQUIRE(view().form() == views::ModelView::Time);
  }
  void press(QPushButton &button) {
    button.setFocus();
    key(button, Qt::Key_Space);
  }
  bool waitForTimes() {
    return QTest::qWaitFor([&] { return facts().contains(u"steady"); }, 3 * kPatienceMs);
  }
};
} // namespace

TEST_CASE("a measured model shows when each kernel ran, and what its first run took",
          "[gui][model]") {
  TimelineWindow test;
  test.openTime();
  CHECK(test.timeline().canvas().picture().spans().empty());
  CHECK_FALSE(test.view().canExport());
  QStringList told;
  auto *backend = test.window().findChild<ModelBackend *>();
  REQUIRE(backend);
  // Connected after the window, which has shown by then what it is told.
  QObject::connect(backend, &ModelBackend::timing, backend, [&] { told << test.facts(); });
  test.press(test.timeline().measureButton());
  CHECK(test.timeline().measureButton().text() == u"Stop measuring");
  const bool isMeasured = test.waitForTimes();
  INFO(test.facts().toStdString());
  REQUIRE(isMeasured);
  backend->disconnect(backend);
  CHECK(told == QStringList{QStringLiteral("First run: compiled and ran 1 of 2 kernels…"),
                            QStringLiteral("First run: compiled and ran 2 of 2 kernels…"),
                            QStringLiteral("Measured 1 of 2 kernels…"),
                            QStringLiteral("Measured 2 of 2 kernels…")});
  CHECK(test.facts().startsWith(u"CPU (native code) · first run "));
  CHECK(test.facts().contains(u" · a new shape from "));
  CHECK_FALSE(test.facts().contains(u"before the last edits"));
  CHECK(test.timeline().measureButton().text() == u"Measure");
  views::TimelineCanvas &canvas = test.timeline().canvas();
  const auto &spans = canvas.picture().spans();
  REQUIRE(spans.size() == 2);
  // One after another.
  CHECK(canvas.picture().numLanes() == 1);
  CHECK(spans[1].startUs == Approx(spans[0].us));
  CHECK(canvas.chosen() == 0);
  // Its spans lead to kernels, as those of other pictures do.
  canvas.setFocus();
  test.key(canvas, Qt::Key_Right);
  CHECK(test.view().kernel() == 1);
  CHECK(test.line().startsWith(u"def softmax_kernel("));
  CHECK(test.view().infoText().contains(u"s, from "));
  CHECK(test.view().infoText().contains(u"shares · softmax"));
  for (int i = 0; i < 5; ++i)
    test.key(canvas, Qt::Key_Plus);
  CHECK(canvas.zoom() > 3);
  test.key(canvas, Qt::Key_Return);
  CHECK(test.window().editor()->hasFocus());
  const QString path = test.fixture.folder.filePath(QStringLiteral("time.svg"));
  REQUIRE(test.view().exportSvg(path));
  CHECK(QFileInfo(path).size() > 500);
}

TEST_CASE("an edited kernel is wrong, then right and measured again", "[gui][model]") {
  TimelineWindow test;
  test.openTime();
  test.press(test.timeline().measureButton());
  REQUIRE(test.waitForTimes());
  const QString before = test.facts();
  // Wrong: each share is 1 too large.
  QString text = QString::fromStdString(test.window().editor()->utf8Text());
  const QString right = text, share = QStringLiteral("powers / tl.sum(powers, axis=0)");
  REQUIRE(text.count(share) == 1);
  test.window().editor()->replaceText(text.replace(share, share + QStringLiteral(" + 1.0")));
  REQUIRE(QTest::qWaitFor([&] { return test.facts().startsWith(u"Before the last edits: "); },
                          kPatienceMs));
  test.press(test.view().checkButton());
  REQUIRE(QTest::qWaitFor(
      [&] {
        return test.view().stateText().contains(
            u"first to diverge: kernel 2 of 2, softmax_kernel of shares");
      },
      kPatienceMs));
  CHECK(test.waitForKernel(1));
  // Right, with one division for each row in place of one for each element.
  text = right;
  test.window().editor()->replaceText(
      text.replace(share, QStringLiteral("powers * (1.0 / tl.sum(powers, axis=0))")));
  REQUIRE(QTest::qWaitFor([&] { return test.view().stateText().isEmpty(); }, kPatienceMs));
  test.press(test.view().checkButton());
  const bool isRight = QTest::qWaitFor(
      [&] {
        return test.view().stateText().contains(u"2 kernels agree with the model's own operations");
      },
      kPatienceMs);
  INFO(test.view().stateText().toStdString());
  REQUIRE(isRight);
  test.press(test.timeline().measureButton());
  REQUIRE(QTest::qWaitFor([&] { return test.facts().contains(u" before the last edits"); },
                          3 * kPatienceMs));
  CHECK_FALSE(test.facts().startsWith(u"Before the last edits"));
  CHECK(test.timeline().canvas().picture().spans().size() == 2);
}

TEST_CASE("a measurement that is stopped says so", "[gui][model]") {
  TimelineWindow test;
  test.openTime();
  test.press(test.timeline().measureButton());
  REQUIRE(test.timeline().measureButton().text() == u"Stop measuring");
  test.press(test.timeline().measureButton());
  REQUIRE(QTest::qWaitFor([&] { return test.timeline().measureButton().text() == u"Measure"; },
                          kPatienceMs));
  CHECK((test.facts() == u"the measurement was stopped" || test.facts().contains(u"steady")));
}
