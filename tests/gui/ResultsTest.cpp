// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What runs found, in the window: results, and to which text they belong.
#include "app/ide/docks/FocusOutline.h"
#include "tests/gui/Patience.h"
#include "tests/gui/RunsFixture.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/console/ConsoleView.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTableView>
#include <QTemporaryDir>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("elements that were never written are said, and a key leads to the first", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests[0].place.kind == RunPlace::Kind::Cpu);
  CHECK(test.runs.requests[0].input.text == sampleSource());
  test.runs.finish(test.outcome());
  CHECK(test.view.statusText() == QStringLiteral("4 programs in 2.0 ms on the interpreter"));
  QLabel *remarks = test.label(QStringLiteral("elements were never written"));
  REQUIRE(remarks != nullptr);
  CHECK(remarks->text().contains(QStringLiteral("928 of 4,000 elements were never written")));
  CHECK(remarks->wordWrap());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  test.savePicture("unwritten.png");
  remarks->setFocus();
  QTest::keyClick(remarks, Qt::Key_Tab);
  QTest::keyClick(remarks, Qt::Key_Return);
  auto *table = test.view.findChild<QTableView *>();
  CHECK(table->isVisible());
  CHECK(table->currentIndex().row() == 3072 / 16);
  CHECK(table->currentIndex().data().toString() == QStringLiteral("unwritten"));
  test.goToElement(QStringLiteral("17"));
  CHECK(table->currentIndex().data().toString() == QStringLiteral("17"));
}

TEST_CASE("a run of native code is not one of the interpreter", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests[0].executor == compiler::CpuExecutor::Native);
  LaunchRun run = test.outcome();
  run.measurement->device.name = "CPU (native code, checked)";
  test.runs.finish(std::move(run));
  CHECK(test.view.statusText() == QStringLiteral("4 programs in 2.0 ms as native code"));
  CHECK(test.view.results().stampText().contains(u"native code"));
}

TEST_CASE("a machine behind ssh is typed once, chosen and remembered", "[gui][run]") {
  FakeBackend backend;
  FakeRuns runs;
  profiler::DeviceInfo device;
  device.name = "Fake GPU";
  runs.devices = {device};
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture(backend, &runs);
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  const auto places = [&] {
    for (QComboBox *box : fixture.window->findChildren<QComboBox *>())
      if (box->accessibleName() == u"Where to run")
        return box;
    FAIL("there is no choice of places");
    return static_cast<QComboBox *>(nullptr);
  };
  REQUIRE(places()->count() == 3);
  CHECK(places()->itemText(1) == QStringLiteral("Fake GPU"));
  places()->setFocus();
  QTest::keyClick(places(), Qt::Key_End);
  auto *dialog = fixture.window->findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  auto *edit = dialog->findChild<QLineEdit *>();
  QTest::keyClicks(edit, QStringLiteral("me@gpu.example/1"));
  QTest::keyClick(edit, Qt::Key_Return);
  CHECK(places()->currentText() == QStringLiteral("ssh://me@gpu.example/1"));
  CHECK(runs.lookups.back() == RunPlace{RunPlace::Kind::Ssh, 1, "me@gpu.example"});
  QTest::keyClick(fixture.window->editor(), Qt::Key_F5, Qt::ControlModifier);
  REQUIRE(runs.requests.size() == 1);
  CHECK(runs.requests[0].place == RunPlace{RunPlace::Kind::Ssh, 1, "me@gpu.example"});
  CHECK(runs.requests[0].compare);
  fixture.window->close();
  fixture.window.reset();
  fixture.open();
  CHECK(places()->findText(QStringLiteral("ssh://me@gpu.example/1")) >= 0);
}

TEST_CASE("what a machine behind ssh can do is told where it is chosen", "[gui][run]") {
  FakeBackend backend;
  FakeRuns runs;
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  WindowFixture fixture(backend, &runs);
  fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
  QTemporaryDir home;
  QDir(home.path()).mkdir(QStringLiteral(".ssh"));
  QFile config(home.filePath(QStringLiteral(".ssh/config")));
  REQUIRE(config.open(QIODevice::WriteOnly));
  config.write("Host cluster-a cluster-b\n  HostName 10.0.0.1\n");
  config.close();
  const QByteArray before = qgetenv("HOME");
  qputenv("HOME", home.path().toUtf8());
  QComboBox *places = nullptr;
  for (QComboBox *box : fixture.window->findChildren<QComboBox *>())
    if (box->accessibleName() == u"Where to run")
      places = box;
  REQUIRE(places != nullptr);
  places->setFocus();
  QTest::keyClick(places, Qt::Key_End);
  auto *dialog = fixture.window->findChild<QInputDialog *>();
  REQUIRE(dialog != nullptr);
  CHECK(dialog->comboBoxItems() ==
        QStringList{QStringLiteral("cluster-a"), QStringLiteral("cluster-b")});
  auto *edit = dialog->findChild<QLineEdit *>();
  REQUIRE(edit != nullptr);
  CHECK(edit->text().isEmpty());
  // The rest of the name is completed.
  QTest::keyClicks(edit, QStringLiteral("cluster-a"));
  QTest::keyClick(edit, Qt::Key_Return);
  qputenv("HOME", before);
  const RunPlace far{RunPlace::Kind::Ssh, 0, "cluster-a"};
  REQUIRE(runs.lookups.back() == far);
  profiler::Capabilities machine;
  machine.host = "node1";
  machine.system = "Linux 6.1";
  machine.driverRelease = "570.86.15";
  profiler::DeviceState device;
  device.info.name = "NVIDIA H100";
  machine.devices = {device, device};
  Q_EMIT runs.machineFound(far, machine, {});
  const auto summary = [&] {
    for (const QLabel *label : fixture.window->findChildren<QLabel *>())
      if (label->accessibleName() == u"What the machine can do" && !label->isHidden())
        return label->text();
    return QString();
  };
  CHECK(summary() == QStringLiteral("node1: 2 × NVIDIA H100; driver 570.86.15; counters allowed"));
  CHECK(places->toolTip().contains(u"driver    570.86.15"));
  Q_EMIT runs.machineFound(far, {}, QStringLiteral("ssh failed to reach `cluster-a`"));
  CHECK(summary() == QStringLiteral("ssh failed to reach ‘cluster-a’"));
  // The interpreter needs no machine.
  QTest::keyClick(places, Qt::Key_Home);
  CHECK(summary().isEmpty());
}

TEST_CASE("large outputs are read and drawn beside the window", "[gui][run][timed]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(8'000'000, 7'000'000);
  test.runs.finish(std::move(run));
  // Nothing was waited for.
  CHECK_FALSE(test.view.results().isLoaded());
  CHECK(test.label(QStringLiteral("1,000,000 of 8,000,000 elements were never written")));
  QElapsedTimer sinceTick;
  qint64 longest = 0;
  QTimer tick;
  QObject::connect(&tick, &QTimer::timeout, &tick,
                   [&] { longest = std::max(longest, sinceTick.restart()); });
  sinceTick.start();
  tick.start(0);
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  INFO(longest);
  CHECK(longest < 250);
}

TEST_CASE("a target that is chosen though it is the usual one leaves results valid", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  const auto choose = [&](const char *target) {
    test.window.compileController()->setChosenTarget(target);
    QCoreApplication::processEvents();
  };
  choose("cuda:100");
  CHECK(test.view.results().stampText().contains(u"Outdated"));
  choose(compiler::kDefaultTarget);
  CHECK_FALSE(test.view.results().stampText().contains(u"Outdated"));
}

TEST_CASE("each of several texts without a file goes by the name of its tab", "[gui][run]") {
  RunsFixture test;
  for (int i = 0; i < 2; ++i) {
    QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier);
    test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
    QCoreApplication::processEvents();
  }
  REQUIRE(test.window.currentPage()->title() == u"untitled-2.py");
  REQUIRE(QTest::qWaitFor([&] { return test.window.compileController()->isCurrent(); }, 5000));
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  CHECK(test.runs.requests[0].input.path == "untitled-2.py");
  test.runs.finish(test.outcome());
  CHECK(test.view.results().stampText().startsWith(u"untitled-2.py · vector_add"));
}

TEST_CASE("a text without a file has the name of its tab in console and results", "[gui][run]") {
  RunsFixture test;
  QTest::keyClick(&test.window, Qt::Key_N, Qt::ControlModifier);
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
  QCoreApplication::processEvents();
  REQUIRE(QTest::qWaitFor([&] { return test.window.compileController()->isCurrent(); }, 5000));
  test.press(Qt::Key_F5);
  REQUIRE(test.runs.requests.size() == 1);
  LaunchRun run = test.outcome();
  run.files = {{test.runs.requests[0].input.path, sampleSource()}};
  run.diagnostics.push_back(test.finding("tl.store", "outside"));
  test.runs.finish(std::move(run));
  CHECK(test.view.results().stampText().startsWith(u"untitled.py · vector_add"));
  const views::ConsoleModel &console = test.window.findChild<views::ConsoleView *>()->model();
  CHECK(console.line(0).text.startsWith(u"untitled.py · vector_add"));
  bool isNamed = false;
  for (int row = 0; row < console.rowCount(); ++row)
    isNamed |= views::ConsoleModel::placeText(console.line(row)).startsWith(u"untitled.py:");
  CHECK(isNamed);
  // Once it is saved, they are of the file.
  views::ConsoleModel saved;
  saved.append({console.line(0),
                {views::ConsoleLine::Kind::Print, QStringLiteral("1"),
                 std::make_shared<const compiler::SourceFile>("untitled.py", "x")}});
  saved.followName("untitled.py", "/kernels/mm.py");
  CHECK(views::ConsoleModel::placeText(saved.line(1)) == u"mm.py:1");
  CHECK(saved.line(1).file->text == "x");
  // A finding leads into the text itself.
  EditorPage *unnamed = test.window.currentPage();
  auto *findings = test.view.findChild<QListWidget *>();
  REQUIRE(findings->count() == 1);
  CHECK(findings->item(0)->text().startsWith(u"line "));
  findings->setFocus();
  findings->setCurrentRow(0);
  QTest::keyClick(findings, Qt::Key_Return);
  CHECK(test.window.currentPage() == unnamed);
  CHECK(test.fixture.editor().cursor().line == rangeOf(sampleSource(), "tl.store").begin.line);
}

TEST_CASE("an element that the output does not have is answered with the last one", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  test.runs.finish(test.outcome());
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  test.goToElement(QStringLiteral("9999"));
  QLineEdit *field = test.elementField();
  CHECK(test.label(QStringLiteral("no element `9999`: the last one is 3999.")));
  CHECK(field->property("invalid").toBool());
  QTest::keyClick(field, Qt::Key_Backspace);
  CHECK_FALSE(field->property("invalid").toBool());
}

TEST_CASE("several faults of one line are one place to step to", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  const SourceRange place = rangeOf(sampleSource(), "tl.store");
  for (const std::array<int32_t, 3> program :
       {std::array{0, 0, 0}, std::array{0, 0, 0}, std::array{1, 0, 0}})
    run.faults.push_back({program, place});
  test.runs.finish(std::move(run));
  QLabel *links = test.label(QStringLiteral("Step to: "));
  REQUIRE(links);
  CHECK(links->text().count(QStringLiteral("program 0, ")) == 1);
  CHECK(links->text().count(QStringLiteral("program 1, ")) == 1);
}

TEST_CASE("where all elements differ, the picture shows how far they do", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  constexpr int64_t kCount = 1 << 16;
  LaunchRun run = test.outcome(kCount, kCount);
  profiler::OutputResult &output = run.measurement->outputs.front();
  const profiler::Tensor actual = *profiler::readNpy(output.path);
  profiler::Tensor expected = actual;
  // By 10^6 to 128 * 10^6.
  for (int64_t i = 0; i < kCount; ++i)
    expected.set(i, actual.at(i) + std::ldexp(1e6, static_cast<int>(i / 256 % 8)));
  output.comparison = profiler::compareTensors(actual, expected);
  output.comparison->isWithExpected = true;
  REQUIRE(output.comparison->mismatches == kCount);
  REQUIRE(profiler::writeNpy(profiler::referencePath(output.path), expected));
  test.runs.finish(std::move(run));
  REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  CHECK(test.label(QStringLiteral("all 65,536 elements differ")));
  QComboBox *mode = nullptr;
  for (QComboBox *box : test.view.findChildren<QComboBox *>())
    if (box->accessibleName() == u"How the output is shown")
      mode = box;
  REQUIRE(mode);
  CHECK(mode->currentText() == u"Difference");
  CHECK(test.label(QStringLiteral("at most 1.28e+08, on a logarithmic scale")));
  test.savePicture("all-differ.png");
  // The values have their own colors, without the mark's.
  mode->setFocus();
  QTest::keyClick(mode, Qt::Key_Home);
  CHECK(mode->currentText() == u"Heat map");
  const QImage shown = test.view.findChild<views::HeatMap *>()->grab().toImage();
  int marked = 0;
  for (int y = 0; y < shown.height(); ++y)
    for (int x = 0; x < shown.width(); ++x)
      marked += shown.pixel(x, y) == views::HeatMap::markColor().rgb();
  CHECK(marked < 100);
  test.savePicture("all-differ-values.png");
}

TEST_CASE("an output of one element is shown as its number", "[gui][run]") {
  RunsFixture test;
  const auto chosenMode = [&] {
    for (const QComboBox *box : test.view.findChildren<QComboBox *>())
      if (box->accessibleName() == u"How the output is shown")
        return box->currentText();
    return QString();
  };
  const auto finish = [&](int64_t count) {
    test.press(Qt::Key_F5);
    test.runs.finish(test.outcome(count, count));
    REQUIRE(QTest::qWaitFor([&] { return test.view.results().isLoaded(); }, kPatienceMs));
  };
  finish(1);
  CHECK(chosenMode() == u"Table");
  // Others are a picture again.
  finish(64);
  CHECK(chosenMode() == u"Heat map");
}

TEST_CASE("a run with faults says which outputs are as expected nevertheless", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome(64, 64);
  std::vector<profiler::OutputResult> &outputs = run.measurement->outputs;
  const profiler::Tensor actual = *profiler::readNpy(outputs[0].path);
  outputs[0].comparison = profiler::compareTensors(actual, actual);
  outputs[0].comparison->isWithExpected = true;
  outputs.resize(3, outputs[0]);
  outputs[2].name = "mean_ptr";
  outputs[2].comparison->doubt = profiler::MatchDoubt::Outside;
  profiler::Tensor expected = actual;
  expected.set(5, 7.5);
  outputs[1].name = "sum_ptr";
  outputs[1].comparison = profiler::compareTensors(actual, expected);
  outputs[1].comparison->isWithExpected = true;
  run.diagnostics = {test.finding("tl.store", "writes outside")};
  test.runs.finish(std::move(run));
  CHECK(test.view.statusText() == u"The run failed with 1 error. As expected nevertheless: "
                                  u"`out_ptr`. As expected by chance, since what is read outside "
                                  u"of an array takes part: `mean_ptr`. Not as expected: "
                                  u"`sum_ptr`.");
}

TEST_CASE("elements that were never written are among the problems, at the store", "[gui][run]") {
  RunsFixture test;
  test.press(Qt::Key_F5);
  LaunchRun run = test.outcome();
  compiler::RoundingFacts facts;
  facts.argument = run.measurement->outputs.front().name;
  facts.stores = {{{3, 4}, {3, 8}, 0}};
  run.roundings = {facts};
  test.runs.finish(std::move(run));
  CHECK(test.hasProblem("928 of 4000 elements of `out_ptr` were never written (23.2 %)"));
}
