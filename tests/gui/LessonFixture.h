// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/lesson/LessonController.h"
#include "tests/gui/WindowFixture.h"
#include "views/lesson/LessonView.h"

namespace tilescope::tests {

/// A window with the lessons that are shipped, and a learner's folder of its own, over a real
/// worker.
struct LessonFixture {
  app::WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  QTemporaryDir folder;
  app::MainWindow window{&worker,
                         {.session = nullptr,
                          .examplesFolder = {},
                          .lessonsFolder = QStringLiteral(TILESCOPE_LESSONS),
                          .learnerFolder = folder.filePath(QStringLiteral("learner"))}};
  views::LessonView &view = *window.lessons()->view();

  LessonFixture() {
    window.resize(1366, 740);
    window.show();
    REQUIRE(QTest::qWaitForWindowActive(&window));
  }
  void open(const char *id) {
    QAction *lesson = window.action(QStringLiteral("lessons.") + QString::fromLatin1(id));
    REQUIRE(lesson);
    lesson->trigger();
  }
};

} // namespace tilescope::tests
