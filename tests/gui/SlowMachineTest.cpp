// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where there are more threads than processors: a compile that waits for its turn is not one that
// hangs, and what is said of an older text does not stay while the newest is on its way.
#include "app/ide/compile/ProcessorWait.h"
#include "tests/gui/ViewSample.h"
#include "views/problems/ProblemsView.h"
#include "views/registers/RegistersView.h"

#include <QElapsedTimer>
#include <QLabel>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::DiagnosticKind;
using compiler::TestHook;

namespace {

/// All threads of a process share one processor.
void keepOnOne(qint64 process) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  std::error_code error;
  for (const auto &task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error))
    sched_setaffinity(std::stoi(task.path().filename()), sizeof one, &one);
}

/// A thread that works on that processor until it is told to end.
class Busy {
public:
  Busy()
      : m_thread([this] {
          cpu_set_t one;
          CPU_ZERO(&one);
          CPU_SET(0, &one);
          sched_setaffinity(0, sizeof one, &one);
          while (!m_isOver)
            ;
        }) {}
  ~Busy() {
    m_isOver = true;
    m_thread.join();
  }

private:
  std::atomic<bool> m_isOver = false;
  std::thread m_thread;
};

/// Work for the compiler for longer than the window waits.
std::string longKernel() {
  std::string text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                     "def chain(x_ptr):\n    i = tl.arange(0, 1024)\n"
                     "    x = tl.load(x_ptr + i)\n";
  for (int i = 0; i < 1500; ++i)
    text += "    x = tl.exp(x) + tl.sin(x * " + std::to_string(i) + ".5)\n";
  return text + "    tl.store(x_ptr + i, x)\n";
}

} // namespace

TEST_CASE("threads that share a processor have waited for it", "[gui][worker]") {
  const auto before = processorWait(getpid());
  REQUIRE(before);
  {
    const Busy one, other;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const auto now = processorWait(getpid());
    REQUIRE(now);
    CHECK(*now - *before > std::chrono::milliseconds(200));
  }
  CHECK_FALSE(processorWait(-1));
}

TEST_CASE("a compile that waits for a processor is not ended as one that hangs", "[gui][worker]") {
  constexpr int kCompileMs = 1500;
  ViewSample test(kScale);
  const qint64 before = test.worker.processId();
  test.worker.setDeadlines(1500, kCompileMs);
  keepOnOne(before);
  const Busy busy, other;
  QElapsedTimer timer;
  timer.start();
  test.window.openFile(test.fixture.write("chain.py", longKernel()));
  QTest::qWait(2 * kCompileMs);
  CHECK(test.window.compileController()->isRunning());
  CHECK(test.worker.processId() == before);
  for (const compiler::Diagnostic &each : test.window.problems()->model().diagnostics())
    CHECK(each.kind != DiagnosticKind::StageTimedOut);
}

TEST_CASE("what a view says of a text that did not compile goes when a newer one is compiled",
          "[gui][worker]") {
  qputenv("TILESCOPE_TEST_HOOKS", "1");
  ViewSample test("import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x_ptr):\n"
                  "    tl.store(x_ptr, y)\n");
  test.openView(Qt::Key_Y);
  views::RegistersView &view = *test.window.registersView();
  const auto says = [&](QStringView words) {
    for (const QLabel *label : view.findChildren<QLabel *>())
      if (label->isVisible() && label->text().contains(words))
        return true;
    return false;
  };
  REQUIRE(test.waitFor([&] { return says(u"Problems says why"); }));
  test.worker.setTestHook({TestHook::Action::Hang, "ttir"});
  test.fixture.editor().goTo(rangeOf(test.text, "y)").begin);
  test.fixture.editor().setFocus();
  QTest::keyClick(&test.fixture.editor(), Qt::Key_Delete);
  QTest::keyClicks(&test.fixture.editor(), QStringLiteral("1.0"));
  CHECK(test.waitFor([&] { return says(u"The newest text is being compiled"); }));
  CHECK_FALSE(says(u"Problems says why"));
}
