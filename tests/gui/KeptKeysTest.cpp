// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is typed is written at once.
#include "app/ide/session/SessionKeeper.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"

#include <QTemporaryDir>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a text is written before the rest of the session, and without it", "[gui][session]") {
  using Part = SessionKeeper::Part;
  const QTemporaryDir folder;
  auto opened = SessionStore::open(folder.path());
  REQUIRE((opened && *opened));
  std::vector<Part> parts;
  PageRecord page;
  page.disk.path = QStringLiteral("kernel.py");
  page.history = views::EditHistory("a = 1\n");
  SessionKeeper keeper(std::move(*opened), [&](Part part) {
    parts.push_back(part);
    SessionBatch batch;
    if (part == Part::Texts)
      batch.journals = {{QStringLiteral("1"), wholeRecord(page), true}};
    else
      batch.json = "{}";
    return batch;
  });
  keeper.scheduleText();
  CHECK(QTest::qWaitFor([&] { return !keptTexts(folder.path()).empty(); }, 5000));
  REQUIRE_FALSE(parts.empty());
  CHECK(parts.front() == Part::Texts);
  CHECK(keptTexts(folder.path())[QStringLiteral("kernel.py")] == "a = 1\n");
  const QString rest = QDir(folder.path()).filePath(QStringLiteral("session.json"));
  CHECK(QTest::qWaitFor([&] { return QFile::exists(rest); }, 5000));
  CHECK(parts.back() == Part::Changes);
}

TEST_CASE("each key is kept, at the cost of what a key is", "[gui][session]") {
  FakeWindow test;
  test.openAndWait(test.write("kernel.py", "a = 1\n"));
  test.editor().goTo({0, 5});
  const QDir folder(test.sessionFolder());
  const auto journalBytes = [&] {
    return QFileInfo(folder.filePath(folder.entryList({QStringLiteral("*.journal")}).value(0)))
        .size();
  };
  for (const char *key : {"2", "3", "4", "5"}) {
    test.type(key);
    const std::string text = test.editor().utf8Text();
    CHECK(QTest::qWaitFor(
        [&] { return keptTexts(test.sessionFolder())[QStringLiteral("kernel.py")] == text; },
        5000));
  }
  const qint64 before = journalBytes();
  test.type("6");
  CHECK(QTest::qWaitFor([&] { return journalBytes() > before; }, 5000));
  CHECK(journalBytes() - before < 100);
}
