// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Npy.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "tests/support/FakeRuns.h"
#include "views/run/RunView.h"

#include <string>
#include <utility>

namespace tilescope::tests {

/// A window whose compiles and runs end as the test says.
struct RunWindow {
  FakeBackend backend;
  FakeRuns runs;
  WindowFixture fixture{backend, &runs};
  app::MainWindow &window = *fixture.window;
  views::RunView &view = *window.findChild<views::RunView *>();
  QTemporaryDir outputs;

  RunWindow() {
    backend.answer = [](const compiler::CompileRequest &request) {
      auto result = sampleResult();
      result->files.front() = {request.path, request.text};
      return result;
    };
  }

  void open() { fixture.openAndWait(fixture.write("vector_add.py", sampleSource())); }

  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.editor(), key, modifiers);
  }

  /// A run of the kernel in the window, in the interpreter, that left `tensor` in its output.
  app::LaunchRun runWith(const profiler::Tensor &tensor, int64_t numPrograms) {
    profiler::OutputResult output;
    output.name = "out_ptr";
    output.dtype = profiler::dtypeName(tensor.dtype);
    output.shape = tensor.shape;
    output.changed = true;
    output.path = outputs.filePath(QStringLiteral("out_ptr.npy")).toStdString();
    REQUIRE(profiler::writeNpy(output.path, tensor));
    profiler::Measurement measurement;
    measurement.device.name = "CPU (interpreter)";
    measurement.kernel = "vector_add";
    measurement.grid = {numPrograms, 1, 1};
    measurement.outputs.push_back(std::move(output));
    measurement.timeUs = profiler::TimeStats{2000, 2000, 2000, 1, 0, {}};
    measurement.timeSource = profiler::TimeSource::Interpreter;
    app::LaunchRun run;
    run.measurement = std::move(measurement);
    run.files = {{window.currentPage()->path().toStdString(), fixture.editor().utf8Text()}};
    return run;
  }
};

} // namespace tilescope::tests
