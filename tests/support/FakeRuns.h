// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/RunBackend.h"

namespace tilescope::tests {

/// Takes runs and answers when a test says so.
class FakeRuns : public app::RunBackend {
public:
  using RunBackend::RunBackend;

  void run(const app::LaunchRequest &request) override { requests.push_back(request); }
  void cancel() override { ++numCancelled; }
  void findDevices() override {
    if (!devices.empty())
      Q_EMIT devicesFound(devices);
  }

  /// Ends the run that is under way.
  void finish(app::LaunchRun run) {
    Q_EMIT finished(std::make_shared<const app::LaunchRun>(std::move(run)));
  }

  std::vector<app::LaunchRequest> requests;
  app::Devices devices;
  int numCancelled = 0;
};

} // namespace tilescope::tests
