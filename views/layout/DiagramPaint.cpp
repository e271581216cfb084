// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a DiagramCanvas looks; what it does is in DiagramCanvas.cpp.
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LabelSpace.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Below this cell size, in pixels, the grid is drawn as an image.
static constexpr double kNearPx = 5;
/// The smallest text that can be read, and the largest that is needed.
static constexpr double kSmallestTextPx = 8;
static constexpr double kLargestTextPx = 13;
static constexpr double kMemberTextPx = 10;
/// Smaller areas are told apart by their neighbours alone.
static constexpr double kSmallestHatchedPx = 4;

QRectF DiagramCanvas::View::rect(int row, int column, int rows, int columns) const {
  return {grid.origin(row, column) * scale + offset, QSizeF(columns, rows) * scale};
}

static QColor readableOn(const QColor &fill) {
  return contrastRatio(fill, Qt::white) > contrastRatio(fill, Qt::black) ? Qt::white : Qt::black;
}

static QFont textFont(double pixels) {
  QFont font = uiFont();
  font.setPixelSize(static_cast<int>(std::clamp(pixels, kSmallestTextPx, kLargestTextPx)));
  return font;
}

void DiagramCanvas::draw(QPainter &painter, const View &view) const {
  if (view.grid.numCells() == 0) {
    painter.setFont(uiFont());
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(view.visible.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
    return;
  }
  painter.save();
  painter.setClipRect(view.visible);
  if (view.scale < kNearPx)
    drawFar(painter, view);
  else
    drawNear(painter, view);
  if (cellLabelsFit(view))
    drawCellLabels(painter, view);
  else
    drawMembers(painter, view);
  drawHighlights(painter, view);
  drawColumnLabels(painter, view);
  drawRowLabels(painter, view);
  drawBlockTitles(painter, view);
  painter.restore();
}

void DiagramCanvas::drawFar(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = view.grid;
  const int blockRows = grid.blockRows > 0 ? grid.blockRows : grid.rows;
  const int blockColumns = grid.blockColumns > 0 ? grid.blockColumns : grid.columns;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, view.scale < 1);
  for (int row = 0; row < grid.rows; row += blockRows)
    for (int column = 0; column < grid.columns; column += blockColumns) {
      const int height = std::min(blockRows, grid.rows - row);
      const int width = std::min(blockColumns, grid.columns - column);
      const QRectF target = view.rect(row, column, height, width);
      if (target.intersects(view.visible))
        painter.drawImage(target, m_far, QRectF(column, row, width, height));
    }
}

/// First and last row (or column) that may be visible.
static std::pair<int, int> visibleRange(double low, double high, double offset, double scale,
                                        int count, int block, double gap) {
  const double pitch = block > 0 ? (block + gap) / block : 1.0;
  const int first = static_cast<int>(std::floor((low - offset) / scale / pitch)) - block;
  const int last = static_cast<int>(std::ceil((high - offset) / scale)) + 1;
  return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
}

CellRange DiagramCanvas::visibleCells(const View &view) const {
  const DiagramGrid &grid = view.grid;
  CellRange range;
  std::tie(range.firstRow, range.lastRow) =
      visibleRange(view.visible.top(), view.visible.bottom(), view.offset.y(), view.scale,
                   grid.rows, grid.blockRows, grid.gap + grid.titleGap);
  std::tie(range.firstColumn, range.lastColumn) =
      visibleRange(view.visible.left(), view.visible.right(), view.offset.x(), view.scale,
                   grid.columns, grid.blockColumns, grid.gap);
  return range;
}

void DiagramCanvas::drawNear(QPainter &painter, const View &view) const {
  const CellRange range = visibleCells(view);
  const double gap = view.scale >= 8 ? 1 : 0;
  for (int row = range.firstRow; row < range.lastRow; ++row)
    for (int column = range.firstColumn; column < range.lastColumn; ++column) {
      const auto cell = static_cast<size_t>(row) * view.grid.columns + column;
      const QRectF rect = view.rect(row, column, 1, 1);
      if (cell >= m_content.colors.size() || !rect.intersects(view.visible))
        continue;
      // Edges on whole pixels, so that all gaps look alike.
      painter.fillRect(
          QRectF(QPointF(std::round(rect.left()), std::round(rect.top())),
                 QPointF(std::round(rect.right()) - gap, std::round(rect.bottom()) - gap)),
          QColor(m_content.colors[cell]));
    }
}

bool DiagramCanvas::cellLabelsFit(const View &view) const {
  if (!m_content.label || view.grid.numCells() == 0)
    return false;
  // The last cell has the longest numbers.
  const QFontMetricsF metrics(textFont(view.scale * 0.27));
  const QSizeF size = metrics.size(0, m_content.label(view.grid.numCells() - 1)) + QSizeF(3, 1);
  return size.width() <= view.scale && size.height() <= view.scale;
}

bool DiagramCanvas::showsCellLabels() const {
  return cellLabelsFit({m_content.grid, m_scale, m_offset, rect()});
}

void DiagramCanvas::drawCellLabels(QPainter &painter, const View &view) const {
  const CellRange range = visibleCells(view);
  painter.setFont(textFont(view.scale * 0.27));
  for (int row = range.firstRow; row < range.lastRow; ++row)
    for (int column = range.firstColumn; column < range.lastColumn; ++column) {
      const int cell = row * view.grid.columns + column;
      const QRectF rect = view.rect(row, column, 1, 1);
      if (static_cast<size_t>(cell) >= m_content.colors.size() || !rect.intersects(view.visible))
        continue;
      painter.setPen(readableOn(QColor(m_content.colors[static_cast<size_t>(cell)])));
      painter.drawText(rect, Qt::AlignCenter, m_content.label(cell));
    }
}

void DiagramCanvas::drawMembers(QPainter &painter, const View &view) const {
  // Where several cells share a pixel there are no areas to be seen.
  if (m_content.members.empty() || view.scale < 1)
    return;
  painter.save();
  painter.setFont(textFont(kMemberTextPx));
  const QFontMetricsF metrics(painter.font());
  for (const DiagramArea &area : diagramAreas(view.grid, m_content.members, visibleCells(view))) {
    const QRectF rect = view.rect(area.row, area.column, area.rows, area.columns);
    if (!rect.intersects(view.visible))
      continue;
    const size_t cell = static_cast<size_t>(area.row) * view.grid.columns + area.column;
    const QColor text = readableOn(QColor(m_content.colors[cell]));
    const QString label = m_content.memberLabel ? m_content.memberLabel(area.member) : QString();
    if (!label.isEmpty() && metrics.horizontalAdvance(label) + 4 <= rect.width() &&
        metrics.ascent() + 2 <= rect.height()) {
      painter.setPen(text);
      painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, label);
    } else if (m_content.isHatched && std::min(rect.width(), rect.height()) >= kSmallestHatchedPx) {
      QColor line = text;
      line.setAlphaF(0.45F);
      painter.setPen(QPen(line, 1));
      painter.drawLines(hatchLines(rect, area.member));
    }
  }
  painter.restore();
}

/// The widest of the last labels.
static double widestLabel(const std::function<QString(int)> &label, int count,
                          const QFontMetricsF &metrics) {
  double widest = 0;
  for (int i = std::max(0, count - 32); i < count; ++i)
    widest = std::max(widest, metrics.horizontalAdvance(label(i)));
  return widest;
}

void DiagramCanvas::drawColumnLabels(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = view.grid;
  const LabelSpace space;
  // The heading stays when the grid is moved away under it.
  const double top = std::max(view.visible.top(), view.offset.y() - space.top);
  painter.fillRect(QRectF(view.visible.left(), top, view.visible.width(), space.top),
                   theme()[ColorRole::Panel]);
  if (!m_content.columnLabel)
    return;
  painter.setFont(space.font);
  painter.setPen(theme()[ColorRole::TextMuted]);
  // Labels keep a distance whatever the zoom: every 1st, 2nd, 4th, … is shown.
  const double widest =
      widestLabel(m_content.columnLabel, grid.columns, QFontMetricsF(space.font)) + 8;
  int step = 1;
  while (step * view.scale < widest && step < grid.columns)
    step *= 2;
  for (int column = 0; column < grid.columns; column += step) {
    const double x = grid.origin(0, column).x() * view.scale + view.offset.x() + view.scale / 2;
    painter.drawText(
        QRectF(x - widest / 2, top + space.top - space.height - 3, widest, space.height),
        Qt::AlignHCenter | Qt::AlignBottom, m_content.columnLabel(column));
  }
}

void DiagramCanvas::drawRowLabels(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = view.grid;
  const LabelSpace space;
  const double left = std::max(view.visible.left(), view.offset.x() - space.left);
  const double top = std::max(view.visible.top(), view.offset.y() - space.top) + space.top;
  const QRectF band(left, top, space.left - 2, view.visible.bottom() - top);
  painter.fillRect(band, theme()[ColorRole::Panel]);
  if (!m_content.rowLabel)
    return;
  painter.save();
  // The first row's label reaches a little into the heading.
  painter.setClipRect(band.adjusted(0, -space.height / 2, 0, 0), Qt::IntersectClip);
  painter.setFont(space.font);
  painter.setPen(theme()[ColorRole::TextMuted]);
  int step = 1;
  while (step * view.scale < space.height && step < grid.rows)
    step *= 2;
  for (int row = 0; row < grid.rows; row += step) {
    const double y = grid.origin(row, 0).y() * view.scale + view.offset.y() + view.scale / 2;
    if (y > top - 1 && y - space.height < view.visible.bottom())
      painter.drawText(QRectF(left, y - space.height / 2, space.left - 6, space.height),
                       Qt::AlignVCenter | Qt::AlignRight, m_content.rowLabel(row));
  }
  painter.restore();
}

void DiagramCanvas::drawBlockTitles(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = view.grid;
  const LabelSpace space;
  QFont font = space.font;
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  const QFontMetricsF metrics(font);
  const int across = grid.blockColumns > 0 ? grid.columns / grid.blockColumns : 1;
  const double headingTop = std::max(view.visible.top(), view.offset.y() - space.top);
  const double room = (grid.blockColumns + grid.gap) * view.scale;
  // Where a name does not fit, the numbers alone stand for all.
  const bool areShort =
      std::any_of(grid.blockTitles.begin(), grid.blockTitles.end(),
                  [&](const QString &title) { return metrics.horizontalAdvance(title) > room; });
  for (size_t block = 0; block < grid.blockTitles.size(); ++block) {
    const int row = static_cast<int>(block) / across * grid.blockRows;
    const int column = static_cast<int>(block) % across * grid.blockColumns;
    const QRectF rect = view.rect(row, column, grid.blockRows, grid.blockColumns);
    const QString title =
        areShort ? grid.blockTitles[block].section(u' ', -1) : grid.blockTitles[block];
    const double above = row == 0 ? space.height : (grid.gap + grid.titleGap) * view.scale;
    const double y = row == 0 ? headingTop + 2 : rect.top() - std::min(above, space.height);
    const bool isUnderHeading = row > 0 && y < headingTop + space.top;
    if (metrics.horizontalAdvance(title) > room || above < 0.8 * space.height || isUnderHeading)
      continue;
    // Of a block that is partly out of sight the name stays in sight.
    const double x =
        std::max(rect.left(), std::min(view.visible.left() + space.left,
                                       rect.right() - metrics.horizontalAdvance(title)));
    painter.drawText(QRectF(x, y, room, std::min(above, space.height)),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, title);
  }
}

void DiagramCanvas::drawFocus(QPainter &painter) const {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2));
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void DiagramCanvas::drawHighlights(QPainter &painter, const View &view) const {
  painter.setBrush(Qt::NoBrush);
  for (size_t i = 0; i < m_highlighted.size(); ++i) {
    const int row = m_highlighted[i] / view.grid.columns;
    QRectF rect = view.rect(row, m_highlighted[i] % view.grid.columns, 1, 1);
    if (rect.width() < 5)
      rect = QRectF(rect.center() - QPointF(2.5, 2.5), QSizeF(5, 5));
    painter.setPen(QPen(theme()[ColorRole::Panel], 4));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], i == 0 ? 2.2 : 1.5));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  }
}

} // namespace tilescope::views
