// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/SessionKeeper.h"

namespace tilescope::app {

/// Typed text is on disk at most this much later, unless the disk itself is slower.
static constexpr int kDelayMs = 250;
static constexpr int kRetryMs = 1000;

SessionKeeper::SessionKeeper(std::shared_ptr<SessionStore> store, Collect collect, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_collect(std::move(collect)) {
  m_thread.setMaxThreadCount(1);
  m_syncThread.setMaxThreadCount(1);
  m_timer.setObjectName(QStringLiteral("keeping the session"));
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::writeInBackground);
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

void SessionKeeper::writeInBackground() {
  if (m_writing)
    return schedule();
  m_writing = true;
  m_thread.start([this, batch = m_collect(!m_trouble.isEmpty())] {
    const QString error = m_store->write(batch);
    QMetaObject::invokeMethod(this, [this, error] { finished(error); });
  });
}

void SessionKeeper::finished(const QString &error) {
  m_writing = false;
  const bool changed = error != m_trouble;
  m_trouble = error;
  if (!error.isEmpty())
    schedule();
  else if (m_syncThread.activeThreadCount() == 0)
    m_syncThread.start([store = m_store] { store->sync(); });
  if (changed)
    Q_EMIT troubleChanged(error);
}

QString SessionKeeper::writeNow() {
  if (!m_store)
    return {};
  m_timer.stop();
  m_thread.waitForDone();
  // How the last write ended is not known here yet: writing all of it is always right.
  const QString error = m_store->write(m_collect(m_writing || !m_trouble.isEmpty()));
  finished(error);
  return error;
}

} // namespace tilescope::app
