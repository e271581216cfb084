// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/bench/views/TimedApplication.h"

#include <QEvent>
#include <QThread>

#include <algorithm>

namespace tilescope::tests {

/// Room made in advance, since the memory of the process is measured as well.
static constexpr size_t kNotableRoom = 8192;

/// What an event is, as the report names it.
static QByteArray classOf(const QObject &receiver, const QEvent &event, bool isInside) {
  QByteArray what = receiver.metaObject()->className();
  // Work that follows from an event has a name, and so have timers that are not a widget's; others and areas that
  // scroll are known by what they belong to.
  if ((what == "QObject" || what == "QTimer") && !receiver.objectName().isEmpty())
    what = receiver.objectName().toUtf8();
  if ((what.startsWith("Q") || what == receiver.objectName().toUtf8()) && receiver.parent())
    what += QByteArray(" of ") + receiver.parent()->metaObject()->className();
  return what + (isInside ? QByteArray(": painting")
                          : ": event " + QByteArray::number(static_cast<int>(event.type())));
}

static void add(EventClass &events, const TimeSpent &spent) {
  events.elapsed.add(spent.elapsedMs);
  events.work.add(spent.workMs);
}

void TimedApplication::begin() {
  m_notable.reserve(kNotableRoom);
  m_isMeasuring = true;
}

bool TimedApplication::notify(QObject *receiver, QEvent *event) {
  // Other threads deliver events as well; those do not delay the user. Within an event, only
  // painting is told apart.
  const bool isElsewhere = QThread::currentThread() != thread();
  const bool isInside = !isElsewhere && m_depth > 0;
  if (isElsewhere || !m_isMeasuring || (isInside && event->type() != QEvent::Paint))
    return QApplication::notify(receiver, event);
  const QByteArray what = classOf(*receiver, *event, isInside);
  ++m_depth;
  const ThreadTimer timer;
  const bool done = QApplication::notify(receiver, event);
  const TimeSpent spent = timer.spent();
  --m_depth;
  add((isInside ? m_painting : m_events)[what], spent);
  if (isInside)
    return done;
  add(m_all, spent);
  if (std::max(spent.elapsedMs, spent.workMs) > kNotableMs)
    m_notable.push_back({what, spent, timer.begin(), ThreadTimer::Clock::now()});
  return done;
}

} // namespace tilescope::tests
