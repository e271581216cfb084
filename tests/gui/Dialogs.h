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

#include <functional>
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

/// Does something in the next dialog of a type, while what opened it waits for its end.
template <class Dialog> class InDialog {
public:
  explicit InDialog(std::function<void(Dialog &)> act) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, act = std::move(act)] {
      auto *dialog = qobject_cast<Dialog *>(QApplication::activeModalWidget());
      if (!dialog)
        return;
      m_timer.stop();
      act(*dialog);
    });
    m_timer.start(10);
  }

private:
  QTimer m_timer;
};

/// Answers the file dialog that comes next: keeps what it offers, and takes a path.
struct FileAnswer {
  QString offered;
  InDialog<QFileDialog> dialog;
  explicit FileAnswer(const QString &path)
      : dialog([this, path](QFileDialog &files) {
          offered = files.selectedFiles().value(0);
          files.findChild<QLineEdit *>()->setText(path);
          QTest::keyClick(files.findChild<QLineEdit *>(), Qt::Key_Return);
        }) {}
};

} // namespace tilescope::tests
