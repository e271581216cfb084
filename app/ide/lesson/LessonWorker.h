// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/AttemptFacts.h"
#include "app/ide/compile/WorkThread.h"
#include "app/ide/lesson/LessonBackend.h"
#include "compiler/service/WorkerClient.h"

#include <stop_token>

namespace tilescope::app {

/// Checks goals on its own thread, with its own compile worker, which begins with the first request.
/// Lives on the GUI thread and never waits.
class LessonWorker : public LessonBackend {
  Q_OBJECT
public:
  explicit LessonWorker(const std::string &workerProgram, QObject *parent = nullptr);
  ~LessonWorker() override;

  void check(const LessonRequest &request) override;
  void cancel() override { m_stop.request_stop(); }
  void ask(const AnswerRequest &request) override;

private:
  void showLive(const LessonRequest &request, const std::stop_token &stop);
  /// Used on the thread only.
  compiler::WorkerClient m_worker;
  KeptFacts m_kept;
  std::stop_source m_stop, m_askStop;
  WorkThread m_thread;
};

} // namespace tilescope::app
