// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkThread.h"
#include "app/ide/step/StepBackend.h"
#include "compiler/service/WorkerClient.h"

namespace tilescope::app {

/// Steps in a worker process of its own, which starts with the first step: neither an edit nor a
/// run disturbs it, and its end is the end of the launch that it held.
class StepWorker : public StepBackend {
  Q_OBJECT
public:
  explicit StepWorker(const std::string &workerProgram, QObject *parent = nullptr);
  ~StepWorker() override;

  void step(const compiler::StepMessage &message) override;
  void cancel() override;

private:
  StepReplyPointer perform(const compiler::StepMessage &message, const std::stop_token &stop);

  compiler::WorkerClient m_worker;
  std::stop_source m_stop;
  WorkThread m_thread;
};

} // namespace tilescope::app
