// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Runs over the real worker, and over stand-ins for a runner and for ssh, while keys go into the
// editor.
#include "app/ide/compile/Niceness.h"
#include "app/ide/run/RunBackend.h"
#include "profiler/package/KernelPackage.h"
#include "tests/gui/GpuFixture.h"
#include "tests/support/FakeResult.h"
#include "views/console/ConsoleView.h"

#include <QComboBox>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::DiagnosticKind;

/// How soon a run that a key stops must be gone; it would go on for minutes.
static constexpr qint64 kAtOnceMs = 500;

TEST_CASE("typing compiles while a run is in progress, and a key stops the run at once",
          "[gui][worker][run][timed]") {
  // Each runs for minutes: one jumps often, one instruction of the other takes a long time.
  const std::string loop = "    total = tl.zeros([4096], tl.float32)\n"
                           "    for i in range(0, 400000000):\n"
                           "        total += i * 0.5\n"
                           "    tl.store(out_ptr + offs, tl.sum(total), mask=offs < n)";
  const std::string product = "    a = tl.full([1024, 1024], 1.0, tl.float32)\n"
                              "    for i in range(0, 1000):\n"
                              "        a = tl.dot(a, a, input_precision=\"ieee\") * 0.001\n"
                              "    tl.store(out_ptr + offs, tl.sum(a), mask=offs < n)";
  for (const std::string &body : {loop, product}) {
    RunFixture test(kernelWith(body));
    qint64 fastest = kPatienceMs;
    for (int round = 0; round < 3 && fastest > kAtOnceMs; ++round) {
      test.press(Qt::Key_F5);
      REQUIRE(test.progress->isVisible());
      QTest::qWait(300);
      // An edit compiles meanwhile.
      test.fixture.editor().goTo({2, 0});
      QSignalSpy settled(&test.window, &MainWindow::settled);
      test.fixture.type("#");
      REQUIRE(settled.wait(kPatienceMs));
      const uint64_t revision = test.window.compileController()->request().revision;
      CHECK(test.window.compileController()->latest()->result()->revision == revision);
      INFO(test.view.statusText().toStdString());
      REQUIRE(test.progress->isVisible());
      fastest = std::min(fastest, test.stop());
    }
    CHECK(fastest <= kAtOnceMs);
    CHECK_FALSE(test.progress->isVisible());
  }
}

/// How far the processes that this one has started stand behind it for the processors, sorted.
static std::vector<int> childrenBehind() {
  std::vector<int> behind;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (id_t child = 0; children >> child;)
      behind.push_back(getpriority(PRIO_PROCESS, child) - getpriority(PRIO_PROCESS, 0));
  }
  std::ranges::sort(behind);
  return behind;
}

TEST_CASE("the window goes ahead of compiles, and compiles of runs", "[gui][worker][run]") {
  RunFixture test(kernelWith("    for i in range(0, 400000000):\n"
                             "        tl.store(out_ptr + offs, i * 0.5, mask=offs < n)"));
  CHECK(childrenBehind() == std::vector{kCompileNiceness});
  test.press(Qt::Key_F5);
  CHECK(QTest::qWaitFor(
      [] { return childrenBehind() == std::vector{kCompileNiceness, kRunNiceness}; }, kPatienceMs));
  test.stop();
}

TEST_CASE("what a run finds is at its line until that is edited, outdated after other edits",
          "[gui][worker][run]") {
  RunFixture test(kernelWith("    x = tl.load(x_ptr + offs)\n"
                             "    tl.store(out_ptr + offs, x, mask=offs < n)"));
  test.run();
  const compiler::Diagnostic *found = test.problem(DiagnosticKind::RunAccessOutside);
  REQUIRE(found != nullptr);
  CHECK(found->message == "program 1 reads `x_ptr[40…63]`, past its last element 39; add "
                          "`mask=offs < n`");
  CHECK(found->range == rangeOf(test.fixture.editor().utf8Text(), "tl.load(x_ptr + offs)"));
  // Half the output is not finite: that is said, and nothing is cut off.
  CHECK(test.window.dock(QStringLiteral("problems"))->windowTitle() ==
        QStringLiteral("Problems (%1)")
            .arg(test.window.problems()->model().count(compiler::Severity::Error) +
                 test.window.problems()->model().count(compiler::Severity::Warning)));
  for (int i = 0; i < test.window.problems()->model().rowCount(); ++i) {
    test.press(Qt::Key_F8);
    if (test.fixture.editor().cursor() == found->range.begin)
      break;
  }
  CHECK(test.fixture.editor().cursor() == found->range.begin);
  // A key that comes next replaces nothing.
  CHECK(test.fixture.editor().selectedText().isEmpty());
  test.fixture.editor().goTo({2, 0});
  test.fixture.type("#");
  CHECK(QTest::qWaitFor(
      [&] {
        const compiler::Diagnostic *kept = test.problem(DiagnosticKind::RunAccessOutside);
        return kept && kept->message.starts_with("outdated: program 1 reads `x_ptr[40");
      },
      kPatienceMs));
  CHECK(test.view.results().stampText().contains(u"Outdated"));
  test.fixture.editor().goTo(rangeOf(test.fixture.editor().utf8Text(), "tl.load(x_ptr").begin);
  test.fixture.type(" ");
  CHECK(QTest::qWaitFor([&] { return test.problem(DiagnosticKind::RunAccessOutside) == nullptr; },
                        kPatienceMs));
}

TEST_CASE("the fix of what a run found leaves what else it found", "[gui][worker][run]") {
  RunFixture test(kernelWith("    x = tl.load(x_ptr + offs)\n"
                             "    tl.store(out_ptr + offs, x)"));
  test.run();
  const auto findings = [&] {
    std::vector<SourceRange> places;
    for (const compiler::Diagnostic &each : test.fixture.editor().visibleDiagnostics())
      if (each.kind == DiagnosticKind::RunAccessOutside)
        places.push_back(each.range);
    return places;
  };
  REQUIRE(findings().size() == 2);
  const auto rangeOfStore = [&] {
    return rangeOf(test.fixture.editor().utf8Text(), "tl.store(out_ptr + offs, x)");
  };
  test.fixture.editor().goTo(rangeOf(test.fixture.editor().utf8Text(), "tl.load").begin);
  test.press(Qt::Key_Period, Qt::ControlModifier);
  REQUIRE(QApplication::activePopupWidget());
  QTest::keyClick(QApplication::activePopupWidget()->focusWidget(), Qt::Key_Return);
  CHECK(test.fixture.editor().utf8Text().find("tl.load(x_ptr + offs, mask=offs < n)") !=
        std::string::npos);
  CHECK(QTest::qWaitFor([&] { return findings() == std::vector{rangeOfStore()}; }, kPatienceMs));
}

TEST_CASE(
    "one store that writes an element twice, elements that no program wrote and prints are told",
    "[gui][worker][run]") {
  RunFixture test(kernelWith("    x = tl.load(x_ptr + offs, mask=offs < n)\n"
                             "    tl.device_print(\"x\", n)\n"
                             "    tl.store(out_ptr + offs // 2, x, mask=offs < n)"));
  test.run();
  const compiler::Diagnostic *found = test.problem(DiagnosticKind::RunWriteRace);
  REQUIRE(found != nullptr);
  CHECK(found->message.starts_with("this store writes `out_ptr[0]` twice"));
  bool isSaid = false;
  for (const QLabel *label : test.view.findChildren<QLabel *>())
    isSaid |= label->text().contains(u"20 of 40 elements were never written");
  CHECK(isSaid);
  const views::ConsoleModel &console = test.window.findChild<views::ConsoleView *>()->model();
  int printed = 0;
  for (int row = 0; row < console.rowCount(); ++row)
    if (console.line(row).text.startsWith(u"pid (")) {
      ++printed;
      CHECK(console.line(row).text.endsWith(u"x: 40"));
      CHECK(console.line(row).range.begin.line == 19);
    }
  CHECK(printed == 2);
}

TEST_CASE("a failed assertion is at its line, and the console leads there", "[gui][worker][run]") {
  RunFixture test(kernelWith("    tl.device_assert(offs < 50, \"too far\")\n"
                             "    tl.store(out_ptr + offs, 1.0, mask=offs < n)"));
  test.run();
  const compiler::Diagnostic *found = test.problem(DiagnosticKind::RunAssertFailed);
  REQUIRE(found != nullptr);
  CHECK(found->range.begin.line == 18);
  CHECK(test.view.statusText().contains(u"1 error"));
  CHECK(QString::fromStdString(found->message).contains(u"too far"));
}

static QJsonObject timeOf(double us) {
  return {{QStringLiteral("time_us"), QJsonObject{{QStringLiteral("median"), us},
                                                  {QStringLiteral("min"), 12},
                                                  {QStringLiteral("max"), 13},
                                                  {QStringLiteral("n"), 7}}}};
}

TEST_CASE("a run is compiled for the GPU that it uses, and its sizes are those of the form",
          "[gui][worker][run]") {
  QJsonObject scenario{{QStringLiteral("result"), timeOf(12.5)}};
  scenario[QStringLiteral("capability")] = QJsonArray{8, 9};
  GpuFixture gpu(scenario);
  CHECK(gpu.test.window.compileController()->document()->request().selection.target == "cuda:89");
  CHECK_FALSE(gpu.box("Target")->isEnabled());
  for (QLineEdit *edit : gpu.test.window.findChildren<QLineEdit *>())
    if (edit->accessibleName() == u"n" && edit->text() == u"98432") {
      QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(edit, QStringLiteral("4096"));
      QTest::keyClick(edit, Qt::Key_Return);
      break;
    }
  gpu.test.run(Qt::ControlModifier);
  INFO(gpu.test.view.statusText().toStdString());
  CHECK(gpu.test.view.statusText().contains(u"12.50 µs"));
  CHECK(gpu.test.view.statusText().contains(u"Fake GPU"));
  const auto package =
      profiler::readPackage(gpu.runner.folder.filePath(QStringLiteral("package")).toStdString());
  REQUIRE(package);
  CHECK(package->target == "cuda:89");
  CHECK(package->plan.sizes.at("n") == "4096");
  CHECK(package->plan.grid[0] == 4);
}

TEST_CASE("a run on a GPU finds what lies beside the file", "[gui][worker][run]") {
  GpuFixture gpu({{QStringLiteral("result"), timeOf(1.5)}});
  WindowFixture &fixture = gpu.test.fixture;
  fixture.write("helpers.py", "import triton\nimport triton.language as tl\n\n\n"
                              "@triton.jit\ndef twice(x):\n    return x + x\n");
  std::string text = sampleSource();
  text.replace(text.find("x + y"), 5, "twice(x)");
  fixture.openAndWait(fixture.write("importing.py", "from .helpers import twice\n" + text));
  gpu.test.run(Qt::ControlModifier);
  CHECK(gpu.test.view.statusText().contains(u"1.50 µs"));
  CHECK_FALSE(gpu.runner.left("package").isEmpty());
}

TEST_CASE("a run on a GPU stops by a key, and nothing of it goes on", "[gui][worker][run]") {
  GpuFixture gpu({{QStringLiteral("silent"), true}});
  gpu.test.press(Qt::Key_F5, Qt::ControlModifier);
  // One line of the lookup of devices, one of the run.
  REQUIRE(QTest::qWaitFor([&] { return gpu.runner.left("log").contains("\nrun "); }, kPatienceMs));
  CHECK(gpu.test.progress->isVisible());
  gpu.test.stop();
  CHECK_FALSE(gpu.test.progress->isVisible());
  const QByteArray log = gpu.runner.left("log");
  const pid_t pid = log.split('\n').at(3).split(' ').first().toInt();
  INFO(log.toStdString());
  REQUIRE(pid > 0);
  CHECK(QTest::qWaitFor([&] { return kill(pid, 0) != 0; }, kPatienceMs));
}

TEST_CASE("what is wrong with a kernel is found by a run on a GPU too", "[gui][worker][run]") {
  GpuFixture gpu({{QStringLiteral("result"), timeOf(2)}});
  gpu.test.fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
  QSignalSpy settled(&gpu.test.window, &MainWindow::settled);
  gpu.test.fixture.type(" + missing");
  REQUIRE(settled.wait(kPatienceMs));
  gpu.test.run(Qt::ControlModifier);
  auto *findings = gpu.test.view.findChild<QListWidget *>();
  REQUIRE(findings->count() > 0);
  CHECK(findings->item(0)->text().contains(u"`missing` is not defined"));
  // A key leads there.
  findings->setFocus();
  QTest::keyClick(findings, Qt::Key_Down);
  QTest::keyClick(findings, Qt::Key_Return);
  CHECK(gpu.test.fixture.editor().cursor() ==
        rangeOf(gpu.test.fixture.editor().utf8Text(), "missing").begin);
  CHECK_FALSE(gpu.test.fixture.editor().hasSelectedText());
}

TEST_CASE("a difference from the interpreter names the program and the line that wrote it",
          "[gui][worker][run]") {
  QJsonArray values;
  for (int i = 0; i < 40; ++i)
    values << (i == 35 ? -1.0 : i == 36 ? 100.0 : i);
  GpuFixture gpu({{QStringLiteral("outputs"), QJsonObject{{QStringLiteral("out_ptr"), values}}},
                  {QStringLiteral("console"), QJsonArray{QStringLiteral("from the device")}}},
                 kernelWith("    x = tl.load(x_ptr + offs, mask=offs < n)\n"
                            "    tl.store(out_ptr + offs, x, mask=offs < n)"));
  gpu.test.run(Qt::ControlModifier);
  const compiler::Diagnostic *found = gpu.test.problem(DiagnosticKind::RunMismatch);
  REQUIRE(found != nullptr);
  CHECK(found->message == "`out_ptr[35]` is -1 instead of 35, written by program 1; it is the "
                          "first of 2 that differ from the interpreter");
  CHECK(found->range.begin.line == 19);
  REQUIRE(found->notes.size() == 2);
  CHECK(found->notes[0] == "the worst: `out_ptr[36]` is 100 instead of 36, written by program 1");
  CHECK(found->notes[1].ends_with(
      "pass; to let others pass, give `out_ptr` in the launch block an `atol`, the most by which "
      "an "
      "element may be off, or an `rtol`, the same as a share of what is expected"));
  const views::ConsoleModel &console = gpu.test.window.findChild<views::ConsoleView *>()->model();
  bool isPrinted = false;
  for (int row = 0; row < console.rowCount(); ++row)
    isPrinted |= console.line(row).text == u"from the device";
  CHECK(isPrinted);
}

TEST_CASE("ssh that fails is told as such", "[gui][worker][run]") {
  FakeRunner runner({{QStringLiteral("exit"), 255},
                     {QStringLiteral("console"), QJsonArray{QStringLiteral("no route to host")}}});
  RunFixture test(sampleSource());
  QComboBox *places = nullptr;
  for (QComboBox *box : test.window.findChildren<QComboBox *>())
    if (box->accessibleName() == u"Where to run")
      places = box;
  REQUIRE(places != nullptr);
  places->setFocus();
  QTest::keyClick(places, Qt::Key_End);
  auto *edit = test.window.findChild<QInputDialog *>()->findChild<QLineEdit *>();
  QTest::keyClicks(edit, QStringLiteral("nowhere"));
  QTest::keyClick(edit, Qt::Key_Return);
  test.run(Qt::ControlModifier);
  INFO(test.view.statusText().toStdString());
  CHECK(test.view.statusText().startsWith(u"ssh failed to reach `nowhere`: no route to host"));
}

TEST_CASE("a run says when it checks what the launch block expects", "[gui][worker][run]") {
  std::string text = sampleSource();
  const size_t line = text.find("# out_ptr = {");
  REQUIRE(line != std::string::npos);
  text.insert(text.find('}', line), ", expected = \"x_ptr + y_ptr\" ");
  RunFixture test(text);
  QSignalSpy checking(test.window.findChild<RunBackend *>(), &RunBackend::checking);
  test.run();
  CHECK(checking.size() == 1);
  INFO(test.view.statusText().toStdString());
  CHECK(test.view.statusText().contains(u"as expected: `out_ptr`"));
  // Without an expectation there is nothing to check.
  test.fixture.editor().replaceText(QString::fromStdString(sampleSource()));
  QCoreApplication::processEvents();
  test.run();
  CHECK(checking.size() == 1);
}
