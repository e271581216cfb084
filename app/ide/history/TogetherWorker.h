// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkThread.h"
#include "app/ide/history/TogetherBackend.h"

#include <stop_token>

namespace tilescope::app {

/// Compiles and measures on a thread of its own, with the functions of `tilescope compare`. Lives on
/// the GUI thread and never waits.
class TogetherWorker : public TogetherBackend {
  Q_OBJECT
public:
  explicit TogetherWorker(QObject *parent = nullptr);
  ~TogetherWorker() override;

  void measure(const TogetherRequest &request) override;
  void cancel() override { m_stop.request_stop(); }
  bool isBusy() const override { return m_isBusy; }

private:
  /// On the thread.
  TogetherVerdict perform(const TogetherRequest &request, const std::stop_token &stop);
  void say(const QString &what);

  bool m_isBusy = false;
  std::stop_source m_stop;
  WorkThread m_thread;
};

} // namespace tilescope::app
