// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/session/SessionStore.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace tilescope::app {

/// Writes the session a moment after something has changed, and texts as soon as a key has changed
/// them, in the background: typing does not wait for the disk. GUI thread.
class SessionKeeper : public QObject {
  Q_OBJECT
public:
  enum class Part {
    /// What has changed since the last call.
    Changes,
    /// What has changed of texts, which costs a few bytes for a key.
    Texts,
    /// Journals are rewritten.
    Whole,
  };
  using Collect = std::function<SessionBatch(Part part)>;

  /// Without a store nothing is kept.
  SessionKeeper(std::shared_ptr<SessionStore> store, Collect collect, QObject *parent = nullptr);
  ~SessionKeeper() override;

  bool isKeeping() const { return m_store != nullptr; }
  void schedule();
  /// A text has changed: it is written when the event that changed it has been handled, and the rest of
  /// the session as `schedule` says.
  void scheduleText();
  /// Writes and waits; returns what went wrong, or nothing.
  QString writeNow();

Q_SIGNALS:
  /// The session cannot be written, for this reason; it is tried again. Empty: it can be again.
  void troubleChanged(const QString &reason);

private:
  void writeTexts();
  void writeInBackground();
  void start(SessionBatch batch, bool isForDisk);
  /// `isForDisk`: it is brought onto the disk, too, which takes long.
  void finished(const QString &error, bool isForDisk);

  std::shared_ptr<SessionStore> m_store;
  Collect m_collect;
  QTimer m_timer;
  QTimer m_textTimer;
  QThreadPool m_thread;
  /// The disk may take seconds, and text typed meanwhile is written nevertheless.
  QThreadPool m_syncThread;
  bool m_writing = false;
  /// A text has changed while something was written.
  bool m_isTextWaiting = false;
  QString m_trouble;
};

} // namespace tilescope::app
