// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/LaunchReport.h"
#include "profiler/data/Capabilities.h"

#include <QObject>

#include <memory>

namespace tilescope::app {

using LaunchRunPointer = std::shared_ptr<const LaunchRun>;
using Devices = std::vector<profiler::DeviceInfo>;

/// Runs launches for the IDE: a thread with its own workers, or a stand-in in tests. All calls
/// return at once; answers come as signals on the GUI thread.
class RunBackend : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Runs a launch; `finished` follows. One at a time.
  virtual void run(const LaunchRequest &request) = 0;
  /// Writes a report of a launch; `reported` follows. Neither beside a run.
  virtual void report(const ReportRequest &request) = 0;
  /// Ends the run at once; `finished` follows with an error of `ErrorCode::Cancelled`.
  virtual void cancel() = 0;
  /// Looks for the GPUs of a place; `devicesFound` follows when there are any, and for a place behind
  /// ssh `machineFound` in every case.
  virtual void findDevices(const RunPlace &place) = 0;

Q_SIGNALS:
  void progressed(quint64 done, quint64 total);
  /// How far a part of a profile has come: pass 7 of 19 of `counters`.
  void stepped(const QString &part, int done, int total);
  /// The programs have run; what they wrote is compared with what is expected.
  void checking();
  /// A line that the device, the runner or ssh wrote.
  void printed(const QString &line);
  void finished(const tilescope::app::LaunchRunPointer &run);
  /// What is done for a report; an empty part: so many of its programs have run.
  void reporting(const QString &part, quint64 done, quint64 total);
  /// The report is in its file, or `status` says why not.
  void reported(const tilescope::Status &status);
  void devicesFound(const tilescope::app::RunPlace &place, const tilescope::app::Devices &devices);
  /// What a machine behind ssh can do; or, with `fault`, why it does not say.
  void machineFound(const tilescope::app::RunPlace &place,
                    const tilescope::profiler::Capabilities &machine, const QString &fault);
};

} // namespace tilescope::app
