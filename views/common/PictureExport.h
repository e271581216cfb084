// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files that a view's picture is exported to: some lines of text, and below them what it draws.
#pragma once

#include <QImage>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>

class QPainter;

namespace tilescope::views {

inline constexpr double kExportWidth = 1100;

struct ExportedPicture {
  /// What the lines say that are above the picture; the first is its title.
  QStringList lines;
  /// Of the picture.
  double height = 0;
  /// Draws it in as much room.
  std::function<void(QPainter &painter, const QRectF &target)> draw;
  double width = kExportWidth;
};

/// The picture alone, drawn in the room of an image of this size (in pixels of the widget system),
/// for a screen with so many of its pixels to one of those.
QImage smallPicture(const ExportedPicture &picture, QSize size, double pixelRatio);
bool writeSvg(const ExportedPicture &picture, const QString &path);
/// In twice as many pixels.
bool writePng(const ExportedPicture &picture, const QString &path);

} // namespace tilescope::views
