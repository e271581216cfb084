// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
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

/// Answers the file dialog that comes next: keeps what it offers, and takes a path.
struct FileAnswer {
  QString offered;
  QTimer timer;
  explicit FileAnswer(const QString &path) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QObject::connect(&timer, &QTimer::timeout, &timer, [this, path] {
      auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
      if (!dialog)
        return;
      timer.stop();
      offered = dialog->selectedFiles().value(0);
      dialog->findChild<QLineEdit *>()->setText(path);
      QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
    });
    timer.start(10);
  }
};

} // namespace tilescope::tests
