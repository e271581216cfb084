// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/sweep/SweepBackend.h"

namespace tilescope::tests {

/// Takes sweeps and answers when a test says so.
class FakeSweeps : public app::SweepBackend {
public:
  using SweepBackend::SweepBackend;

  void sweep(const app::SweepRequest &request) override { requests.push_back(request); }
  void cancel() override { ++numCancelled; }

  void show(const profiler::Sweep &sweep, const char *what) {
    Q_EMIT changed(std::make_shared<const profiler::Sweep>(sweep), QString::fromLatin1(what));
  }

  std::vector<app::SweepRequest> requests;
  int numCancelled = 0;
};

} // namespace tilescope::tests
