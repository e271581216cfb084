// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>
#include <QtTest/QtTest>

#include <memory>

namespace tilescope::tests {

/// Presses a button of the message that comes next, and keeps what it said.
class MessageAnswer {
public:
  explicit MessageAnswer(QMessageBox::StandardButton button) {
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, button] {
      auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
      if (!box || !box->button(button))
        return;
      m_timer.stop();
      text = box->text();
      QTest::keyClick(box->button(button), Qt::Key_Space);
    });
    m_timer.start(10);
  }

  QString text;

private:
  QTimer m_timer;
};

} // namespace tilescope::tests
