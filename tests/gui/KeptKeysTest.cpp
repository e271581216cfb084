// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is typed is written at once.
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"

#include <QTimer>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a kill right behind a key keeps that key", "[gui][session]") {
  FakeWindow test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  auto *slow = test.window->findChild<QTimer *>(QStringLiteral("keeping the session"));
  REQUIRE(slow != nullptr);
  test.editor().goTo({0, 5});
  for (const char *key : {"2", "3", "4", "5"}) {
    test.type(key);
    // What is written a moment later does not help here.
    slow->stop();
    const std::string text = test.editor().utf8Text();
    CHECK(QTest::qWaitFor(
        [&] { return keptTexts(test.sessionFolder())[QStringLiteral("kernel.py")] == text; },
        5000));
    CHECK_FALSE(slow->isActive());
  }
  const QDir folder(test.sessionFolder());
  const QString journal = folder.filePath(folder.entryList({QStringLiteral("*.journal")}).value(0));
  // The journal grows by what a key is, not by the text.
  const qint64 before = QFileInfo(journal).size();
  test.type("6");
  CHECK(QTest::qWaitFor([&] { return QFileInfo(journal).size() > before; }, 5000));
  CHECK(QFileInfo(journal).size() - before < 100);
}
