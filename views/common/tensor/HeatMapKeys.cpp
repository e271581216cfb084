// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The keyboard in a heat map.
#include "views/common/Theme.h"
#include "views/common/tensor/TensorPictures.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

void HeatMap::keyPressEvent(QKeyEvent *event) {
  if (!hasPicture())
    return QWidget::keyPressEvent(event);
  const qint64 columns = m_digest->picture.columns;
  const qint64 last = m_digest->tensor.numElements() - 1;
  const qint64 row = m_keyElement / columns * columns;
  qint64 to = m_keyElement;
  switch (event->key()) {
  case Qt::Key_Left:
    to -= 1;
    break;
  case Qt::Key_Right:
    to += 1;
    break;
  case Qt::Key_Up:
    to -= columns;
    break;
  case Qt::Key_Down:
    to += columns;
    break;
  case Qt::Key_Home:
    to = row;
    break;
  case Qt::Key_End:
    to = std::min(row + columns - 1, last);
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    Q_EMIT elementClicked(m_keyElement);
    return;
  default:
    return QWidget::keyPressEvent(event);
  }
  if (to >= 0 && to <= last)
    m_keyElement = to;
  Q_EMIT elementHovered(m_keyElement);
  update();
}

void HeatMap::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  if (hasPicture())
    Q_EMIT elementHovered(m_keyElement);
  update();
}

void HeatMap::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  Q_EMIT elementHovered(-1);
  update();
}

/// A ring around the picture that has the keyboard, and around the element that the keys are on.
void HeatMap::drawKeyElement(QPainter &painter) const {
  if (!hasFocus())
    return;
  const QRectF picture = pictureRect();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::Accent], 1));
  painter.drawRect(picture.adjusted(-2, -2, 2, 2));
  const auto columns = static_cast<double>(m_digest->picture.columns);
  const QSizeF cell(picture.width() / columns,
                    picture.height() / static_cast<double>(m_digest->picture.rows));
  const qint64 row = m_keyElement / m_digest->picture.columns;
  const qint64 column = m_keyElement % m_digest->picture.columns;
  const QPointF corner = picture.topLeft() + QPointF(static_cast<double>(column) * cell.width(),
                                                     static_cast<double>(row) * cell.height());
  // Two colors: one of them differs from what is around.
  const QRectF ring = QRectF(corner, cell).adjusted(-2, -2, 2, 2);
  painter.setPen(QPen(theme()[ColorRole::Panel], 4));
  painter.drawRect(ring);
  painter.setPen(QPen(theme()[ColorRole::Text], 2));
  painter.drawRect(ring);
}

} // namespace tilescope::views
