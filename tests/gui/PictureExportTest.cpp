// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PictureExport.h"

#include <QFile>
#include <QTemporaryDir>

#include <catch2/catch.hpp>

using namespace tilescope::views;

TEST_CASE("what is said above an exported picture is written whole", "[gui][common]") {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("picture.svg"));
  QString sentence = QStringLiteral("begin");
  for (int i = 0; i < 60; ++i)
    sentence += QStringLiteral(" word%1").arg(i);
  double top = -1;
  const auto draw = [&](QPainter &, const QRectF &target) { top = target.top(); };
  REQUIRE(writeSvg({{QStringLiteral("title"), sentence}, 100, draw}, path));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  CHECK(text.contains("word59"));
  CHECK_FALSE(text.contains("\u2026"));
  // The picture lies below all of it.
  const double before = top;
  REQUIRE(writeSvg({{QStringLiteral("title")}, 100, draw}, path));
  CHECK(before >= top + 40);
}
