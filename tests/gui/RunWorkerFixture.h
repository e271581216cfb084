// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkerConnection.h"
#include "tests/gui/Patience.h"
#include "tests/gui/WindowFixture.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"

#include <QElapsedTimer>
#include <QProgressBar>

#include <string>

namespace tilescope::tests {

using namespace tilescope::app;
using compiler::DiagnosticKind;

/// A window over real workers with a file open.
struct RunFixture {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  WindowFixture fixture{worker};
  MainWindow &window = *fixture.window;
  views::RunView &view = *window.findChild<views::RunView *>();
  QProgressBar *progress = view.findChild<QProgressBar *>();

  explicit RunFixture(const std::string &text) {
    fixture.openAndWait(fixture.write("kernel.py", text));
  }

  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.editor(), key, modifiers);
  }
  /// Runs and waits for the end.
  void run(Qt::KeyboardModifiers modifiers = {}) {
    press(Qt::Key_F5, modifiers);
    REQUIRE(QTest::qWaitFor([&] { return !progress->isVisible(); }, kPatienceMs));
  }
  const compiler::Diagnostic *problem(DiagnosticKind kind) {
    for (const compiler::Diagnostic &diagnostic : window.problems()->model().diagnostics())
      if (diagnostic.kind == kind)
        return &diagnostic;
    return nullptr;
  }
  /// Stops the run by a key; how long that took.
  qint64 stop() {
    QElapsedTimer timer;
    timer.start();
    press(Qt::Key_F5, Qt::ShiftModifier);
    REQUIRE(
        QTest::qWaitFor([&] { return view.statusText().startsWith(u"Stopped."); }, kPatienceMs));
    return timer.elapsed();
  }
};

/// A kernel of one line over a block of 64 elements, with `n` = 40 of them.
inline std::string kernelWith(const std::string &body) {
  return "import triton\nimport triton.language as tl\n\n"
         "# /// tilescope\n# kernel = \"k\"\n# grid = [2]\n# [args]\n"
         "# x_ptr = { dtype = \"fp32\", shape = [40], init = \"arange\" }\n"
         "# out_ptr = { dtype = \"fp32\", shape = [40] }\n# n = 40\n"
         "# [options]\n# debug = true\n# ///\n\n\n"
         "@triton.jit\ndef k(x_ptr, out_ptr, n):\n"
         "    offs = tl.program_id(0) * 32 + tl.arange(0, 32)\n" +
         body + "\n";
}

} // namespace tilescope::tests
