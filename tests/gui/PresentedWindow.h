// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/present/PresentController.h"
#include "app/ide/window/Presentation.h"
#include "tests/gui/LessonFixture.h"

namespace tilescope::tests {

/// A window with lessons in which something is presented.
struct PresentedWindow : LessonFixture {
  app::PresentController &present = *window.presentation()->controller();

  QString write(const char *name, const char *text) const {
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return path;
  }
  /// To whatever has the keyboard, as a clicker does.
  void press(Qt::Key key) const {
    QWidget *focus = QApplication::focusWidget();
    REQUIRE(focus);
    QTest::keyClick(focus, key);
    QCoreApplication::processEvents();
  }
};

} // namespace tilescope::tests
