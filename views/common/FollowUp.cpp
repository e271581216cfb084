// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/FollowUp.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace tilescope::views {

FollowUp::FollowUp(QObject *parent, std::function<void()> work)
    : QObject(parent), m_work(std::move(work)) {}

void FollowUp::request() {
  // An event that finds nothing to do is left over from work that was done before its turn.
  if (!std::exchange(m_isWaiting, true))
    QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

void FollowUp::finish() {
  if (std::exchange(m_isWaiting, false))
    m_work();
}

bool FollowUp::event(QEvent *event) {
  if (event->type() != QEvent::User)
    return QObject::event(event);
  finish();
  return true;
}

} // namespace tilescope::views
