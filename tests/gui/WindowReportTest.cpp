// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reports that the window writes over the real compile worker.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/run/RunController.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static const char *const kCopiedBlock = R"py(import triton
import triton.language as tl


# /// tilescope
# kernel = "copy"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# o_ptr = { dtype = "fp32", shape = ["n"], init = "empty", expected = "x_ptr" }
# n     = "n"
# [constexprs]
# BLOCK = 256
# ///
@triton.jit
def copy(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
)py";

TEST_CASE("the report of an edited text is written while the window stays at work",
          "[gui][worker]") {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  fixture.openAndWait(fixture.write("copy.py", kCopiedBlock));
  fixture.editor().goTo({2, 0});
  fixture.type("#");
  auto *run = window.findChild<RunController *>();
  QSignalSpy ended(run, &RunController::reportEnded);
  const QString path = fixture.folder.filePath(QStringLiteral("out.html"));
  run->exportReport(path);
  CHECK(run->isBusy());
  CHECK(window.action(QStringLiteral("cancelRun"))->isEnabled());
  // Typing compiles meanwhile.
  QSignalSpy settled(&window, &MainWindow::settled);
  fixture.type("#");
  REQUIRE(settled.wait(kPatienceMs));
  REQUIRE((!ended.isEmpty() || ended.wait(kPatienceMs)));
  CHECK(ended.front().at(1).toString().isEmpty());
  CHECK_FALSE(run->isBusy());
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray html = file.readAll();
  CHECK(html.contains("</html>"));
  CHECK(html.contains("The interpreter ran 4 programs"));
  CHECK(html.contains("agrees (largest error 0; "));
  // A value that cannot be written is reported.
  ended.clear();
  run->exportReport(QStringLiteral("/no/such/folder/out.html"));
  REQUIRE((!ended.isEmpty() || ended.wait(kPatienceMs)));
  CHECK_FALSE(ended.front().at(1).toString().isEmpty());
}

TEST_CASE("the report of a text without a file has all its stages", "[gui][worker]") {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  QSignalSpy settled(&window, &MainWindow::settled);
  window.action(QStringLiteral("new"))->trigger();
  REQUIRE(settled.wait(kPatienceMs));
  auto *run = window.findChild<RunController *>();
  QSignalSpy ended(run, &RunController::reportEnded);
  const QString path = fixture.folder.filePath(QStringLiteral("unsaved.html"));
  run->exportReport(path);
  REQUIRE((!ended.isEmpty() || ended.wait(kPatienceMs)));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray html = file.readAll();
  CHECK(html.contains(".visible .entry"));
  CHECK_FALSE(html.contains("compile time failed"));
}
