// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/run/RunBackend.h"

namespace tilescope::tests {

/// Takes runs and answers when a test says so.
class FakeRuns : public app::RunBackend {
public:
  using RunBackend::RunBackend;

  void run(const app::LaunchRequest &request) override { requests.push_back(request); }
  void report(const app::ReportRequest &request) override { reports.push_back(request); }
  void cancel() override { ++numCancelled; }
  void findDevices(const app::RunPlace &place) override {
    lookups.push_back(place);
    if (place.kind == app::RunPlace::Kind::Cuda && !devices.empty())
      Q_EMIT devicesFound(place, devices);
  }

  /// Ends the run that is under way.
  void finish(app::LaunchRun run) {
    Q_EMIT finished(std::make_shared<const app::LaunchRun>(std::move(run)));
  }

  std::vector<app::LaunchRequest> requests;
  /// Of this machine.
  app::Devices devices;
  std::vector<app::RunPlace> lookups;
  std::vector<app::ReportRequest> reports;
  int numCancelled = 0;
};

} // namespace tilescope::tests
