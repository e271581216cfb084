// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonWorker.h"

#include "app/commands/CheckLesson.h"
#include "app/ide/compile/Niceness.h"

namespace tilescope::app {

/// What the interpreter may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{100};

static compiler::WorkerClientOptions clientOptions(const std::string &program) {
  compiler::WorkerClientOptions options;
  options.program = program;
  options.cancelPatience = kCancelPatience;
  options.numWorkers = 3;
  return options;
}

LessonWorker::LessonWorker(const std::string &workerProgram, QObject *parent)
    : LessonBackend(parent), m_context(new QObject), m_worker(clientOptions(workerProgram)) {
  m_context->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
  m_thread.start();
  QMetaObject::invokeMethod(m_context, [] { standBehind(kRunNiceness); });
}

LessonWorker::~LessonWorker() {
  cancel();
  m_thread.quit();
  m_thread.wait();
}

void LessonWorker::check(const LessonRequest &request) {
  m_stop = {};
  QMetaObject::invokeMethod(m_context, [this, request, stop = m_stop.get_token()] {
    const GoalStates states =
        checkAttempt(m_worker, {*request.lesson, request.path, request.text}, stop);
    QMetaObject::invokeMethod(
        this, [this, number = request.number, states] { Q_EMIT checked(number, states); });
  });
}

} // namespace tilescope::app
