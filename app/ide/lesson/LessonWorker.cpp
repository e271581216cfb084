// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/lesson/LessonWorker.h"

#include "app/commands/AnswerQuestion.h"
#include "app/commands/ShowElements.h"
#include "app/ide/compile/Niceness.h"
#include "app/ide/compile/StoppableWorker.h"

namespace tilescope::app {

/// What the interpreter may take to obey a stop; then its worker is ended.
static constexpr std::chrono::milliseconds kCancelPatience{100};
/// With those that compile and run.
static constexpr unsigned kNumWorkers = 3;

LessonWorker::LessonWorker(const std::string &workerProgram, QObject *parent)
    : LessonBackend(parent), m_worker(stoppableWorker(workerProgram, kNumWorkers, kCancelPatience)),
      m_thread(kRunNiceness) {}

LessonWorker::~LessonWorker() {
  cancel();
  m_askStop.request_stop();
  m_thread.finish();
}

void LessonWorker::check(const LessonRequest &request) {
  m_stop = {};
  m_thread.post([this, request, stop = m_stop.get_token()] {
    AttemptOptions options{stop, {}, &m_kept, request.measureAt};
    options.told = [this, number = request.number](size_t goal, const GoalState &state) {
      QMetaObject::invokeMethod(
          this, [this, number, goal, state] { Q_EMIT goalChecked(number, goal, state); });
    };
    const GoalStates states =
        checkAttempt(m_worker, {*request.lesson, request.path, request.text}, options);
    QMetaObject::invokeMethod(
        this, [this, number = request.number, states] { Q_EMIT checked(number, states); });
    if (!request.live.empty() && states)
      showLive(request, stop);
  });
}

/// Goals come first: they are looked at while typing.
void LessonWorker::showLive(const LessonRequest &request, const std::stop_token &stop) {
  const auto elements =
      showElements(m_worker, {*request.lesson, request.path, request.text}, request.live, stop);
  if (elements)
    QMetaObject::invokeMethod(
        this, [this, number = request.number, elements] { Q_EMIT shown(number, *elements); });
}

void LessonWorker::ask(const AnswerRequest &request) {
  m_thread.post([this, request, stop = m_askStop.get_token()] {
    const FoundAnswer answer =
        answerQuestion(m_worker, {*request.lesson, request.path, request.text},
                       request.lesson->questions[request.question], stop);
    QMetaObject::invokeMethod(
        this, [this, number = request.number, answer] { Q_EMIT answered(number, answer); });
  });
}

} // namespace tilescope::app
