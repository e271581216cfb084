// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/WorkThread.h"

#include "app/ide/compile/Niceness.h"

namespace tilescope::app {

WorkThread::WorkThread(int niceness) : m_context(new QObject) {
  m_context->moveToThread(&m_thread);
  QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
  m_thread.start();
  post([niceness] { standBehind(niceness); });
}

void WorkThread::finish() {
  m_thread.quit();
  m_thread.wait();
}

} // namespace tilescope::app
