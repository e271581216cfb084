// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkThread.h"
#include "app/ide/sweep/SweepBackend.h"

#include <stop_token>

namespace tilescope::app {

/// Sweeps on a thread of its own, with the functions of the command line, whose worker processes
/// compile half as many points at once as there are processors: the window needs some, too. Lives on
/// the GUI thread and never waits.
class SweepWorker : public SweepBackend {
  Q_OBJECT
public:
  explicit SweepWorker(QObject *parent = nullptr);
  ~SweepWorker() override;

  void sweep(const SweepRequest &request) override;
  void cancel() override { m_stop.request_stop(); }

private:
  /// On the thread.
  Status perform(const SweepRequest &request, const std::stop_token &stop);
  void publish(const profiler::Sweep &sweep, const std::string &what);

  std::stop_source m_stop;
  WorkThread m_thread;
};

} // namespace tilescope::app
