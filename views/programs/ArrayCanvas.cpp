// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/programs/ArrayCanvas.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

namespace access = compiler::access;
using access::ArrayElement;
using access::ArrayGrid;
using access::ArrayWindow;

static constexpr double kMarginPx = 10, kTopPx = 6, kGapPx = 16;

ArrayCanvas::ArrayCanvas(QWidget *parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setProperty(kZoomsByWheel, true);
  setMinimumSize(160, 48);
}

void ArrayCanvas::setEmptyText(const QString &text) {
  m_emptyText = text;
  update();
}

static std::vector<access::ArrayShape> shapesOf(const TouchedArraysPointer &arrays) {
  std::vector<access::ArrayShape> shapes;
  for (size_t array = 0; arrays && array < arrays->numArrays(); ++array)
    shapes.push_back(arrays->shape(array));
  return shapes;
}

void ArrayCanvas::setContent(Content content) {
  const bool isOther =
      content.arrays != m_content.arrays && shapesOf(content.arrays) != shapesOf(m_content.arrays);
  const bool isNew = content.arrays != m_content.arrays;
  const bool isOtherProgram = isNew || content.program != m_content.program;
  m_content = std::move(content);
  const size_t count = m_content.arrays ? m_content.arrays->numArrays() : 0;
  if (isNew) {
    m_past.clear();
    for (size_t array = 0; array < count; ++array)
      m_past.push_back(access::pastEnd(*m_content.arrays, array));
  }
  if (isOtherProgram) {
    m_reachesPastEnd = false;
    for (size_t array = 0; array < count && !m_reachesPastEnd; ++array)
      m_reachesPastEnd =
          access::countOutside(*m_content.arrays, array, m_content.program, {}).past > 0;
  }
  if (isOther || m_windows.size() != count) {
    m_windows.clear();
    for (size_t array = 0; array < count; ++array)
      m_windows.push_back(access::wholeWindow(m_content.arrays->shape(array)));
    m_images.assign(count, {});
    m_enlarged.reset();
    m_hovered.reset();
    m_current = {std::min(m_current.array, count == 0 ? 0 : count - 1), {}};
  }
  if (count > 0)
    m_current.element.slice = m_content.slices[m_current.array];
  setAccessibleDescription(captions());
  layOut();
}

QString ArrayCanvas::captions() const {
  QStringList lines;
  for (size_t array = 0; array < m_windows.size(); ++array)
    lines << captionTitle(array) + QStringLiteral(": ") + captionText(array);
  return lines.join(u'\n');
}

void ArrayCanvas::setCurrent(size_t array) {
  if (array >= m_windows.size() || array == m_current.array)
    return;
  m_current = {array, {m_content.slices[array], 0, 0}};
  if (m_enlarged)
    m_enlarged = array;
  layOut();
}

double arrayCaptionHeight(int lines) {
  return lines * QFontMetricsF(uiFont()).height() + scaledPx(4);
}
double arrayFootHeight() { return QFontMetricsF(uiFont()).height() + scaledPx(10); }

/// Side by side in the whole height, with what is said of each beside it.
static std::vector<compiler::GridRect> placesBesideWords(const QRectF &area,
                                                         const std::vector<double> &aspects) {
  constexpr int kTextPx = 150, kLeastPx = 24;
  const double width = area.width() - 2 * kMarginPx;
  const auto count = static_cast<double>(aspects.size());
  const double cell = (width - kGapPx * (count - 1)) / count;
  std::vector<compiler::GridRect> places;
  for (const double aspect : aspects) {
    compiler::GridRect place =
        access::placeArrays({aspect},
                            {std::max<double>(kLeastPx, cell - scaledPx(kTextPx)),
                             std::max<double>(kLeastPx, area.height() - 2 * kTopPx), 0, 0})
            .front();
    place.x = static_cast<double>(places.size()) * (cell + kGapPx);
    places.push_back(place);
  }
  return places;
}

static bool isLowCanvas(const QRectF &area) {
  constexpr int kLowLines = 10;
  return area.height() <= kLowLines * QFontMetricsF(uiFont()).height();
}

/// Beside a lesson: words of an array in one line would end after the first of them.
static bool isNarrowCanvas(const QRectF &area) {
  constexpr int kNarrowLetters = 56;
  return area.width() <= kNarrowLetters * QFontMetricsF(uiFont()).averageCharWidth();
}

int ArrayCanvas::captionLines(const QRectF &area) const {
  constexpr int kLeastLines = 2, kMostLines = 4;
  const auto count = static_cast<double>(m_enlarged ? 1 : m_windows.size());
  const double share = std::max(1.0, (area.width() - 2 * kMarginPx - kGapPx * (count - 1)) / count);
  const QFontMetricsF metrics(uiFont());
  double wanted = 1;
  for (size_t array = 0; array < m_windows.size(); ++array)
    if (isShown(array))
      wanted = std::max(wanted, metrics.horizontalAdvance(captionText(array)) / share);
  if (isLowCanvas(area))
    return wanted > 1 ? kLeastLines + 1 : kLeastLines;
  // The title's line, and half a line more, since words are not broken.
  return isNarrowCanvas(area) && wanted > 1
             ? std::clamp(1 + static_cast<int>(std::ceil(wanted + 0.5)), kLeastLines, kMostLines)
             : kLeastLines;
}

static double areaOf(const std::vector<compiler::GridRect> &places) {
  double area = 0;
  for (const compiler::GridRect &place : places)
    area += place.width * place.height;
  return area;
}

/// In a low canvas there is no room for a legend below the arrays, and what is said of them stands
/// above or beside them, whichever leaves them larger: above vectors, which are long, and beside
/// squares.
static std::vector<compiler::GridRect>
placesIn(const QRectF &area, const std::vector<double> &aspects, int captionLines) {
  const bool isLow = isLowCanvas(area);
  const double foot = isLow ? 0 : arrayFootHeight();
  std::vector<compiler::GridRect> below = access::placeArrays(
      aspects, {area.width() - 2 * kMarginPx, area.height() - foot - kTopPx - kMarginPx / 2,
                arrayCaptionHeight(captionLines), kGapPx});
  if (!isLow || aspects.empty())
    return below;
  std::vector<compiler::GridRect> beside = placesBesideWords(area, aspects);
  return areaOf(below) > areaOf(beside) ? below : beside;
}

ArrayCanvas::Grids ArrayCanvas::gridsFor(const QRectF &area) const {
  std::vector<double> aspects;
  for (size_t array = 0; array < m_windows.size(); ++array)
    if (isShown(array))
      aspects.push_back(access::aspectOf(m_content.arrays->shape(array), m_past[array]));
  const std::vector<compiler::GridRect> places = placesIn(area, aspects, captionLines(area));
  Grids grids(m_windows.size());
  for (size_t array = 0, shown = 0; array < m_windows.size(); ++array) {
    if (!isShown(array))
      continue;
    const compiler::GridRect &place = places[shown++];
    // On whole pixels.
    grids[array] = access::gridIn(
        {std::round(area.x() + kMarginPx + place.x), std::round(area.y() + kTopPx + place.y),
         std::max(1.0, std::floor(place.width)), std::max(1.0, std::floor(place.height))},
        m_content.arrays->shape(array), m_past[array], m_windows[array]);
  }
  return grids;
}

void ArrayCanvas::layOut() {
  m_grids = gridsFor(rect());
  update();
}

QRectF ArrayCanvas::rectOf(const ArrayPlace &place) const {
  if (place.array >= m_grids.size() || !isShown(place.array))
    return {};
  access::ElementBox box;
  box.first = {place.element.slice, place.element.row, place.element.column};
  const auto rect = m_grids[place.array].box(box);
  return rect ? QRectF(rect->x, rect->y, rect->width, rect->height) : QRectF();
}

std::optional<ArrayPlace> ArrayCanvas::placeAt(QPointF point) const {
  for (size_t array = 0; array < m_grids.size(); ++array) {
    if (!isShown(array))
      continue;
    if (const auto at = m_grids[array].at({point.x(), point.y()}))
      return ArrayPlace{
          array,
          {m_content.slices[array], static_cast<int64_t>(at->y), static_cast<int64_t>(at->x)}};
  }
  return std::nullopt;
}

void ArrayCanvas::hover(const std::optional<ArrayPlace> &place) {
  if (std::exchange(m_hovered, place) == place)
    return;
  Q_EMIT placeHovered(place);
  update();
}

void ArrayCanvas::goTo(const ArrayPlace &place) {
  m_current = place;
  const access::ArrayShape &shape = m_content.arrays->shape(place.array);
  m_windows[place.array] =
      access::showing(m_windows[place.array], shape, place.element.row, place.element.column);
  layOut();
  hover(place);
}

void ArrayCanvas::enlarge(bool isEnlarged) {
  m_enlarged = isEnlarged && !m_windows.empty() ? std::optional(m_current.array) : std::nullopt;
  layOut();
}

void ArrayCanvas::mousePressEvent(QMouseEvent *event) {
  const auto place = placeAt(event->position());
  if (event->button() != Qt::LeftButton || !place)
    return;
  m_current = *place;
  m_drag = std::pair(event->position(), m_windows[place->array]);
  hover(place);
}

void ArrayCanvas::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !m_drag)
    return;
  const double moved = (event->position() - m_drag->first).manhattanLength();
  m_drag.reset();
  constexpr double kClickPx = 4;
  if (const auto place = placeAt(event->position()); place && moved < kClickPx)
    Q_EMIT placeChosen(*place);
}

void ArrayCanvas::mouseDoubleClickEvent(QMouseEvent *event) {
  if (event->button() == Qt::LeftButton && placeAt(event->position()))
    enlarge(!m_enlarged);
}

void ArrayCanvas::mouseMoveEvent(QMouseEvent *event) {
  if (!m_drag || !(event->buttons() & Qt::LeftButton))
    return hover(placeAt(event->position()));
  const ArrayGrid &grid = m_grids[m_current.array];
  const QPointF moved = event->position() - m_drag->first;
  const access::ArrayShape &shape = m_content.arrays->shape(m_current.array);
  ArrayWindow window = m_drag->second;
  window.column = std::clamp(window.column - moved.x() / grid.columnWidth(), 0.0,
                             static_cast<double>(shape.columns) - window.columns);
  window.row = std::clamp(window.row - moved.y() / grid.rowHeight(), 0.0,
                          static_cast<double>(shape.rows) - window.rows);
  m_windows[m_current.array] = window;
  layOut();
}

void ArrayCanvas::wheelEvent(QWheelEvent *event) {
  const auto place = placeAt(event->position());
  if (!place)
    return QWidget::wheelEvent(event);
  const auto about = m_grids[place->array].at({event->position().x(), event->position().y()});
  zoomBy(place->array, std::pow(1.0015, event->angleDelta().y()), *about);
  event->accept();
}

void ArrayCanvas::zoomBy(size_t array, double factor, compiler::GridPoint about) {
  const access::ArrayShape &shape = m_content.arrays->shape(array);
  m_windows[array] = factor == 0 ? access::wholeWindow(shape)
                                 : access::zoomed(m_windows[array], shape, factor, about);
  layOut();
}

bool ArrayCanvas::event(QEvent *event) {
  if (event->type() == QEvent::Leave)
    hover(std::nullopt);
  return QWidget::event(event);
}

void ArrayCanvas::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  layOut();
}

void ArrayCanvas::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::PaletteChange)
    layOut();
}

void ArrayCanvas::focusInEvent(QFocusEvent *event) {
  QWidget::focusInEvent(event);
  update();
}

void ArrayCanvas::focusOutEvent(QFocusEvent *event) {
  QWidget::focusOutEvent(event);
  hover(std::nullopt);
  update();
}

} // namespace tilescope::views
