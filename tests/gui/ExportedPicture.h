// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QFile>
#include <QImage>
#include <QTemporaryDir>

#include <catch2/catch.hpp>

namespace tilescope::tests {

/// What a view shows, as SVG.
template <class View> QByteArray exportedSvg(View &view, const QTemporaryDir &folder) {
  const QString path = folder.filePath(QStringLiteral("picture.svg"));
  REQUIRE(view.exportSvg(path));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  return file.readAll();
}

/// How wide the PNG of what it shows is.
template <class View> int exportedPngWidth(View &view, const QTemporaryDir &folder) {
  const QString path = folder.filePath(QStringLiteral("picture.png"));
  REQUIRE(view.exportPng(path));
  return QImage(path).width();
}

} // namespace tilescope::tests
