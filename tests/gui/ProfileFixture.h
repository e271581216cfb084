// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/gui/RecordedProfile.h"
#include "tests/gui/RunWindow.h"

namespace tilescope::tests {

/// A window in which runs on a GPU end with what was recorded.
struct MeasuredWindow : RunWindow {
  void findGpu() {
    profiler::DeviceInfo device;
    device.name = "NVIDIA H100";
    device.computeMajor = 9;
    Q_EMIT runs.devicesFound({app::RunPlace::Kind::Cuda, 0, ""}, {device});
  }

  /// A measurement of the kernel in the window.
  app::LaunchRun measured() {
    app::LaunchRun run;
    run.measurement = recordedProfile("matmul").measurement;
    run.measurement->kernel = "vector_add";
    run.files = {{window.currentPage()->path().toStdString(), fixture.editor().utf8Text()}};
    return run;
  }
};

} // namespace tilescope::tests
