// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>
#include <QThread>

#include <utility>

namespace tilescope::app {

/// A thread that carries out calls, one after another, and stands behind the window
/// (`Niceness.h`). Its owner tells what is in progress to stop before it ends the thread.
class WorkThread {
public:
  explicit WorkThread(int niceness);
  ~WorkThread() { finish(); }
  WorkThread(const WorkThread &) = delete;
  WorkThread &operator=(const WorkThread &) = delete;

  /// Never waits.
  template <typename Call> void post(Call call) {
    QMetaObject::invokeMethod(m_context, std::move(call));
  }
  /// Waits for the call in progress; those behind it are dropped.
  void finish();

private:
  QThread m_thread;
  /// Lives on the thread, for calls to go there.
  QObject *m_context;
};

} // namespace tilescope::app
