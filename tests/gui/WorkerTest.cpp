// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The window over the real compile worker: keys go in, what the views show comes out.
#include "app/ide/WorkerConnection.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeResult.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/run/TensorModel.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QElapsedTimer>

#include <ctime>
#include <iostream>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::DiagnosticKind;
using compiler::StageId;
using compiler::TestHook;

namespace {

constexpr int kPatienceMs = 60000;

/// Environment for workers that obey test hooks and keep their reproducers in a folder of the test.
struct WorkerEnvironment {
  QTemporaryDir crashes;
  WorkerEnvironment() {
    qputenv("TILESCOPE_TEST_HOOKS", "1");
    qputenv("TILESCOPE_CRASH_DIR", crashes.path().toUtf8());
    qputenv("TILESCOPE_MEMORY_LIMIT_MB", "2500");
  }
};

struct WorkerFixture : WorkerEnvironment {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;

  /// Types and waits until everything shows the compile of exactly this text.
  void typeAndSettle(const char *keys) {
    QSignalSpy settled(&window, &MainWindow::settled);
    fixture.type(keys);
    REQUIRE(QTest::qWaitFor(
        [&] {
          return !settled.isEmpty() && window.compileController()->latest() &&
                 window.compileController()->latest()->result()->revision ==
                     window.compileController()->request().revision &&
                 !window.compileController()->isRunning();
        },
        kPatienceMs));
  }

  const compiler::Diagnostic *problem(DiagnosticKind kind) {
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      if (diagnostic.kind == kind)
        return &diagnostic;
    return nullptr;
  }

  std::string stageText(StageId stage) {
    return window.stageColumn(stage)->codeView().document().text();
  }

  /// A key makes the compiler do `action`; the window says so and goes on with the next key.
  void checkDeath(TestHook hook, DiagnosticKind kind, const std::string &words) {
    fixture.openAndWait(fixture.write("vector_add.py", sampleSource()));
    REQUIRE(stageText(StageId::Ttgir).find("tt.load") != std::string::npos);
    fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
    typeAndSettle(" * ");
    const qint64 before = worker.processId();
    worker.setTestHook(hook);
    typeAndSettle("3");
    const compiler::Diagnostic *found = problem(kind);
    REQUIRE(found != nullptr);
    CHECK(found->message.find(words) != std::string::npos);
    CHECK(found->message.find("TTGIR") != std::string::npos);
    CHECK(window.stageColumn(StageId::Ttgir)->isStale());
    // The last good content stays.
    CHECK(stageText(StageId::Ttgir).find("tt.load") != std::string::npos);

    QTest::keyClick(window.editor(), Qt::Key_Backspace);
    typeAndSettle("2");
    CHECK(problem(kind) == nullptr);
    CHECK(window.compileController()->latest()->result()->stage(StageId::Ptx) != nullptr);
    CHECK(worker.processId() != before);
    CHECK(worker.processId() > 0);
  }
};

} // namespace

TEST_CASE("a crash of the compiler is a problem, and the next key compiles again",
          "[gui][worker]") {
  WorkerFixture test;
  test.checkDeath({TestHook::Action::Crash, "ttgir"}, DiagnosticKind::StageCrashed, "crashed");
  // The reproducer was written where the diagnostic says.
  CHECK_FALSE(QDir(test.crashes.path()).isEmpty());
}

TEST_CASE("a hanging compiler is ended, and the next key compiles again", "[gui][worker]") {
  WorkerFixture test;
  test.worker.setDeadlines(1000, 8000);
  test.checkDeath({TestHook::Action::Hang, "ttgir"}, DiagnosticKind::StageTimedOut,
                  "took too long");
}

TEST_CASE("a compiler out of memory is a problem, and the next key compiles again",
          "[gui][worker]") {
  WorkerFixture test;
  test.checkDeath({TestHook::Action::ExhaustMemory, "ttgir"}, DiagnosticKind::StageOutOfMemory,
                  "ran out of memory");
}

TEST_CASE("a hanging compile does not hold up the newest edit", "[gui][worker]") {
  WorkerFixture test;
  test.worker.setDeadlines(500, 60000);
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  test.fixture.editor().goTo(rangeOf(sampleSource(), "x + y").end);
  test.fixture.type(" * ");
  test.worker.setTestHook({TestHook::Action::Hang, "ttir"});
  test.fixture.type("3");
  test.typeAndSettle("7");
  CHECK(test.stageText(StageId::Ttir).find("3.700000e+01") != std::string::npos);
}

/// Processor time of this thread so far.
static double threadTimeMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

namespace {
/// Notes when the editor was last painted.
class PaintWatcher : public QObject {
public:
  explicit PaintWatcher(QWidget *widget) { widget->installEventFilter(this); }
  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() == QEvent::Paint)
      ++numPaints;
    return false;
  }
  int numPaints = 0;
};
} // namespace

TEST_CASE("the newest edit wins, and typing never waits", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  views::KernelEditor &editor = test.fixture.editor();
  editor.goTo(rangeOf(sampleSource(), "x + y").end);
  PaintWatcher watcher(editor.viewport());
  std::vector<double> latenciesMs;
  std::vector<double> workMs;
  // Fifty keys, none of which waits for what the one before set going.
  std::string keys;
  while (keys.size() < 50)
    keys += keys.size() < 45 ? " + 1." : "5";
  QSignalSpy settled(&test.window, &MainWindow::settled);
  for (const char key : keys) {
    const int before = watcher.numPaints;
    QElapsedTimer timer;
    timer.start();
    const double workBefore = threadTimeMs();
    QTest::keyClick(&editor, key);
    while (watcher.numPaints == before && timer.elapsed() < 5000)
      QCoreApplication::processEvents();
    latenciesMs.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    workMs.push_back(threadTimeMs() - workBefore);
  }
  std::sort(latenciesMs.begin(), latenciesMs.end());
  std::sort(workMs.begin(), workMs.end());
  std::cout << "key to paint: median " << latenciesMs[25] << " ms, 95th percentile "
            << latenciesMs[47] << " ms, longest " << latenciesMs.back() << " ms\n";
  std::cout << "work of the window's thread: median " << workMs[25] << " ms, 95th percentile "
            << workMs[47] << " ms, longest " << workMs.back() << " ms\n";
  // How long a key takes to be seen depends on what else the machine does; the work does not.
  CHECK(workMs[25] < 16.0);
  CHECK(workMs[47] < 33.0);

  CompileController &compile = *test.window.compileController();
  REQUIRE(QTest::qWaitFor(
      [&] {
        return !compile.isRunning() && compile.latest() &&
               compile.latest()->result()->revision == compile.request().revision;
      },
      kPatienceMs));
  CHECK(compile.request().text == editor.utf8Text());
  CHECK(editor.utf8Text().find("x + y" + keys) != std::string::npos);
  const std::string shown = test.stageText(StageId::Ttir);
  CHECK(shown.find("1.55555") != std::string::npos);
  // What is shown is what a compile of the whole text, with nothing before it, gives.
  settled.clear();
  compile.recompile();
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.stageText(StageId::Ttir) == shown);
}

TEST_CASE("a launch runs from the keyboard, and its output is shown in three ways",
          "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  auto *view = test.window.findChild<views::RunView *>();
  REQUIRE(view != nullptr);
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return view->numOutputs() > 0; }, kPatienceMs));
  CHECK(view->statusText().contains(QStringLiteral("97 programs")));
  CHECK(view->isVisible());
  // The outputs are in the order of the arguments; only what the kernel wrote differs from before.
  const QList<QComboBox *> choices = view->findChildren<QComboBox *>();
  const auto mode = std::find_if(choices.begin(), choices.end(), [](const QComboBox *box) {
    return box->findText(QStringLiteral("Histogram")) >= 0;
  });
  REQUIRE(mode != choices.end());
  (*mode)->setFocus();
  for (const char *name : {"Table", "Histogram"}) {
    QTest::keyClick(*mode, Qt::Key_Down);
    CHECK((*mode)->currentText() == QString::fromLatin1(name));
  }
  CHECK(view->tableModel().rowCount() * view->tableModel().columnCount() >= 98432);
}

TEST_CASE("a forked stage is edited and compiles onward", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ptx = test.stageText(StageId::Ptx);
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.window.action(QStringLiteral("forkTtir"))->trigger();
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(test.window.currentPage()->title() == QStringLiteral("vector_add.ttir"));
  CHECK(test.window.currentPage()->isModified());
  views::KernelEditor &editor = test.fixture.editor();
  const std::string ttir = editor.utf8Text();
  const SourceRange sum = rangeOf(ttir, "arith.addf");
  editor.selectRange({{sum.begin.line, sum.begin.column + 6}, sum.end, 0});
  test.typeAndSettle("mulf");
  CHECK(test.stageText(StageId::Ttgir).find("arith.mulf") != std::string::npos);
  CHECK(test.stageText(StageId::Ptx) != ptx);
}

TEST_CASE("files of IR compile onward from their stage", "[gui][worker]") {
  WorkerFixture test;
  test.fixture.openAndWait(test.fixture.write("vector_add.py", sampleSource()));
  const std::string ttir = test.stageText(StageId::Ttir);
  const std::string ttgir = test.stageText(StageId::Ttgir);
  const std::string ptx = test.stageText(StageId::Ptx);
  // Values are called as in the source.
  CHECK(ttir.find("%x_ptr: !tt.ptr<f32>") != std::string::npos);
  CHECK(ttir.find("%offsets = ") != std::string::npos);
  CHECK(ttgir.find("%mask = ") != std::string::npos);
  CHECK(test.window.stageColumn(StageId::Ttir)->headerText().contains(QStringLiteral("mapped")));
  struct Entry {
    const char *name;
    const std::string &text;
    StageId next;
  };
  for (const Entry &entry :
       {Entry{"add.ttir", ttir, StageId::Ttgir}, Entry{"add.ttgir", ttgir, StageId::LlvmIr}}) {
    INFO(entry.name);
    test.fixture.openAndWait(test.fixture.write(entry.name, entry.text));
    const auto result = test.window.compileController()->latest()->result();
    for (const compiler::Diagnostic &diagnostic : result->diagnostics)
      UNSCOPED_INFO(diagnostic.message);
    REQUIRE(result->stage(entry.next) != nullptr);
    CHECK(result->stage(entry.next)->ok);
    CHECK(test.stageText(StageId::Ptx).find("ld.global") != std::string::npos);
  }
}
