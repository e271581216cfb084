// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/SessionStore.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace tilescope::app {

/// Writes the session a moment after something has changed, in the background: typing does not wait
/// for the disk. GUI thread.
class SessionKeeper : public QObject {
  Q_OBJECT
public:
  /// Returns what has changed since the last call; with `whole`, journals are rewritten.
  using Collect = std::function<SessionBatch(bool whole)>;

  /// Without a store nothing is kept.
  SessionKeeper(std::shared_ptr<SessionStore> store, Collect collect, QObject *parent = nullptr);
  ~SessionKeeper() override;

  bool isKeeping() const { return m_store != nullptr; }
  void schedule();
  /// Writes and waits; returns what went wrong, or nothing.
  QString writeNow();

Q_SIGNALS:
  /// The session cannot be written, for this reason; it is tried again. Empty: it can be again.
  void troubleChanged(const QString &reason);

private:
  void writeInBackground();
  void finished(const QString &error);

  std::shared_ptr<SessionStore> m_store;
  Collect m_collect;
  QTimer m_timer;
  QThreadPool m_thread;
  /// The disk may take seconds, and text typed meanwhile is written nevertheless.
  QThreadPool m_syncThread;
  bool m_writing = false;
  QString m_trouble;
};

} // namespace tilescope::app
