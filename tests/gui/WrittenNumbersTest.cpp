// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Unwritten.h"
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"

#include <QLabel>
#include <QTableView>
#include <QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a number that is written is shown, also where it is the poison of its type",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  profiler::Tensor tensor{profiler::Dtype::Int8, {4000}, {}};
  tensor.data.resize(4000);
  for (const int64_t i : {17, 3000})
    tensor.set(i, -91);
  LaunchRun run = test.runWith(tensor, 4);
  profiler::OutputResult &output = run.measurement->outputs.front();
  output.neverWritten = 1;
  output.firstNeverWritten = {3000};
  std::vector<std::byte> flags(4000);
  flags[3000] = std::byte(1);
  const auto folder = profiler::OutputFolder::open(test.outputs.path().toStdString());
  REQUIRE(folder);
  REQUIRE(profiler::writeUnwritten(*folder, "out_ptr", tensor, profiler::Unwritten(flags)));
  test.runs.finish(run);
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  QLabel *remarks = test.label(QStringLiteral("was never written"));
  REQUIRE(remarks != nullptr);
  remarks->setFocus();
  QTest::keyClick(remarks, Qt::Key_Tab);
  QTest::keyClick(remarks, Qt::Key_Return);
  auto *table = test.view.findChild<QTableView *>();
  CHECK(table->currentIndex().row() == 3000 / 16);
  CHECK(table->currentIndex().data().toString() == QStringLiteral("unwritten"));
  test.goToElement(QStringLiteral("17"));
  CHECK(table->currentIndex().data().toString() == QStringLiteral("-91"));
}
