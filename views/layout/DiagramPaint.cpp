// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a DiagramCanvas looks; what it does is in DiagramCanvas.cpp.
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LabelSpace.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope::views {

using compiler::Cell;
using compiler::CellRange;
using compiler::Interval;
using compiler::PictureGrid;

/// Below this cell size, in pixels, the grid is drawn as images.
static constexpr double kNearPx = 5;
/// Groups of rows are set apart down to this height.
static constexpr double kSmallestGroupPx = 4;
/// Down to this size cells are told apart by smoothing, below it by their mean colors.
static constexpr double kMeanScale = 0.5;

QRectF DiagramCanvas::View::rect(Cell first, int64_t rows, int64_t columns) const {
  const compiler::GridPoint origin = grid.origin(first);
  return {QPointF(origin.x, origin.y) * scale + offset,
          QSizeF(static_cast<double>(columns), static_cast<double>(rows)) * scale};
}

CellRange DiagramCanvas::View::cellsIn(const QRectF &part) const {
  const QPointF at = (part.topLeft() - offset) / scale;
  return grid.touching({at.x(), at.y(), part.width() / scale, part.height() / scale});
}

void DiagramCanvas::draw(QPainter &painter, const View &view) const {
  if (view.grid.numCells == 0) {
    painter.setFont(uiFont());
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(view.visible.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                     quotedCode(m_emptyText));
    return;
  }
  painter.save();
  painter.setClipRect(view.exposed);
  if (view.scale < kNearPx)
    drawFar(painter, view);
  else
    drawNear(painter, view);
  drawGroupLines(painter, view);
  if (cellLabelsFit(view))
    drawCellLabels(painter, view);
  else
    drawTiles(painter, view);
  drawHighlights(painter, view);
  drawColumnLabels(painter, view);
  drawRowLabels(painter, view);
  drawBlockTitles(painter, view);
  painter.restore();
}

/// The parts of an interval of rows or columns that lie in their own blocks.
static std::vector<Interval> withinBlocks(int64_t first, int64_t last, int64_t block) {
  std::vector<Interval> parts;
  for (int64_t at = first; at < last; at = parts.back().second)
    parts.emplace_back(at, block > 0 ? std::min(last, (at / block + 1) * block) : last);
  return parts;
}

void DiagramCanvas::drawFar(QPainter &painter, const View &view) const {
  const CellRange range = view.cellsIn(view.visible);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, view.scale > kMeanScale && view.scale < 1);
  const std::vector<Interval> across =
      withinBlocks(range.firstColumn, range.lastColumn, view.grid.blockColumns);
  for (const auto &[row, lastRow] :
       withinBlocks(range.firstRow, range.lastRow, view.grid.blockRows))
    for (const auto &[column, lastColumn] : across)
      drawSamples(painter, view, {row, lastRow, column, lastColumn});
}

/// The smallest power of two of cells that fill a pixel, if an extent has as many; as a logarithm.
static int sampleLevel(double scale, int64_t extent) {
  const int most = extent > 0 ? std::bit_width(static_cast<uint64_t>(extent)) - 1 : 0;
  const int level = scale > kMeanScale ? 0 : static_cast<int>(std::ceil(-std::log2(scale)));
  return std::clamp(level, 0, most);
}

void DiagramCanvas::drawSamples(QPainter &painter, const View &view, const CellRange &part) const {
  const PictureGrid &grid = view.grid;
  compiler::CellSamples samples{part, 0, 0};
  samples.rowLevel = sampleLevel(view.scale, grid.blockRows > 0 ? grid.blockRows : grid.rows);
  samples.columnLevel =
      sampleLevel(view.scale, grid.blockColumns > 0 ? grid.blockColumns : grid.columns);
  // Samples begin at the same cells wherever the window lies.
  CellRange &range = samples.range;
  range.firstRow &= -(int64_t(1) << samples.rowLevel);
  range.firstColumn &= -(int64_t(1) << samples.columnLevel);
  const auto width = static_cast<size_t>(samples.numColumns());
  const auto height = static_cast<size_t>(samples.numRows());
  std::vector<uint32_t> colors(width * height);
  compiler::sampleColors(m_content.members, m_content.palette, samples, colors);
  const QImage image(reinterpret_cast<const uchar *>(colors.data()), static_cast<int>(width),
                     static_cast<int>(height), QImage::Format_RGB32);
  const int64_t rows = range.lastRow - range.firstRow;
  const int64_t columns = range.lastColumn - range.firstColumn;
  painter.drawImage(view.rect({range.firstRow, range.firstColumn}, rows, columns), image,
                    QRectF(0, 0, std::ldexp(static_cast<double>(columns), -samples.columnLevel),
                           std::ldexp(static_cast<double>(rows), -samples.rowLevel)));
}

void DiagramCanvas::drawNear(QPainter &painter, const View &view) const {
  const CellRange range = view.cellsIn(view.exposed);
  const int gap = view.scale >= 8 ? 1 : 0;
  // Edges on whole pixels, so that all gaps look alike.
  const auto inner = [gap](const QRectF &rect) {
    return QRect(QPoint(qRound(rect.left()), qRound(rect.top())),
                 QPoint(qRound(rect.right()) - gap - 1, qRound(rect.bottom()) - gap - 1));
  };
  const QRect sight = view.exposed.toAlignedRect();
  if (painter.paintEngine()->type() == QPaintEngine::Raster)
    return painter.drawImage(sight.topLeft(), nearImage(view, range, sight, inner));
  for (int64_t row = range.firstRow; row < range.lastRow; ++row)
    for (int64_t column = range.firstColumn; column < range.lastColumn; ++column)
      if (const Cell cell{row, column}; view.grid.contains(cell))
        painter.fillRect(inner(view.rect(cell)),
                         QColor(m_content.palette.of(m_content.members.at(cell))));
}

QImage DiagramCanvas::nearImage(const View &view, const CellRange &range, const QRect &sight,
                                const std::function<QRect(const QRectF &)> &inner) const {
  QImage image(sight.size(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  // Rows of pixels within one row of cells are equal, but for the columns that the last row lacks.
  for (int64_t row = range.firstRow; row < range.lastRow; ++row) {
    const QRect rows = inner(view.rect({row, range.firstColumn})).translated(-sight.topLeft());
    const int top = std::max(rows.top(), 0), bottom = std::min(rows.bottom(), image.height() - 1);
    if (top > bottom)
      continue;
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(top));
    const uint64_t rowMember = m_content.members.ofRow(row);
    for (int64_t column = range.firstColumn; column < range.lastColumn; ++column) {
      if (!view.grid.contains({row, column}))
        break;
      const QRect cell = inner(view.rect({row, column})).translated(-sight.topLeft());
      const QRgb color = m_content.palette.of(rowMember ^ m_content.members.ofColumn(column));
      std::fill(line + std::clamp(cell.left(), 0, image.width()),
                line + std::clamp(cell.right() + 1, 0, image.width()), color);
    }
    for (int y = top + 1; y <= bottom; ++y)
      std::copy_n(line, image.width(), reinterpret_cast<QRgb *>(image.scanLine(y)));
  }
  return image;
}

void DiagramCanvas::drawGroupLines(QPainter &painter, const View &view) const {
  const int64_t step = view.grid.groupRows;
  if (step <= 1 || static_cast<double>(step) * view.scale < kSmallestGroupPx)
    return;
  const CellRange range = view.cellsIn(view.exposed);
  for (int64_t row = (range.firstRow / step + 1) * step; row < range.lastRow; row += step) {
    const QRectF rect = view.rect({row, 0});
    painter.fillRect(QRect(qFloor(view.exposed.left()), qRound(rect.top()) - 1,
                           qCeil(view.exposed.width()) + 1, 1),
                     theme()[ColorRole::Panel]);
  }
}

bool DiagramCanvas::cellLabelsFit(const View &view) const {
  if (!m_content.label || view.grid.numCells == 0)
    return false;
  // The last cell has the longest numbers.
  const QFontMetricsF metrics(cellFont(view.scale * 0.27));
  const QSizeF size = metrics.size(0, m_content.label(view.grid.numCells - 1)) + QSizeF(3, 1);
  return size.width() <= view.scale && size.height() <= view.scale;
}

bool DiagramCanvas::showsCellLabels() const { return cellLabelsFit(current()); }

void DiagramCanvas::drawCellLabels(QPainter &painter, const View &view) const {
  const CellRange range = view.cellsIn(view.exposed);
  painter.setFont(cellFont(view.scale * 0.27));
  for (int64_t row = range.firstRow; row < range.lastRow; ++row)
    for (int64_t column = range.firstColumn; column < range.lastColumn; ++column) {
      const uint64_t ink = m_content.palette.index(m_content.members.at({row, column}));
      if (ink >= m_inks.size() || !view.grid.contains({row, column}))
        continue;
      painter.setPen(m_inks[ink]);
      painter.drawText(view.rect({row, column}), Qt::AlignCenter,
                       m_content.label(view.grid.number({row, column})));
    }
}

/// The widest of the last labels.
static double widestLabel(const std::function<QString(int64_t)> &label, int64_t count,
                          const QFontMetricsF &metrics) {
  double widest = 0;
  if (!label)
    return widest;
  for (int64_t i = std::max<int64_t>(0, count - 32); i < count; ++i)
    widest = std::max(widest, metrics.horizontalAdvance(label(i)));
  return widest;
}

void DiagramCanvas::measureLabels() {
  const LabelSpace space = labelSpace();
  const PictureGrid &grid = m_content.grid;
  m_widestColumnLabel = widestLabel(m_content.columnLabel, grid.columns, QFontMetricsF(space.font));
  m_widestTitle = grid.hasTitles ? widestLabel(m_content.blockTitle,
                                               grid.numBlocksDown() * grid.numBlocksAcross(),
                                               QFontMetricsF(space.titleFont()))
                                 : 0;
}

void DiagramCanvas::drawColumnLabels(QPainter &painter, const View &view) const {
  const PictureGrid &grid = view.grid;
  const LabelSpace space = labelSpace();
  // The heading stays when the grid is moved away under it.
  const double top = std::max(view.visible.top(), view.offset.y() - space.top);
  painter.fillRect(QRectF(view.visible.left(), top, view.visible.width(), space.top),
                   theme()[ColorRole::Panel]);
  if (!m_content.columnLabel)
    return;
  painter.setFont(space.font);
  painter.setPen(theme()[ColorRole::TextMuted]);
  // Labels keep a distance whatever the zoom: every 1st, 2nd, 4th, … is shown.
  const double widest = m_widestColumnLabel + 8;
  int64_t step = 1;
  while (static_cast<double>(step) * view.scale < widest && step < grid.columns)
    step *= 2;
  // Columns that the labels of rows cover get no label.
  const double covered = std::max(view.visible.left(), view.offset.x() - space.left) + space.left;
  // One beyond each side: a label is wider than its column.
  const CellRange range = view.cellsIn(view.exposed);
  for (int64_t column = std::max<int64_t>(0, range.firstColumn / step - 1) * step;
       column < std::min(grid.columns, range.lastColumn + step); column += step) {
    const QRectF cell = view.rect({0, column});
    const double half = (widest - 8) / 2;
    const std::optional<double> x =
        labelCenter(cell.left(), cell.right(), half, covered - half, view.visible.right() - 2);
    if (!x)
      continue;
    painter.drawText(
        QRectF(*x - widest / 2, top + space.top - space.height - 3, widest, space.height),
        Qt::AlignHCenter | Qt::AlignBottom, m_content.columnLabel(column));
  }
}

void DiagramCanvas::drawRowLabels(QPainter &painter, const View &view) const {
  const PictureGrid &grid = view.grid;
  const LabelSpace space = labelSpace();
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
  int64_t step = 1;
  // Names of blocks between them set rows apart, too.
  const double firstTop = view.rect({0, 0}).top();
  while (step < grid.rows && view.rect({step, 0}).top() - firstTop < space.height)
    step *= 2;
  const CellRange range = view.cellsIn(view.exposed);
  for (int64_t row = std::max<int64_t>(0, range.firstRow / step - 1) * step;
       row < std::min(grid.rows, range.lastRow + step); row += step) {
    const double y = view.rect({row, 0}).center().y();
    // One that the lower edge would cut is left out.
    if (y > top - 1 && y + 0.35 * space.height < view.visible.bottom())
      painter.drawText(QRectF(left, y - space.height / 2, space.left - 6, space.height),
                       Qt::AlignVCenter | Qt::AlignRight, m_content.rowLabel(row));
  }
  painter.restore();
}

void DiagramCanvas::drawBlockTitles(QPainter &painter, const View &view) const {
  const PictureGrid &grid = view.grid;
  if (!grid.hasTitles)
    return;
  const LabelSpace space = labelSpace();
  const QFont font = space.titleFont();
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  const QFontMetricsF metrics(font);
  const int64_t across = grid.numBlocksAcross();
  const double headingTop = std::max(view.visible.top(), view.offset.y() - space.top);
  const double room = (static_cast<double>(grid.blockColumns) + grid.gap) * view.scale;
  // Names that touch each other cannot be told apart.
  const bool areShort = m_widestTitle + metrics.averageCharWidth() > room;
  const auto drawTitle = [&](int64_t down, int64_t at) {
    const QRectF rect = view.rect({down * grid.blockRows, at * grid.blockColumns}, grid.blockRows,
                                  grid.blockColumns);
    const QString title =
        (areShort ? m_content.shortBlockTitle : m_content.blockTitle)(down * across + at);
    const double above = down == 0 ? space.height : (grid.gap + grid.titleGap) * view.scale;
    // In the middle of what is free, or near its block where that is more.
    const double height = std::min(above, space.titleHeight());
    const double y = down == 0 ? headingTop + 2 : rect.top() - height;
    const bool isUnderHeading = down > 0 && y < headingTop + space.top;
    const double width = metrics.horizontalAdvance(title);
    if (width > room || above < 0.8 * space.height || isUnderHeading)
      return;
    // Of a block that is partly out of sight the name stays in sight.
    const double x =
        std::max(rect.left(), std::min(view.visible.left() + space.left, rect.right() - width));
    painter.drawText(QRectF(x, y, room, height),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, title);
  };
  // Those of the first row stay at the top; a gap that is in sight belongs to the row below it.
  const CellRange range = view.cellsIn(view.exposed);
  const int64_t lastDown = std::min(grid.numBlocksDown() - 1, range.lastRow / grid.blockRows);
  for (int64_t at = range.firstColumn / grid.blockColumns;
       at * grid.blockColumns < range.lastColumn; ++at) {
    drawTitle(0, at);
    for (int64_t down = std::max<int64_t>(1, range.firstRow / grid.blockRows); down <= lastDown;
         ++down)
      drawTitle(down, at);
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
    QRectF rect = view.rect(view.grid.cell(m_highlighted[i]));
    if (rect.width() < 5)
      rect = QRectF(rect.center() - QPointF(2.5, 2.5), QSizeF(5, 5));
    painter.setPen(QPen(theme()[ColorRole::Panel], 4));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], i == 0 ? 2.2 : 1.5));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  }
}

} // namespace tilescope::views
