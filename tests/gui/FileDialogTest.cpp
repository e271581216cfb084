// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/FileDialogs.h"
#include "tests/gui/Dialogs.h"

#include <QTemporaryDir>
#include <QWidget>

#include <catch2/catch.hpp>

using namespace tilescope::app;

/// Types into the field of the file dialog that comes next, and presses Enter.
static QStringList opened(const QString &place, const QString &typed) {
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  QWidget window;
  window.show();
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
    auto *field = dialog ? dialog->findChild<QLineEdit *>() : nullptr;
    if (!field)
      return;
    // Without the focus, what is chosen in the list would replace what is typed.
    field->setFocus();
    if (!field->hasFocus())
      return;
    timer.stop();
    for (const QChar letter : typed) {
      QTest::keyClick(field, letter.toLatin1());
      // The list follows.
      QTest::qWait(5);
    }
    QTest::qWait(100);
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(100);
    if (dialog->isVisible())
      dialog->reject();
  });
  timer.start(10);
  return askFilesToOpen(
      {&window, QStringLiteral("Open"), place, QStringLiteral("Kernels (*.py);;All files (*)")});
}

TEST_CASE("a full path that is typed opens, also in the folder that is shown", "[gui][files]") {
  QTemporaryDir folder;
  const QString place = folder.filePath(QStringLiteral("work/k"));
  REQUIRE(QDir().mkpath(place));
  const QString path = place + QStringLiteral("/attn.py");
  QFile file(path);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.close();
  CHECK(opened(place, path) == QStringList{path});
  CHECK(opened(folder.path(), path) == QStringList{path});
  CHECK(opened(place, QStringLiteral("attn.py")) == QStringList{path});
}
