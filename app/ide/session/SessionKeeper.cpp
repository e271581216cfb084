// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/SessionKeeper.h"

#include <utility>

namespace tilescope::app {

/// What is typed is on the disk at most this much later, unless the disk itself is slower. The kernel
/// has it at once, so that a kill takes nothing of it.
static constexpr int kDelayMs = 250;
static constexpr int kRetryMs = 1000;

SessionKeeper::SessionKeeper(std::shared_ptr<SessionStore> store, Collect collect, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_collect(std::move(collect)) {
  m_thread.setMaxThreadCount(1);
  m_syncThread.setMaxThreadCount(1);
  m_timer.setObjectName(QStringLiteral("keeping the session"));
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::writeInBackground);
  m_textTimer.setObjectName(QStringLiteral("keeping what is typed"));
  m_textTimer.setSingleShot(true);
  m_textTimer.setInterval(0);
  connect(&m_textTimer, &QTimer::timeout, this, &SessionKeeper::writeTexts);
}

SessionKeeper::~SessionKeeper() {
  m_thread.waitForDone();
  m_syncThread.waitForDone();
  if (m_store)
    m_store->sync();
}

void SessionKeeper::schedule() {
  // Not restarted by every key: the text of someone who never pauses is kept as well.
  if (m_store && !m_timer.isActive())
    m_timer.start(m_trouble.isEmpty() ? kDelayMs : kRetryMs);
}

void SessionKeeper::scheduleText() {
  if (m_store && !m_textTimer.isActive())
    m_textTimer.start();
  schedule();
}

void SessionKeeper::writeTexts() {
  // What is written whole when it can be again has it.
  if (!m_trouble.isEmpty())
    return;
  if (m_writing) {
    m_isTextWaiting = true;
    return;
  }
  if (SessionBatch batch = m_collect(Part::Texts); !batch.journals.empty())
    start(std::move(batch), false);
}

void SessionKeeper::writeInBackground() {
  if (m_writing)
    return schedule();
  start(m_collect(m_trouble.isEmpty() ? Part::Changes : Part::Whole), true);
}

void SessionKeeper::start(SessionBatch batch, bool isForDisk) {
  m_writing = true;
  m_thread.start([this, batch = std::move(batch), isForDisk] {
    const QString error = m_store->write(batch);
    QMetaObject::invokeMethod(this, [this, error, isForDisk] { finished(error, isForDisk); });
  });
}

void SessionKeeper::finished(const QString &error, bool isForDisk) {
  m_writing = false;
  const bool changed = error != m_trouble;
  m_trouble = error;
  if (!error.isEmpty())
    schedule();
  else if (isForDisk && m_syncThread.activeThreadCount() == 0)
    m_syncThread.start([store = m_store] { store->sync(); });
  if (std::exchange(m_isTextWaiting, false))
    writeTexts();
  if (changed)
    Q_EMIT troubleChanged(error);
}

QString SessionKeeper::writeNow() {
  if (!m_store)
    return {};
  m_timer.stop();
  m_thread.waitForDone();
  // How the last write ended is not known here yet: writing all of it is always right.
  const QString error =
      m_store->write(m_collect(m_writing || !m_trouble.isEmpty() ? Part::Whole : Part::Changes));
  finished(error, true);
  return error;
}

} // namespace tilescope::app
