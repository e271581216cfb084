// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What executes a run on the CPU: the switch in the Run view, and what a run says of it.
#include "tests/gui/RunsFixture.h"
#include "views/console/ConsoleView.h"

#include <QComboBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static QComboBox *choiceOf(QWidget &view, const char *name) {
  for (QComboBox *box : view.findChildren<QComboBox *>())
    if (box->accessibleName() == QLatin1String(name))
      return box;
  return nullptr;
}

static QComboBox *executors(QWidget &view) {
  return choiceOf(view, "What executes the kernel on the CPU");
}

TEST_CASE("native code executes runs on the CPU until the user chooses the interpreter",
          "[gui][run]") {
  RunsFixture test;
  QComboBox *executor = executors(test.view);
  REQUIRE(executor != nullptr);
  CHECK(executor->isVisible());
  CHECK(executor->currentText() == u"native code (checked)");
  test.savePicture("executor.png");
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests[0].executor == compiler::CpuExecutor::Native);
  test.runs.finish(test.outcome());
  executor->setFocus();
  QTest::keyClick(executor, Qt::Key_Down);
  CHECK(executor->currentText() == u"interpreter");
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 2);
  CHECK(test.runs.requests[1].executor == compiler::CpuExecutor::Interpreter);
  test.runs.finish(test.outcome());
  CHECK(test.view.statusText() == QStringLiteral("4 programs in 2.0 ms on the interpreter"));
}

TEST_CASE("the times of native code are in the results, and why it was left in the console",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  run.measurement->device.name = "CPU (native code, checked)";
  run.measurement->execution = profiler::CpuExecution{true, true, 24100, 1, 19};
  test.runs.finish(std::move(run));
  CHECK(test.view.statusText() ==
        QStringLiteral("4 programs in 2.0 ms as native code (compiled in 24.1 ms; the first "
                       "program took 0.019 ms in the interpreter)"));
  CHECK(test.view.results().stampText().contains(u"native code"));
  test.savePicture("native-run.png");
  CHECK(test.runs.requests[0].explainsExecutor);
}

TEST_CASE("what executes runs is remembered, and asked for on the CPU alone", "[gui][run]") {
  FakeBackend backend;
  FakeRuns runs;
  profiler::DeviceInfo device;
  device.name = "Fake GPU";
  runs.devices = {device};
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture(backend, &runs);
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  auto *view = fixture.window->findChild<views::RunView *>();
  QComboBox *places = choiceOf(*view, "Where to run");
  places->setFocus();
  QTest::keyClick(places, Qt::Key_Down);
  CHECK(places->currentText() == u"Fake GPU");
  CHECK_FALSE(executors(*view)->isVisible());
  QTest::keyClick(places, Qt::Key_Home);
  CHECK(places->currentText() == u"CPU");
  CHECK(executors(*view)->isVisible());
  executors(*view)->setFocus();
  QTest::keyClick(executors(*view), Qt::Key_End);
  // A new window over the same session.
  fixture.window->close();
  fixture.window.reset();
  fixture.open();
  view = fixture.window->findChild<views::RunView *>();
  CHECK(executors(*view)->currentText() == u"interpreter");
}
