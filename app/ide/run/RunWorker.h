// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkThread.h"
#include "app/ide/run/RunBackend.h"

#include <QThreadPool>

#include <stop_token>

namespace tilescope::app {

/// Runs launches on its own thread, with its own compile worker and runners: edits
/// use the other worker meanwhile. Calls the same functions as the command line. Lives on the GUI
/// thread and never waits.
class RunWorker : public RunBackend {
  Q_OBJECT
public:
  explicit RunWorker(const std::string &workerProgram, QObject *parent = nullptr);
  ~RunWorker() override;

  void run(const LaunchRequest &request) override;
  void report(const ReportRequest &request) override;
  void cancel() override;
  void findDevices(const RunPlace &place) override;

private:
  /// On the thread.
  LaunchRun perform(const LaunchRequest &request, const std::stop_token &stop);
  void findMachine(const RunPlace &place, RunnerHooks hooks);
  void print(std::string_view line);

  /// Used on the thread only.
  compiler::WorkerClient m_worker;
  std::stop_source m_stop;
  WorkThread m_thread;
  /// Looking for devices takes seconds where there are many: no run waits for it.
  QThreadPool m_lookups;
  std::stop_source m_lookupStop;
};

} // namespace tilescope::app
