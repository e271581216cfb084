// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Outputs beside what is expected of them, in the window.
#include "app/ide/docks/FocusOutline.h"
#include "profiler/analysis/Comparison.h"
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/run/OutputChoice.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <cmath>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// A run whose output is what is expected of it.
static LaunchRun asExpected(RunsFixture &test) {
  LaunchRun run = test.outcome(64, 64);
  profiler::OutputResult &output = run.measurement->outputs.front();
  const profiler::Tensor actual = *profiler::readNpy(output.path);
  output.comparison = profiler::compareTensors(actual, actual);
  output.comparison->isWithExpected = true;
  return run;
}

/// The same with a second output, `sum_ptr`, one element of which is another one.
static LaunchRun halfAsExpected(RunsFixture &test) {
  LaunchRun run = asExpected(test);
  std::vector<profiler::OutputResult> &outputs = run.measurement->outputs;
  outputs.push_back(outputs.front());
  const profiler::Tensor actual = *profiler::readNpy(outputs[1].path);
  profiler::Tensor expected = actual;
  expected.set(5, 7.5);
  outputs[1].name = "sum_ptr";
  outputs[1].comparison = profiler::compareTensors(actual, expected);
  outputs[1].comparison->isWithExpected = true;
  return run;
}

TEST_CASE("an element that was never written is not said to be written in a line", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  profiler::OutputResult &output = run.measurement->outputs.front();
  output.neverWritten = 2;
  output.firstNeverWritten = {5};
  profiler::OutputComparison comparison;
  comparison.isWithExpected = true;
  comparison.mismatches = 2;
  comparison.firstMismatch = comparison.worst = {5};
  comparison.firstActual = comparison.worstActual = std::nan("");
  comparison.firstExpected = comparison.worstExpected = 7.5;
  output.comparison = comparison;
  compiler::Diagnostic difference =
      test.finding("tl.store", "`out_ptr[5]` is nan instead of 7.5: no program writes it");
  difference.kind = compiler::DiagnosticKind::RunMismatch;
  difference.cause.subject = output.name;
  run.diagnostics.push_back(difference);
  test.runs.finish(std::move(run));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  const QLabel *remarks = test.label(QStringLiteral("elements differ"));
  REQUIRE(remarks != nullptr);
  CHECK(remarks->text().contains(u"first [5]</a>: never written instead of 7.5"));
  CHECK(remarks->text().contains(u"; the first is never written, see <a "));
  CHECK_FALSE(remarks->text().contains(u"is written in"));
}

TEST_CASE("elements that differ from what is expected are marked in picture and table",
          "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  profiler::OutputResult &output = run.measurement->outputs.front();
  const profiler::Tensor actual = *profiler::readNpy(output.path);
  profiler::Tensor expected = actual;
  expected.set(5, 7.5);
  expected.set(17, -3);
  output.comparison = profiler::compareTensors(actual, expected);
  output.comparison->isWithExpected = true;
  REQUIRE(output.comparison->mismatches == 2);
  REQUIRE(profiler::writeNpy(profiler::referencePath(output.path), expected));
  compiler::Diagnostic difference = test.finding("tl.store", "`out_ptr[5]` is 5 instead of 7.5");
  difference.kind = compiler::DiagnosticKind::RunMismatch;
  difference.cause.subject = output.name;
  run.diagnostics.push_back(difference);
  test.runs.finish(std::move(run));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  // It is said once, above the picture; the last of its links leads to the line.
  CHECK(test.view.findChild<QListWidget *>()->count() == 0);
  QLabel *remarks = test.label(QStringLiteral("elements differ"));
  REQUIRE(remarks != nullptr);
  remarks->setFocus();
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(remarks, Qt::Key_Tab);
  QTest::keyClick(remarks, Qt::Key_Return);
  CHECK(test.fixture.editor().cursor().line == difference.range.begin.line);
  // In the picture each has a frame, others have none.
  auto *heatMap = test.view.findChild<views::HeatMap *>();
  const auto numMarked = [&] {
    const QImage shown = heatMap->grab().toImage();
    int count = 0;
    for (int y = 0; y < shown.height(); ++y)
      for (int x = 0; x < shown.width(); ++x)
        count += shown.pixel(x, y) == views::HeatMap::markColor().rgb();
    return count;
  };
  CHECK(numMarked() > 20);
  CHECK(numMarked() < heatMap->width() * heatMap->height() / 8);
  // In the table, too, with what is expected in the tool tip.
  const views::TensorModel &table = test.view.tableModel();
  CHECK(table.index(0, 5).data(views::TensorModel::DiffersRole).toBool());
  CHECK(table.index(0, 5).data(Qt::ToolTipRole).toString() == u"expected 7.5");
  CHECK_FALSE(table.index(0, 6).data(views::TensorModel::DiffersRole).toBool());
  CHECK(table.index(1, 1).data(views::TensorModel::DiffersRole).toBool());
  // A key shows how far they are from it.
  QComboBox *mode = nullptr;
  for (QComboBox *box : test.view.findChildren<QComboBox *>())
    if (box->accessibleName() == u"How the output is shown")
      mode = box;
  REQUIRE(mode->count() == 4);
  mode->setFocus();
  QTest::keyClick(mode, Qt::Key_End);
  CHECK(mode->currentText() == u"Difference");
  CHECK(heatMap->isVisible());
  CHECK(test.label(QStringLiteral("how far each element is from what is expected: at most 20")));
  CHECK(numMarked() == 0);
  test.savePicture("difference.png");
  // The next run agrees: there is nothing to show.
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome(64, 64));
  REQUIRE(QTest::qWaitFor([&] { return mode->count() == 3; }, kPatienceMs));
  CHECK(mode->currentText() == u"Heat map");
  CHECK(numMarked() == 0);
}

TEST_CASE("what is as expected is said, and what is not is shown", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(halfAsExpected(test));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(test.view.statusText().contains(
      u"but `sum_ptr` is not as it should be; as expected: `out_ptr`"));
  const auto &choice = *test.view.results().findChild<views::OutputChoice *>();
  CHECK(choice.text(choice.current()).startsWith(u"sum_ptr"));
}

TEST_CASE("NaN and infinity of outputs that are not in view are announced", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = asExpected(test);
  std::vector<profiler::OutputResult> &outputs = run.measurement->outputs;
  outputs[0].numNan = outputs[0].numInfinite = 0;
  outputs.push_back(outputs[0]);
  outputs[1].name = "root_ptr";
  outputs[1].comparison.reset();
  outputs[1].numNan = profiler::numElements(outputs[1].shape) / 2;
  outputs[1].numInfinite = 1;
  test.runs.finish(std::move(run));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(test.view.results().badgesText().contains(u"root_ptr: "));
  CHECK(test.view.results().badgesText().contains(u"NaN (50 %)"));
  CHECK(test.view.results().badgesText().contains(u"1 infinite"));
  CHECK(test.view.statusText().contains(
      u"as expected: `out_ptr`; nothing is expected of `root_ptr`"));
  const auto &choice = *test.view.results().findChild<views::OutputChoice *>();
  QStringList offered;
  for (int i = 0; i < choice.count(); ++i)
    offered << choice.text(i);
  CHECK(offered.filter(QStringLiteral("root_ptr")).join(u' ').endsWith(u"⚠ NaN, infinite"));
  CHECK_FALSE(offered.filter(QStringLiteral("out_ptr")).join(u' ').contains(u"⚠"));
}

TEST_CASE("the first and the worst mismatch are shown", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  profiler::OutputComparison comparison;
  comparison.mismatches = 12;
  comparison.firstMismatch = {3};
  comparison.firstActual = 3;
  comparison.firstExpected = 4;
  comparison.worst = {40};
  comparison.worstActual = 40;
  comparison.worstExpected = -1;
  run.measurement->outputs.front().comparison = comparison;
  test.runs.finish(std::move(run));
  const QLabel *remarks = test.label(QStringLiteral("elements differ"));
  REQUIRE(remarks != nullptr);
  CHECK(remarks->text().contains(u"12 elements differ"));
  CHECK(remarks->text().contains(u"<a href=\"3\">first [3]</a>: 3 instead of 4"));
  CHECK(remarks->text().contains(u"<a href=\"40\">worst [40]</a>: 40 instead of -1"));
}

TEST_CASE("an output that could not be checked is not shown as the wrong one", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  profiler::OutputResult wrong = run.measurement->outputs[0];
  wrong.name = "wrong_ptr";
  wrong.comparison = profiler::OutputComparison();
  wrong.comparison->mismatches = 1;
  wrong.comparison->firstMismatch = wrong.comparison->worst = {0};
  wrong.comparison->isWithExpected = true;
  profiler::OutputResult &unchecked = run.measurement->outputs[0];
  unchecked.comparison = profiler::OutputComparison();
  unchecked.comparison->fault = "`out_ptr` could not be checked";
  compiler::Diagnostic why;
  why.severity = compiler::Severity::Warning;
  why.kind = compiler::DiagnosticKind::LaunchBlockInvalid;
  why.cause.subject = unchecked.name;
  why.message = unchecked.comparison->fault;
  run.diagnostics.push_back(why);
  unchecked.comparison->isWithExpected = true;
  CHECK_FALSE(unchecked.isWrong());
  CHECK(wrong.isWrong());
  run.measurement->outputs.push_back(wrong);
  test.runs.finish(std::move(run));
  auto *tabs = test.view.results().findChild<QTabBar *>();
  REQUIRE(tabs);
  const auto chosen = [&] { return tabs->tabText(tabs->currentIndex()).section(u' ', 0, 0); };
  CHECK(QTest::qWaitFor([&] { return chosen() == u"wrong_ptr"; }, kPatienceMs));
  CHECK(tabs->tabText(tabs->currentIndex()).contains(u"⚠ differs"));
  // Why it was not is said once, in the list.
  tabs->setFocus();
  QTest::keyClick(tabs, Qt::Key_Left);
  REQUIRE(chosen() == u"out_ptr");
  CHECK(test.view.findChild<QListWidget *>()->count() == 1);
  const auto labels = test.view.findChildren<QLabel *>();
  CHECK(std::ranges::count_if(labels, [](const QLabel *label) {
          return label->text().contains(u"could not be checked");
        }) == 1);
}

TEST_CASE("behind the picture of an output, Tab stops only where it is seen", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  auto *picture = test.view.findChild<views::HeatMap *>();
  picture->setFocus();
  REQUIRE(picture->hasFocus());
  for (int i = 0; i < 12; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QWidget *stop = QApplication::focusWidget();
    REQUIRE(stop);
    INFO(stop->metaObject()->className() << " " << stop->accessibleName().toStdString() << " in "
                                         << stop->parentWidget()->metaObject()->className());
    CHECK_FALSE(stop->visibleRegion().isEmpty());
    const app::FocusOutline *outline = test.window.focusOutline();
    const bool isFramed =
        outline->isVisible() && outline->view() && outline->view()->isAncestorOf(stop);
    const QImage with = stop->window()->grab().toImage();
    stop->clearFocus();
    CHECK((isFramed || test.window.grab().toImage() != with));
    stop->setFocus(Qt::TabFocusReason);
  }
}

TEST_CASE("what a run wrote is shown first, unless the user looks at something else",
          "[gui][run]") {
  RunsFixture test;
  auto *tabs = test.view.results().findChild<QTabBar *>();
  const auto shown = [&] { return tabs->tabText(tabs->currentIndex()); };
  const auto finish = [&](bool writes) {
    test.press(Qt::Key_F5);
    LaunchRun run = test.outcome(64, 64);
    profiler::OutputResult input = run.measurement->outputs.front();
    run.measurement->outputs.front().changed = writes;
    input.name = "a_ptr";
    input.changed = false;
    run.measurement->outputs.insert(run.measurement->outputs.begin(), input);
    test.runs.finish(std::move(run));
    REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  };
  // Without programs nothing is written.
  finish(false);
  CHECK(shown() == u"a_ptr");
  finish(true);
  CHECK(shown() == u"out_ptr");
  CHECK(tabs->currentIndex() == 0);
  QTest::keyClick(tabs, Qt::Key_Right);
  CHECK(shown() == u"a_ptr");
  finish(true);
  CHECK(shown() == u"a_ptr");
}

TEST_CASE("outputs and inputs of a launch are tabs, however many there are", "[gui][run]") {
  RunsFixture test;
  const auto &choice = *test.view.results().findChild<views::OutputChoice *>();
  const auto finish = [&](int numInputs) {
    test.press(Qt::Key_F5);
    LaunchRun run = test.outcome(64, 60);
    run.measurement->outputs.front().changed = true;
    for (int i = 0; i < numInputs; ++i) {
      profiler::OutputResult input = run.measurement->outputs.front();
      input.name = "in_" + std::to_string(i);
      input.changed = false;
      input.neverWritten.reset();
      run.measurement->outputs.push_back(std::move(input));
    }
    test.runs.finish(std::move(run));
    REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  };
  auto *tabs = choice.findChild<QTabBar *>();
  QToolButton *all = nullptr;
  for (QToolButton *each : choice.findChildren<QToolButton *>())
    if (each->accessibleName() == u"All outputs and inputs")
      all = each;
  REQUIRE(all);
  CHECK(tabs->accessibleName() == u"Outputs, then inputs");

  finish(2);
  CHECK((tabs->isVisible() && !all->isVisible()));
  CHECK(choice.count() == 3);
  CHECK(choice.text(0) == u"out_ptr  ⚠ never written");
  CHECK(tabs->tabToolTip(0) == u"out_ptr  fp32[64]  ⚠ never written");
  CHECK(choice.text(2) == u"in_1");
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(choice.current() == 1);
  CHECK(test.label(QStringLiteral("fp32[64] ·")));

  // Not all are in sight: a button lists them, with their types.
  finish(19);
  REQUIRE(QTest::qWaitFor([&] { return all->isVisible(); }, kPatienceMs));
  CHECK(tabs->isVisible());
  CHECK(choice.count() == 20);
  CHECK(choice.text(choice.current()) == u"in_0");
  CHECK(choice.width() <= test.view.results().width());
  tabs->setFocus();
  QTest::keyClick(tabs, Qt::Key_Right);
  CHECK(choice.text(choice.current()) == u"in_1");
  QStringList listed;
  QTimer::singleShot(0, [&] {
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    for (const QAction *entry : menu->actions())
      listed << entry->text();
    QTest::keyClick(menu, Qt::Key_End);
    QTest::keyClick(menu, Qt::Key_Return);
  });
  QTest::mouseClick(all, Qt::LeftButton);
  CHECK(listed.size() == 20);
  CHECK(listed.value(1) == u"in_0  fp32[64]");
  CHECK(choice.text(choice.current()) == u"in_18");
  CHECK(tabs->tabRect(19).right() <= tabs->width());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
}

TEST_CASE("what is as expected in spite of a warning is not said to be right", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  std::vector<profiler::OutputResult> &outputs = run.measurement->outputs;
  const profiler::Tensor actual = *profiler::readNpy(outputs[0].path);
  outputs[0].comparison = profiler::compareTensors(actual, actual);
  outputs[0].comparison->isWithExpected = true;
  outputs[0].comparison->doubt = profiler::MatchDoubt::Undefined;
  test.runs.finish(std::move(run));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(test.view.statusText().contains(
      u"; as expected by chance, since undefined values take part: `out_ptr`"));
}
