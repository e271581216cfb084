// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/sweep/SweepWorker.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/SweepPlan.h"
#include "app/ide/compile/Niceness.h"

#include <QElapsedTimer>

#include <algorithm>
#include <thread>

namespace tilescope::app {

/// Between two states that are shown.
static constexpr int kPublishMs = 200;

SweepWorker::SweepWorker(QObject *parent) : SweepBackend(parent), m_thread(kRunNiceness) {}

SweepWorker::~SweepWorker() {
  cancel();
  m_thread.finish();
}

void SweepWorker::publish(const profiler::Sweep &sweep, const std::string &what) {
  QMetaObject::invokeMethod(this,
                            [this, shown = std::make_shared<const profiler::Sweep>(sweep),
                             said = QString::fromStdString(what)] { Q_EMIT changed(shown, said); });
}

/// Why there is nothing to sweep: what keeps the launch from being compiled.
static Error whyNoPoints(const SweepPlan &plan) {
  for (const compiler::Diagnostic &each : plan.diagnostics)
    if (each.severity == compiler::Severity::Error)
      return {ErrorCode::InvalidInput, diagnosticHeadline(each, plan.files), ""};
  return {ErrorCode::InvalidInput, "the launch does not compile", ""};
}

Status SweepWorker::perform(const SweepRequest &request, const std::stop_token &stop) {
  Result<SweepPlan> plan = [&] {
    compiler::WorkerClient worker(workerOptions(std::nullopt));
    return planSweep(worker, request.input, request.selection, {});
  }();
  if (!plan)
    return plan.error();
  profiler::Sweep &sweep = plan->sweep;
  if (sweep.axes.empty())
    return whyNoPoints(*plan);
  sweep.points = profiler::sweepPoints(sweep.axes);
  SweepRunOptions options;
  options.input = request.input;
  options.selection = request.selection;
  options.gpus = {{request.place}};
  options.jobs = std::max(1U, std::thread::hardware_concurrency() / 2);
  QElapsedTimer sincePublished;
  std::string what = "compiling";
  const auto show = [&] {
    publish(sweep, what);
    sincePublished.start();
  };
  show();
  options.predicts = true;
  SweepHooks hooks;
  hooks.changed = [&](size_t, const profiler::TimeRounds &) -> Status {
    if (stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the sweep was stopped", ""};
    if (sincePublished.elapsed() >= kPublishMs)
      show();
    return {};
  };
  hooks.progress = [&](const std::string &done) { what = done; };
  const Status status = runSweep(sweep, options, hooks);
  show();
  return status;
}

void SweepWorker::sweep(const SweepRequest &request) {
  m_stop = {};
  m_thread.post([this, request, stop = m_stop.get_token()] {
    const Status status = perform(request, stop);
    QMetaObject::invokeMethod(this, [this, status] { Q_EMIT ended(status); });
  });
}

} // namespace tilescope::app
