// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunWorker.h"

#include "app/commands/AskPlace.h"
#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/StoppableWorker.h"

#include <new>

namespace tilescope::app {

/// What the interpreter may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{100};

/// The other one compiles.
static constexpr unsigned kNumWorkers = 2;

RunWorker::RunWorker(const std::string &workerProgram, QObject *parent)
    : RunBackend(parent), m_worker(stoppableWorker(workerProgram, kNumWorkers, kCancelPatience)),
      m_thread(kRunNiceness) {}

RunWorker::~RunWorker() {
  cancel();
  m_lookupStop.request_stop();
  m_thread.finish();
  m_lookups.waitForDone();
}

/// A line that something outside wrote.
void RunWorker::print(std::string_view line) {
  QString text = QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
  QMetaObject::invokeMethod(this, [this, text = std::move(text)] { Q_EMIT printed(text); });
}

LaunchRun RunWorker::perform(const LaunchRequest &request, const std::stop_token &stop) {
  LaunchHooks hooks;
  hooks.runner.stop = stop;
  hooks.runner.console = [this](std::string_view line) { print(line); };
  hooks.runner.stepped = [this](std::string_view part, int step, int numSteps) {
    QString name = QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()));
    QMetaObject::invokeMethod(this, [this, name = std::move(name), step, numSteps] {
      Q_EMIT stepped(name, step, numSteps);
    });
  };
  hooks.programsDone = [this](uint64_t done, uint64_t total) {
    QMetaObject::invokeMethod(this, [this, done, total] { Q_EMIT progressed(done, total); });
  };
  hooks.checking = [this] { QMetaObject::invokeMethod(this, [this] { Q_EMIT checking(); }); };
  try {
    return runLaunch(m_worker, request, hooks);
  } catch (const std::bad_alloc &) {
    LaunchRun failed;
    failed.measurement = Error{ErrorCode::Environment,
                               "this machine does not have enough memory for the outputs", ""};
    return failed;
  }
}

void RunWorker::run(const LaunchRequest &request) {
  m_stop = {};
  m_thread.post([this, request, stop = m_stop.get_token()] {
    auto done = std::make_shared<const LaunchRun>(perform(request, stop));
    QMetaObject::invokeMethod(this, [this, done = std::move(done)] { Q_EMIT finished(done); });
  });
}

void RunWorker::report(const ReportRequest &request) {
  m_stop = {};
  m_thread.post([this, request, stop = m_stop.get_token()] {
    ReportHooks hooks;
    hooks.stop = stop;
    hooks.part = [this](std::string_view part) {
      QString name = QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()));
      QMetaObject::invokeMethod(this,
                                [this, name = std::move(name)] { Q_EMIT reporting(name, 0, 0); });
    };
    hooks.programsDone = [this](uint64_t done, uint64_t total) {
      QMetaObject::invokeMethod(this, [this, done, total] { Q_EMIT reporting({}, done, total); });
    };
    const Status status = writeLaunchReport(m_worker, request, hooks);
    QMetaObject::invokeMethod(this, [this, status] { Q_EMIT reported(status); });
  });
}

void RunWorker::cancel() { m_stop.request_stop(); }

void RunWorker::findDevices(const RunPlace &place) {
  m_lookups.start([this, place, stop = m_lookupStop.get_token()] {
    RunnerHooks hooks;
    hooks.stop = stop;
    if (place.kind == RunPlace::Kind::Ssh)
      return findMachine(place, hooks);
    const Result<Devices> devices = runnerDevices(place, hooks);
    if (!devices || devices->empty())
      return;
    QMetaObject::invokeMethod(
        this, [this, place, found = *devices] { Q_EMIT devicesFound(place, found); });
  });
}

void RunWorker::findMachine(const RunPlace &place, RunnerHooks hooks) {
  hooks.console = [this](std::string_view line) { print(line); };
  const Result<profiler::Capabilities> found = capabilitiesOf(place, hooks);
  if (!found && found.error().code == ErrorCode::Cancelled)
    return;
  QString fault;
  if (!found) {
    fault = QString::fromStdString(found.error().message);
    if (!found.error().hint.empty())
      fault += QStringLiteral(" — ") + QString::fromStdString(found.error().hint);
  }
  QMetaObject::invokeMethod(this, [this, place, machine = found ? *found : profiler::Capabilities(),
                                   fault = std::move(fault)] {
    Devices devices;
    for (const profiler::DeviceState &state : machine.devices)
      devices.push_back(state.info);
    if (!devices.empty())
      Q_EMIT devicesFound(place, devices);
    Q_EMIT machineFound(place, machine, fault);
  });
}

} // namespace tilescope::app
