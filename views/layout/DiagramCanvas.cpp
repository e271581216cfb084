// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/DiagramCanvas.h"

#include "views/common/Theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Below this cell size, in pixels, the grid is drawn as an image.
static constexpr double kNearPx = 5;
static constexpr double kLabelPx = 17;
static constexpr double kPadPx = 10;
static constexpr double kMaxScale = 120;

namespace {
/// Room for labels around the grid; it grows with the font, so that a projector's audience can read
/// them.
struct LabelSpace {
  QFont font = uiFont();
  double height = 0;
  double left = 0;
  double top = 0;

  LabelSpace() {
    font.setPointSizeF(font.pointSizeF() * 0.85);
    const QFontMetricsF metrics(font);
    height = metrics.height();
    left = metrics.horizontalAdvance(QStringLiteral("00000")) + 6;
    top = 2 * height + 8;
  }
};
} // namespace

DiagramCanvas::DiagramCanvas(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 90);
}

void DiagramCanvas::setContent(DiagramContent content) {
  const bool sameGrid =
      content.grid.rows == m_content.grid.rows && content.grid.columns == m_content.grid.columns;
  m_content = std::move(content);
  const DiagramGrid &grid = m_content.grid;
  m_far = QImage(std::max(1, grid.columns), std::max(1, grid.rows), QImage::Format_RGB32);
  m_far.fill(theme()[ColorRole::Panel]);
  for (int row = 0; row < grid.rows; ++row) {
    auto *line = reinterpret_cast<QRgb *>(m_far.scanLine(row));
    for (int column = 0; column < grid.columns; ++column) {
      const auto cell = static_cast<size_t>(row) * grid.columns + column;
      if (cell < m_content.colors.size())
        line[column] = m_content.colors[cell];
    }
  }
  m_highlighted.clear();
  if (!sameGrid || m_fitted)
    fit();
  update();
}

void DiagramCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  update();
}

void DiagramCanvas::setHighlighted(std::vector<int> cells) {
  if (cells == m_highlighted)
    return;
  m_highlighted = std::move(cells);
  update();
}

DiagramCanvas::View DiagramCanvas::fitting(const QRectF &area) const {
  const QSizeF size = m_content.grid.size();
  View view;
  view.visible = area;
  if (size.isEmpty())
    return view;
  const LabelSpace labels;
  const double width = area.width() - labels.left - kPadPx;
  const double height = area.height() - labels.top - kPadPx;
  view.scale = std::clamp(std::min(width / size.width(), height / size.height()), 0.02, 44.0);
  const double spareX = std::max(0.0, width - size.width() * view.scale);
  const double spareY = std::max(0.0, height - size.height() * view.scale);
  view.offset =
      area.topLeft() + QPointF(labels.left + spareX / 2, labels.top + std::min(spareY / 2, 24.0));
  return view;
}

void DiagramCanvas::fit() {
  const View view = fitting(rect());
  m_scale = view.scale;
  m_offset = view.offset;
  m_fitted = true;
  update();
}

void DiagramCanvas::zoomBy(double factor, QPointF around) {
  const double next = std::clamp(m_scale * factor, 0.02, kMaxScale);
  m_offset = around - (around - m_offset) * (next / m_scale);
  m_scale = next;
  m_fitted = false;
  update();
}

int DiagramCanvas::cellAt(QPointF point) const {
  return m_content.grid.cellAt((point - m_offset) / m_scale);
}

void DiagramCanvas::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_fitted)
    fit();
}

void DiagramCanvas::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (m_fitted)
    fit();
}

void DiagramCanvas::hover(int cell) {
  if (cell == m_hovered)
    return;
  m_hovered = cell;
  Q_EMIT cellHovered(cell);
}

void DiagramCanvas::mouseMoveEvent(QMouseEvent *event) {
  if (m_dragging) {
    m_offset += event->position() - m_dragFrom;
    m_dragFrom = event->position();
    m_fitted = false;
    update();
    return;
  }
  hover(cellAt(event->position()));
}

void DiagramCanvas::mousePressEvent(QMouseEvent *event) {
  m_dragging = true;
  m_dragFrom = event->position();
}

void DiagramCanvas::mouseReleaseEvent(QMouseEvent *) { m_dragging = false; }
void DiagramCanvas::mouseDoubleClickEvent(QMouseEvent *) { fit(); }

void DiagramCanvas::wheelEvent(QWheelEvent *event) {
  zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void DiagramCanvas::leaveEvent(QEvent *event) {
  QWidget::leaveEvent(event);
  hover(-1);
}

void DiagramCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  draw(painter, {m_scale, m_offset, rect()});
}

void DiagramCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, fitting(target));
}

void DiagramCanvas::draw(QPainter &painter, const View &view) const {
  if (m_content.grid.numCells() == 0) {
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
  drawHighlights(painter, view);
  drawLabels(painter, view);
  painter.restore();
}

void DiagramCanvas::drawFar(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = m_content.grid;
  const int blockRows = grid.blockRows > 0 ? grid.blockRows : grid.rows;
  const int blockColumns = grid.blockColumns > 0 ? grid.blockColumns : grid.columns;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, view.scale < 1);
  for (int row = 0; row < grid.rows; row += blockRows)
    for (int column = 0; column < grid.columns; column += blockColumns) {
      const int height = std::min(blockRows, grid.rows - row);
      const int width = std::min(blockColumns, grid.columns - column);
      const QPointF corner = grid.origin(row, column) * view.scale + view.offset;
      const QRectF target(corner, QSizeF(width, height) * view.scale);
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

void DiagramCanvas::drawNear(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = m_content.grid;
  const auto [firstRow, lastRow] =
      visibleRange(view.visible.top(), view.visible.bottom(), view.offset.y(), view.scale,
                   grid.rows, grid.blockRows, grid.gap);
  const auto [firstColumn, lastColumn] =
      visibleRange(view.visible.left(), view.visible.right(), view.offset.x(), view.scale,
                   grid.columns, grid.blockColumns, grid.gap);
  const bool labels = view.scale >= kLabelPx && m_content.label;
  QFont font = uiFont();
  font.setPixelSize(static_cast<int>(std::clamp(view.scale * 0.27, 6.0, 13.0)));
  painter.setFont(font);
  const double gap = view.scale >= 8 ? 1 : 0;
  for (int row = firstRow; row < lastRow; ++row)
    for (int column = firstColumn; column < lastColumn; ++column) {
      const auto cell = static_cast<size_t>(row) * grid.columns + column;
      if (cell >= m_content.colors.size())
        break;
      const QRectF rect(grid.origin(row, column) * view.scale + view.offset,
                        QSizeF(view.scale, view.scale));
      if (!rect.intersects(view.visible))
        continue;
      // Edges on whole pixels, so that all gaps look alike.
      const QRectF inner(QPointF(std::round(rect.left()), std::round(rect.top())),
                         QPointF(std::round(rect.right()) - gap, std::round(rect.bottom()) - gap));
      painter.fillRect(inner, QColor(m_content.colors[cell]));
      if (labels) {
        const QColor fill(m_content.colors[cell]);
        painter.setPen(contrastRatio(fill, Qt::white) > contrastRatio(fill, Qt::black) ? Qt::white
                                                                                       : Qt::black);
        painter.drawText(inner, Qt::AlignCenter, m_content.label(static_cast<int>(cell)));
      }
    }
}

void DiagramCanvas::drawLabels(QPainter &painter, const View &view) const {
  const DiagramGrid &grid = m_content.grid;
  const LabelSpace space;
  const QFontMetricsF metrics(space.font);
  painter.setFont(space.font);
  painter.setPen(theme()[ColorRole::TextMuted]);
  // Labels keep a distance whatever the zoom: every 1st, 2nd, 4th, … is shown.
  const double widest = m_content.columnLabel && grid.columns > 0
                            ? metrics.horizontalAdvance(m_content.columnLabel(grid.columns - 1)) + 8
                            : 24;
  int step = 1;
  while (step * view.scale < widest && step < 1 << 20)
    step *= 2;
  int rowStep = 1;
  while (rowStep * view.scale < space.height && rowStep < 1 << 20)
    rowStep *= 2;
  const double top = view.offset.y();
  const double left = view.offset.x();
  for (int column = 0; m_content.columnLabel && column < grid.columns; column += step) {
    const double x = grid.origin(0, column).x() * view.scale + left;
    painter.drawText(
        QRectF(x + view.scale / 2 - widest / 2, top - space.height - 3, widest, space.height),
        Qt::AlignHCenter | Qt::AlignBottom, m_content.columnLabel(column));
  }
  for (int row = 0; m_content.rowLabel && row < grid.rows; row += rowStep) {
    const double y = grid.origin(row, 0).y() * view.scale + top;
    painter.drawText(QRectF(left - space.left, y + view.scale / 2 - space.height / 2,
                            space.left - 6, space.height),
                     Qt::AlignVCenter | Qt::AlignRight, m_content.rowLabel(row));
  }
  drawBlockTitles(painter, view, space.height);
}

void DiagramCanvas::drawBlockTitles(QPainter &painter, const View &view, double height) const {
  const DiagramGrid &grid = m_content.grid;
  QFont font = painter.font();
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  const QFontMetricsF metrics(font);
  const int across = grid.blockColumns > 0 ? grid.columns / grid.blockColumns : 1;
  for (size_t block = 0; block < grid.blockTitles.size(); ++block) {
    const int row = static_cast<int>(block) / across * grid.blockRows;
    const int column = static_cast<int>(block) % across * grid.blockColumns;
    const QPointF corner = grid.origin(row, column) * view.scale + view.offset;
    const double width = (grid.blockColumns + grid.gap) * view.scale;
    // In a block too narrow for its name the number alone stands for it.
    QString title = grid.blockTitles[block];
    if (metrics.horizontalAdvance(title) > width)
      title = title.section(u' ', -1);
    const double above = row == 0 ? 2 * height + 4 : std::min(grid.gap * view.scale, height + 2);
    if (metrics.horizontalAdvance(title) > width || (row > 0 && above < 0.8 * height))
      continue;
    painter.drawText(QRectF(corner.x(), corner.y() - above, width, std::min(height, above)),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, title);
  }
}

void DiagramCanvas::drawHighlights(QPainter &painter, const View &view) const {
  painter.setBrush(Qt::NoBrush);
  for (size_t i = 0; i < m_highlighted.size(); ++i) {
    const QRectF cell = m_content.grid.cellRect(m_highlighted[i]);
    QRectF rect(cell.topLeft() * view.scale + view.offset, cell.size() * view.scale);
    if (rect.width() < 5)
      rect = QRectF(rect.center() - QPointF(2.5, 2.5), QSizeF(5, 5));
    painter.setPen(QPen(theme()[ColorRole::Panel], 4));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], i == 0 ? 2.2 : 1.5));
    painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  }
}

} // namespace tilescope::views
