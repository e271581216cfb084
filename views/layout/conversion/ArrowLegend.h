// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/ConversionMap.h"

#include <QWidget>

namespace tilescope::views {

/// Of an arrow: dotted within a lane, dashed to another lane, solid to another warp.
Qt::PenStyle arrowStyle(compiler::MoveKind kind);

/// In the lower right corner of an area.
void drawArrowLegend(QPainter &painter, const QRectF &area);

/// What the styles of arrows mean, beside fields: over the picture it would cover cells.
class ArrowLegend : public QWidget {
  Q_OBJECT
public:
  explicit ArrowLegend(QWidget *parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent *event) override;
};

} // namespace tilescope::views
