// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lessons that come as a zip: they open, are listed at once, and are there again.
#include "app/lesson/archive/LessonArchive.h"
#include "tests/gui/LessonFixture.h"
#include "tests/gui/Patience.h"

#include <QComboBox>
#include <QFile>
#include <QMenu>
#include <QMenuBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

/// *File → Lessons*.
static QMenu *lessonsMenu(const MainWindow &window) {
  for (const QAction *menu : window.menuBar()->actions())
    for (const QAction *each : menu->menu()->actions())
      if (each->menu() && each->text() == u"Lessons")
        return each->menu();
  return nullptr;
}

TEST_CASE("a lesson opens from a zip, is there at the next start, and a bad zip is refused",
          "[gui][lesson]") {
  LessonFixture test;
  Result<LessonParts> parts = readLessonFolder(TILESCOPE_LESSONS "/programs-and-masks");
  REQUIRE(parts);
  parts->id = "first-steps";
  const QString zip = test.folder.filePath(QStringLiteral("first-steps.zip"));
  REQUIRE(writeLessonZip({&*parts, 1}, zip.toStdString()));
  test.window.openFile(zip);
  CHECK(test.window.workspace() == Workspace::Learn);
  CHECK(test.view.lessons().currentText() == u"Programs and masks");
  CHECK(test.window.currentPage()->path().endsWith(u"/first-steps.py"));
  REQUIRE(QTest::qWaitFor([&] { return test.view.summary() == u"1 of 3 goals are met."; },
                          kPatienceMs));
  QComboBox &list = test.view.lessons();
  CHECK(list.itemText(list.count() - 2) == u"Opened");
  CHECK_FALSE(
      list.model()->flags(list.model()->index(list.count() - 2, 0)).testFlag(Qt::ItemIsEnabled));
  CHECK(list.itemText(list.count() - 1) == u"Programs and masks");
  // The menu and the palette have it at once, under a heading of its own.
  const auto chapters = [&] {
    QStringList titles;
    for (const QAction *each : lessonsMenu(test.window)->actions())
      if (each->isVisible())
        titles << each->text();
    return titles;
  };
  CHECK(chapters() == QStringList{QStringLiteral("Blocks"), QStringLiteral("Memory"),
                                  QStringLiteral("Kernels of neural networks"),
                                  QStringLiteral("Matrix products"), QStringLiteral("Speed"),
                                  QStringLiteral("Puzzles"), QStringLiteral("Opened")});
  QMenu *opened = lessonsMenu(test.window)->actions().back()->menu();
  REQUIRE(opened->actions().size() == 1);
  CHECK(opened->actions()[0]->text() == u"Programs and masks");
  test.open("softmax");
  opened->actions()[0]->trigger();
  CHECK(test.window.currentPage()->path().endsWith(u"/first-steps.py"));
  LessonShelf again(QStringLiteral(TILESCOPE_LESSONS),
                    test.folder.filePath(QStringLiteral("learner")));
  CHECK(again.ids().back() == "first-steps");
  CHECK(again.lesson(again.ids().size() - 1));

  const QString bad = test.folder.filePath(QStringLiteral("bad.zip"));
  QFile file(bad);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write("PK");
  file.close();
  test.window.openFile(bad);
  CHECK(test.window.currentPage()->path().endsWith(u"/first-steps.py"));
}

TEST_CASE("a zip of several lessons brings those that did not come with the program",
          "[gui][lesson]") {
  LessonFixture test;
  std::vector<LessonParts> parts;
  for (const char *name : {"/reductions", "/softmax", "/transpose"}) {
    Result<LessonParts> each = readLessonFolder(TILESCOPE_LESSONS + std::string(name));
    REQUIRE(each);
    parts.push_back(std::move(*each));
  }
  parts[1].id = "own-softmax";
  // Of that name there is another one already.
  parts[2].parts[0].bytes += "\n";
  const size_t before = test.window.lessons()->shelf().ids().size();
  const QString zip = test.folder.filePath(QStringLiteral("curriculum.zip"));
  REQUIRE(writeLessonZip(parts, zip.toStdString()));
  test.window.openFile(zip);
  CHECK(test.window.currentPage()->path().endsWith(u"/reductions.py"));
  const std::vector<std::string> &ids = test.window.lessons()->shelf().ids();
  REQUIRE(ids.size() == before + 2);
  CHECK(ids[before] == "own-softmax");
  CHECK(ids[before + 1] == "transpose-opened");
}
