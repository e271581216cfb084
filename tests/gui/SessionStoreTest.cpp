// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A session as it lies in its folder.
#include "app/ide/session/SessionStore.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::app;

static std::unique_ptr<SessionStore> opened(const QTemporaryDir &folder) {
  auto store = SessionStore::open(folder.path());
  REQUIRE((store && *store));
  return std::move(*store);
}

TEST_CASE("a text that the program died over is held back, also where only its journal names it",
          "[gui][session]") {
  const QTemporaryDir folder;
  const QString good = newPageId(), bad = newPageId();
  auto store = opened(folder);
  // The list of files is older than both texts.
  for (const QString &id : {good, bad})
    REQUIRE(store
                ->write({toJson(Session()),
                         {{id, wholeRecord({{}, views::EditHistory("a = 1\n")}), true}},
                         {}})
                .isEmpty());
  store.reset();
  CrashMark::Record died{};
  std::copy_n(bad.toLatin1().constData(), bad.size(), died.busy.begin());
  QFile mark(folder.filePath(QStringLiteral("running")));
  REQUIRE(mark.open(QIODevice::WriteOnly));
  mark.write(reinterpret_cast<const char *>(&died), sizeof died);
  mark.close();
  const std::vector<SessionFile> files = opened(folder)->load().session.files;
  REQUIRE(files.size() == 2);
  for (const SessionFile &file : files) {
    CHECK(file.isHeldBack == (file.id == bad));
    CHECK(file.firstLine == -1);
  }
}
