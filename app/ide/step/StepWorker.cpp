// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/step/StepWorker.h"

#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/StoppableWorker.h"

namespace tilescope::app {

/// What the interpreter may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{1000};

/// The others compile and run.
static constexpr unsigned kNumWorkers = 3;

StepWorker::StepWorker(const std::string &workerProgram, QObject *parent)
    : StepBackend(parent), m_worker(stoppableWorker(workerProgram, kNumWorkers, kCancelPatience)),
      m_thread(kCompileNiceness) {
  qRegisterMetaType<tilescope::app::StepReplyPointer>();
}

StepWorker::~StepWorker() {
  cancel();
  m_thread.finish();
}

void StepWorker::cancel() { m_stop.request_stop(); }

StepReplyPointer StepWorker::perform(const compiler::StepMessage &message,
                                     const std::stop_token &stop) {
  const auto tell = [this](const compiler::RunProgressReply &state) {
    QMetaObject::invokeMethod(
        this, [this, state] { Q_EMIT progressed(state.programsDone, state.programsTotal); });
  };
  Result<compiler::StepDoneReply> done = m_worker.step(message, tell, stop);
  if (done)
    return std::make_shared<const compiler::StepDoneReply>(std::move(*done));
  compiler::StepDoneReply failed;
  failed.cancelled = done.error().code == ErrorCode::Cancelled;
  compiler::Diagnostic &diagnostic = failed.diagnostics.emplace_back();
  diagnostic.message = done.error().message;
  return std::make_shared<const compiler::StepDoneReply>(std::move(failed));
}

void StepWorker::step(const compiler::StepMessage &message) {
  m_stop = {};
  m_thread.post([this, message, stop = m_stop.get_token()] {
    StepReplyPointer reply = perform(message, stop);
    QMetaObject::invokeMethod(this, [this, reply = std::move(reply)] { Q_EMIT stepped(reply); });
  });
}

} // namespace tilescope::app
