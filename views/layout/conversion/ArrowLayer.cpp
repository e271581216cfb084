// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ArrowLayer.h"

#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/conversion/ArrowLegend.h"
#include "views/layout/conversion/ArrowLines.h"

#include <QEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::views {

using compiler::MoveKind;
using compiler::MoveRun;

/// Of an arrow's head.
static constexpr double kHeadPx = 9;
/// Arrows whose ends are nearer to each other would be one smear.
static constexpr double kApartPx = 5;

ArrowLayer::ArrowLayer(DiagramCanvas *from, DiagramCanvas *to, QWidget *parent)
    : QWidget(parent), m_from(from), m_to(to) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  parent->installEventFilter(this);
  for (DiagramCanvas *canvas : {from, to})
    connect(canvas, &DiagramCanvas::viewMoved, this, qOverload<>(&QWidget::update));
}

void ArrowLayer::setRuns(std::vector<MoveRun> runs) {
  if (runs.size() > kMostArrows) {
    std::vector<MoveRun> kept;
    for (size_t i = 0; i < kMostArrows; ++i)
      kept.push_back(runs[i * runs.size() / kMostArrows]);
    runs = std::move(kept);
  }
  if (runs == m_runs)
    return;
  m_runs = std::move(runs);
  update();
}

/// A cell that is out of sight: the edge behind which it is.
static QRectF inSight(const QRectF &rect, const QRectF &area) {
  const QRectF part = rect & area;
  if (!part.isEmpty())
    return part;
  const QPointF center = rect.center();
  return {QPointF(std::clamp(center.x(), area.left(), area.right()),
                  std::clamp(center.y(), area.top(), area.bottom())),
          QSizeF(0, 0)};
}

static QRectF spanOf(const DiagramCanvas &canvas, compiler::Cell first, compiler::Cell last) {
  const compiler::PictureGrid &grid = canvas.content().grid;
  return canvas.cellRect(grid.number(first)) | canvas.cellRect(grid.number(last));
}

std::pair<QRectF, QRectF> ArrowLayer::endsOf(const MoveRun &run) const {
  const auto place = [this](const DiagramCanvas &canvas, compiler::Cell first,
                            compiler::Cell last) {
    return inSight(spanOf(canvas, first, last), canvas.rect())
        .translated(canvas.mapTo(parentWidget(), QPoint()));
  };
  return {place(*m_from, run.fromFirst, run.fromLast), place(*m_to, run.toFirst, run.toLast)};
}

static compiler::GridRect gridRect(const QRectF &rect) {
  return {rect.x(), rect.y(), rect.width(), rect.height()};
}

static QPointF point(const compiler::GridPoint &at) { return {at.x, at.y}; }

/// Of the line itself and of the edge on both sides that keeps it apart from cells of any color.
static constexpr double kInkPx = 1.6, kGroundPx = 4.5;

static void drawCurve(QPainter &painter, const compiler::ArrowShape &arrow, const QPen &pen) {
  painter.setPen(pen);
  if (painter.paintEngine()->type() == QPaintEngine::Raster) {
    QList<qreal> dashes = pen.dashPattern();
    for (qreal &dash : dashes)
      dash *= pen.widthF();
    return painter.drawLines(arrowLines(arrow, dashes));
  }
  QPainterPath line(point(arrow.start));
  line.cubicTo(point(arrow.firstControl), point(arrow.secondControl), point(arrow.end));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(line);
}

static void drawArrow(QPainter &painter, const compiler::ArrowShape &arrow, MoveKind kind) {
  QPolygonF head;
  for (const compiler::GridPoint &corner : arrow.head)
    head << point(corner);
  const QColor ink = theme()[ColorRole::Text], ground = theme()[ColorRole::Panel];
  drawCurve(painter, arrow, QPen(ground, kGroundPx, Qt::SolidLine, Qt::FlatCap));
  drawCurve(painter, arrow, QPen(ink, kInkPx, arrowStyle(kind), Qt::FlatCap));
  painter.setPen(QPen(ground, 1.5));
  painter.setBrush(ink);
  painter.drawPolygon(head);
}

std::vector<ArrowLayer::Arrow> ArrowLayer::arrows(const EndsOf &ends) const {
  const auto isNear = [](const QRectF &one, const QRectF &other) {
    return (one.center() - other.center()).manhattanLength() < kApartPx;
  };
  std::vector<Arrow> arrows;
  for (const MoveRun &run : m_runs) {
    const auto [from, to] = ends(run);
    if (std::ranges::none_of(arrows, [&](const Arrow &other) {
          return other.run->kind == run.kind && isNear(other.from, from) && isNear(other.to, to);
        }))
      arrows.push_back({&run, from, to});
  }
  return arrows;
}

size_t ArrowLayer::numDrawn() const {
  return arrows([this](const MoveRun &run) { return endsOf(run); }).size();
}

void ArrowLayer::draw(QPainter &painter, const EndsOf &ends, const QRectF &area) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Arrow &arrow : arrows(ends))
    drawArrow(
        painter,
        compiler::arrowBetween(gridRect(arrow.from), gridRect(arrow.to), gridRect(area), kHeadPx),
        arrow.run->kind);
  painter.restore();
}

void ArrowLayer::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const auto areaOf = [this](const DiagramCanvas &canvas) {
    return QRectF(canvas.mapTo(parentWidget(), QPoint()), canvas.size());
  };
  const QRectF area = areaOf(*m_from) | areaOf(*m_to);
  painter.setClipRect(area);
  draw(painter, [this](const MoveRun &run) { return endsOf(run); }, area);
}

void ArrowLayer::render(QPainter &painter, const QRectF &from, const QRectF &to) const {
  const auto span = [](const DiagramCanvas &canvas, const QRectF &target, compiler::Cell first,
                       compiler::Cell last) {
    const compiler::PictureGrid &grid = canvas.content().grid;
    return canvas.cellRectIn(target, grid.number(first)) |
           canvas.cellRectIn(target, grid.number(last));
  };
  draw(
      painter,
      [&](const MoveRun &run) {
        return std::pair(span(*m_from, from, run.fromFirst, run.fromLast),
                         span(*m_to, to, run.toFirst, run.toLast));
      },
      from | to);
  if (!m_runs.empty())
    drawArrowLegend(painter, from | to);
}

bool ArrowLayer::eventFilter(QObject *watched, QEvent *event) {
  if (watched == parent() && event->type() == QEvent::Resize)
    setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

} // namespace tilescope::views
