// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/GraphCanvas.h"

#include "views/common/Heat.h"
#include "views/common/PictureParts.h"
#include "views/common/Theme.h"
#include "views/model/ModelWords.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;

static constexpr double kMostZoom = 4;
/// Boxes that are narrower are drawn as one strip for each column of pixels.
static constexpr double kLeastBoxPx = 3;
/// Lines that are shorter are not seen.
static constexpr double kLeastLinePx = 2;
/// Lines are smooth as long as there are not more in sight.
static constexpr size_t kMostSmoothLines = 2000;
/// Of a picture in a file.
static constexpr double kMostExportPx = 16000;
/// How much of a box that was not found is seen.
static constexpr double kPaleness = 0.25;

GraphCanvas::GraphCanvas(QWidget *parent) : PlaneCanvas(parent) {
  setAccessibleName(tr("Graph of the model's kernels"));
  setEmptyText(tr("No kernels were made of this model: Problems says why."));
}

void GraphCanvas::setModel(ShownModelPointer model) {
  m_model = std::move(model);
  m_isFound.reset();
  makeGraph();
  resetPicture();
}

void GraphCanvas::makeGraph() {
  m_warmths.clear();
  if (!m_model) {
    m_graph = {};
    return;
  }
  std::vector<std::vector<uint32_t>> sources;
  for (size_t i = 0; i < m_model->result().kernels.size(); ++i) {
    std::vector<uint32_t> read = m_model->result().kernels[i].sources;
    std::ranges::sort(read);
    const auto twice = std::ranges::unique(read);
    read.erase(twice.begin(), twice.end());
    std::erase_if(read, [&](uint32_t source) { return source >= i; });
    sources.push_back(std::move(read));
  }
  const double line = QFontMetricsF(labelFont()).height();
  m_graph = LayeredGraph(std::move(sources), {.boxWidth = scaledPx(148) * 1.0,
                                              .boxHeight = 2 * line + 8,
                                              .columnGap = scaledPx(36) * 1.0,
                                              .rowGap = scaledPx(10) * 1.0});
  const bool hasTimes = !m_model->timesUs().empty();
  for (size_t i = 0; i < m_graph.numBoxes(); ++i)
    m_warmths.push_back(hasTimes ? m_model->timesUs()[i]
                                 : static_cast<double>(m_model->result().kernels[i].bytes));
  const double most = m_warmths.empty() ? 0 : *std::ranges::max_element(m_warmths);
  for (double &warmth : m_warmths)
    warmth = most > 0 ? warmth / most : 0;
}

void GraphCanvas::setFound(std::optional<std::vector<bool>> isFound) {
  m_isFound = std::move(isFound);
  viewport()->update();
}

/// What the text's size decides is made anew.
void GraphCanvas::changeEvent(QEvent *event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    makeGraph();
  PlaneCanvas::changeEvent(event);
}

QSizeF GraphCanvas::pictureSize() const {
  return QSizeF(m_graph.width(), m_graph.height()) * zoom();
}

std::pair<double, double> GraphCanvas::zoomRange() const {
  if (m_graph.numBoxes() == 0)
    return {1, 1};
  // Behind the margins.
  const QSizeF room = QSizeF(viewport()->size()) - QSizeF(20, 20);
  const double fitting = std::min(room.width() / m_graph.width(), room.height() / m_graph.height());
  return {std::clamp(fitting, 1e-6, 1.0), kMostZoom};
}

static QRectF scaled(const GridRect &rect, double zoom) {
  return {rect.x * zoom, rect.y * zoom, rect.width * zoom, rect.height * zoom};
}

QRectF GraphCanvas::rectOf(int place) const {
  return scaled(m_graph.boxRect(static_cast<size_t>(place)), zoom());
}

int GraphCanvas::placeAt(QPointF point) const {
  return m_graph.boxAt({point.x() / zoom(), point.y() / zoom()});
}

/// To the right and to the left along lines, the longest-lived first; up and down in the column.
int GraphCanvas::placeFrom(int place, Step step) const {
  const auto box = static_cast<uint32_t>(place);
  const auto along = [&](const std::vector<uint32_t> &boxes) {
    return boxes.empty() ? place : static_cast<int>(boxes.front());
  };
  switch (step) {
  case Step::Left:
    return m_graph.sourcesOf(box).empty() ? place : static_cast<int>(m_graph.sourcesOf(box).back());
  case Step::Right:
    return along(m_graph.readersOf(box));
  case Step::Up:
    return static_cast<int>(m_graph.neighbor(box, -1));
  case Step::Down:
    return static_cast<int>(m_graph.neighbor(box, 1));
  case Step::RowStart:
  case Step::First:
    return 0;
  case Step::RowEnd:
  case Step::Last:
    return numPlaces() - 1;
  }
  return place;
}

void GraphCanvas::paintPicture(QPainter &painter, const QRectF &inSight) const {
  draw(painter, inSight, zoom());
}

void GraphCanvas::draw(QPainter &painter, const QRectF &inSight, double zoom) const {
  const Interval columns = m_graph.columnsIn(inSight.left() / zoom, inSight.right() / zoom);
  if (m_graph.metrics().boxWidth * zoom < kLeastBoxPx)
    return drawStrips(painter, columns, zoom);
  if (m_graph.metrics().columnGap * zoom >= kLeastLinePx) {
    drawLines(painter, columns, inSight, zoom);
    for (const int kernel : {hovered(), chosen()})
      if (kernel >= 0)
        drawLinesOf(painter, kernel, zoom);
  }
  drawBoxes(painter, columns, inSight, zoom);
}

/// As high as the column, and as warm as its warmest kernel.
void GraphCanvas::drawStrips(QPainter &painter, const Interval &columns, double zoom) const {
  for (int64_t column = columns.first; column < columns.second;) {
    const double x = std::floor(m_graph.columnX(static_cast<size_t>(column)) * zoom);
    double top = INFINITY, bottom = -INFINITY, warmth = 0;
    bool isChosen = false;
    for (; column < columns.second &&
           std::floor(m_graph.columnX(static_cast<size_t>(column)) * zoom) == x;
         ++column) {
      const auto [first, behind] = m_graph.placesIn(static_cast<size_t>(column));
      for (int64_t i = first; i < behind; ++i) {
        const GraphPlace &place = m_graph.places()[static_cast<size_t>(i)];
        if (place.isPass || (m_isFound && !(*m_isFound)[place.box]))
          continue;
        top = std::min(top, place.y);
        bottom = std::max(bottom, place.y);
        warmth = std::max(warmth, m_warmths[place.box]);
        isChosen |= static_cast<int>(place.box) == chosen();
      }
    }
    if (top > bottom)
      continue;
    const double half = m_graph.metrics().boxHeight / 2;
    const QRectF strip(x, (top - half) * zoom, 1, std::max(2.0, (bottom - top + 2 * half) * zoom));
    painter.fillRect(strip,
                     isChosen ? theme()[ColorRole::FocusEdge] : warmColor(std::max(0.2, warmth)));
  }
}

/// To the next column, with the straight part where it passes a box.
static void addLine(QPainterPath &path, const LayeredGraph &graph, const GraphPlace &from,
                    const GraphPlace &to, double zoom) {
  const double left =
      (graph.columnX(from.column) + (from.isPass ? 0 : graph.metrics().boxWidth)) * zoom;
  const double begin = (graph.columnX(from.column) + graph.metrics().boxWidth) * zoom;
  const double end = graph.columnX(to.column) * zoom, middle = (begin + end) / 2;
  path.moveTo(left, from.y * zoom);
  path.lineTo(begin, from.y * zoom);
  path.cubicTo(middle, from.y * zoom, middle, to.y * zoom, end, to.y * zoom);
}

void GraphCanvas::drawLines(QPainter &painter, const Interval &columns, const QRectF &inSight,
                            double zoom) const {
  QPainterPath path;
  size_t numLines = 0;
  // Those of the column before lead into sight.
  for (int64_t column = std::max<int64_t>(0, columns.first - 1); column < columns.second;
       ++column) {
    const auto [first, behind] = m_graph.placesIn(static_cast<size_t>(column));
    for (int64_t i = first; i < behind; ++i) {
      const GraphPlace &from = m_graph.places()[static_cast<size_t>(i)];
      for (const uint32_t next : from.next) {
        const GraphPlace &to = m_graph.places()[next];
        if (std::max(from.y, to.y) * zoom < inSight.top() ||
            std::min(from.y, to.y) * zoom > inSight.bottom())
          continue;
        addLine(path, m_graph, from, to, zoom);
        ++numLines;
      }
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, numLines <= kMostSmoothLines);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::BorderStrong], zoom < 0.3 ? 0 : 1.2));
  painter.drawPath(path);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// What a kernel reads, and who reads what it makes; also where the line between them is not drawn.
void GraphCanvas::drawLinesOf(QPainter &painter, int kernel, double zoom) const {
  const auto box = static_cast<uint32_t>(kernel);
  QPainterPath path;
  const auto add = [&](uint32_t from, uint32_t to) {
    const std::vector<uint32_t> way = m_graph.wayTo(from, to);
    for (size_t i = 1; i < way.size(); ++i)
      addLine(path, m_graph, m_graph.places()[way[i - 1]], m_graph.places()[way[i]], zoom);
    if (!way.empty())
      return;
    const QRectF begin = scaled(m_graph.boxRect(from), zoom),
                 end = scaled(m_graph.boxRect(to), zoom);
    path.moveTo(begin.right(), begin.center().y());
    path.lineTo(end.left(), end.center().y());
  };
  for (const uint32_t source : m_graph.sourcesOf(box))
    add(source, box);
  for (const uint32_t reader : m_graph.readersOf(box))
    add(box, reader);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::Accent], 2));
  painter.drawPath(path);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void GraphCanvas::drawBoxes(QPainter &painter, const Interval &columns, const QRectF &inSight,
                            double zoom) const {
  painter.setFont(labelFont());
  const double half = m_graph.metrics().boxHeight / 2;
  for (int64_t column = columns.first; column < columns.second; ++column) {
    const auto [first, behind] = m_graph.placesIn(static_cast<size_t>(column));
    const auto begin = m_graph.places().begin();
    // From top to bottom: the first one that reaches into sight.
    for (auto place = std::partition_point(
             begin + first, begin + behind,
             [&](const GraphPlace &each) { return (each.y + half) * zoom < inSight.top(); });
         place != begin + behind && (place->y - half) * zoom <= inSight.bottom(); ++place)
      if (!place->isPass)
        drawBox(painter, place->box, scaled(m_graph.boxRect(place->box), zoom));
  }
}

void GraphCanvas::drawBox(QPainter &painter, size_t kernel, const QRectF &rect) const {
  const bool isPale = m_isFound && !(*m_isFound)[kernel];
  const bool isChosen = static_cast<int>(kernel) == chosen();
  const QColor fill = warmColor(m_warmths[kernel]);
  const double line = QFontMetricsF(painter.font()).height();
  painter.setOpacity(isPale ? kPaleness : 1);
  painter.fillRect(rect, fill);
  if (rect.height() > 6) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[isChosen ? ColorRole::FocusEdge : ColorRole::BorderStrong],
                        isChosen ? 2.5 : 1));
    painter.drawRect(rect);
  } else if (isChosen) {
    painter.fillRect(rect, theme()[ColorRole::FocusEdge]);
  }
  const QRectF room = rect.adjusted(5, 2, -5, -2);
  if (room.width() >= 4 * line && room.height() >= line - 2) {
    painter.setPen(inkOn(fill));
    const QStringList words = kernelLabel(*m_model, static_cast<int>(kernel));
    const auto numLines =
        std::clamp<qsizetype>(static_cast<qsizetype>(room.height() / (line - 1)), 1, words.size());
    const QFontMetricsF metrics(painter.font());
    double y = room.center().y() - static_cast<double>(numLines) * line / 2;
    for (qsizetype i = 0; i < numLines; ++i, y += line)
      painter.drawText(QRectF(room.left(), y, room.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(words[i], Qt::ElideMiddle, room.width()));
  }
  painter.setOpacity(1);
}

QSizeF GraphCanvas::exportSize() const {
  const double most = std::max(m_graph.width(), m_graph.height());
  return QSizeF(m_graph.width(), m_graph.height()) *
         std::min(1.0, kMostExportPx / std::max(1.0, most));
}

void GraphCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.save();
  painter.translate(target.topLeft());
  const double zoom = m_graph.width() > 0 ? target.width() / m_graph.width() : 1;
  draw(painter, QRectF(QPointF(), target.size()), zoom);
  painter.restore();
}

} // namespace tilescope::views
