// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/Patience.h"
#include "tests/gui/RunWindow.h"
#include "views/common/tensor/TensorPictures.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("on a small screen the picture of a run is seen as a whole below the other views",
          "[gui][run][window]") {
  RunWindow test;
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("workspace.see"))->trigger();
  test.window.restoreDefaultLayout();
  test.open();
  test.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  test.press(Qt::Key_F5);
  test.runs.finish(test.runWith(profiler::makeTensor(profiler::Dtype::Fp32, {98432},
                                                     {.kind = profiler::TensorInit::Kind::Arange}),
                                97));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  REQUIRE_FALSE(test.view.isOneColumn());
  const auto *heatMap = test.view.findChild<views::HeatMap *>();
  CHECK(QTest::qWaitFor(
      [&] { return heatMap->visibleRegion().boundingRect().size() == heatMap->size(); }));
  CHECK(heatMap->height() >= 5 * heatMap->fontMetrics().height());
}
