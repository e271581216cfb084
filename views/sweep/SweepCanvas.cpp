// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/sweep/SweepCanvas.h"

#include "views/common/Theme.h"

#include <QPainter>
#include <QScrollBar>

#include <cmath>
#include <limits>

namespace tilescope::views {

using compiler::access::Step;
using profiler::SweepInk;
using profiler::SweepMark;
using profiler::SweepPicture;
using profiler::SweepWord;

/// Around the picture, in pixels.
static constexpr double kMargin = 8;

SweepCanvas::SweepCanvas(QWidget *parent) : PictureCanvas(parent) {
  setAccessibleName(tr("Picture of the sweep"));
}

void SweepCanvas::setPicture(SweepPicture picture) {
  m_picture = std::move(picture);
  resetPlaces();
  layOut();
}

int SweepCanvas::markOf(size_t point) const {
  int found = -1;
  // The last one lies on top.
  for (size_t i = 0; i < m_picture.marks.size(); ++i)
    if (m_picture.marks[i].point == point)
      found = static_cast<int>(i);
  return found;
}

/// Of marks that lie on each other, as on the plots over sizes, the last is on top.
static QRectF rectOf(const SweepMark &mark) {
  constexpr double kAround = 2;
  const double half = mark.radius + kAround;
  return mark.radius > 0 ? QRectF(mark.x - half, mark.y - half, 2 * half, 2 * half)
                         : QRectF(mark.x, mark.y, mark.width, mark.height);
}

double SweepCanvas::scale() const {
  const double inWidth = (viewport()->width() - 2 * kMargin) / std::max(1.0, m_picture.width);
  const double inHeight = (viewport()->height() - 2 * kMargin) / std::max(1.0, m_picture.height);
  // Letters stay readable; what is higher then is scrolled to.
  constexpr double kLeast = 0.75, kMost = 1.25;
  const double text = textPercent() / 100.0;
  return std::clamp(std::min(inWidth, inHeight), std::min(kLeast * text, inWidth), kMost * text) *
         zoom();
}

QPointF SweepCanvas::origin() const {
  const double beside = viewport()->width() - m_picture.width * scale();
  return {std::max(kMargin, beside / 2), kMargin - verticalScrollBar()->value()};
}

void SweepCanvas::layOut() {
  setHeights(m_picture.height * scale() + 2 * kMargin, viewport()->height(), 20);
}

int SweepCanvas::placeAt(QPointF point) const {
  const QPointF at = (point - origin()) / scale();
  // A little beside a disc is on it.
  constexpr double kNear = 6;
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < m_picture.marks.size(); ++i) {
    const SweepMark &mark = m_picture.marks[i];
    const double distance = mark.radius > 0
                                ? std::hypot(at.x() - mark.x, at.y() - mark.y) - mark.radius
                            : rectOf(mark).contains(at) ? 0
                                                        : std::numeric_limits<double>::infinity();
    if (distance <= kNear && distance <= least) {
      least = distance;
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

/// The nearest one in the direction of the key; to the sides, a step down or up counts double.
int SweepCanvas::placeFrom(int place, Step step) const {
  const auto count = static_cast<int>(m_picture.marks.size());
  if (step == Step::First || step == Step::RowStart)
    return 0;
  if (step == Step::Last || step == Step::RowEnd)
    return count - 1;
  const QPointF from = rectOf(m_picture.marks[static_cast<size_t>(place)]).center();
  int best = place;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const QPointF to = rectOf(m_picture.marks[static_cast<size_t>(i)]).center() - from;
    const bool isAcross = step == Step::Left || step == Step::Right;
    const double along = step == Step::Left    ? -to.x()
                         : step == Step::Right ? to.x()
                         : step == Step::Up    ? -to.y()
                                               : to.y();
    const double distance = along + 2 * std::abs(isAcross ? to.y() : to.x());
    if (i != place && along > 0.5 && distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

compiler::GridRect SweepCanvas::extentOf(int place) const {
  const QRectF rect = rectOf(m_picture.marks[static_cast<size_t>(place)]);
  return {rect.x() * scale() + kMargin, rect.y() * scale() + kMargin, rect.width() * scale(),
          rect.height() * scale()};
}

QRectF SweepCanvas::markRect(int mark) const {
  const QRectF rect = rectOf(m_picture.marks[static_cast<size_t>(mark)]);
  return {origin() + rect.topLeft() * scale(), rect.size() * scale()};
}

static QColor colorOf(SweepInk ink) {
  switch (ink) {
  case SweepInk::Best:
  case SweepInk::Front:
    return theme()[ColorRole::Accent];
  case SweepInk::Winner:
    return theme()[ColorRole::Success];
  case SweepInk::Grid:
    return theme()[ColorRole::Border];
  case SweepInk::Other:
  case SweepInk::Ceiling:
  case SweepInk::Faint:
    return theme()[ColorRole::TextFaint];
  case SweepInk::Label:
    return theme()[ColorRole::TextMuted];
  case SweepInk::Name:
    return theme()[ColorRole::Text];
  }
  return theme()[ColorRole::Text];
}

static void paintLine(QPainter &painter, const profiler::SweepLine &line) {
  QPolygonF spots;
  for (const profiler::SweepSpot &spot : line.spots)
    spots << QPointF(spot.x, spot.y);
  const bool isThin = line.ink == SweepInk::Grid || line.ink == SweepInk::Ceiling;
  QPen pen(colorOf(line.ink), isThin ? 1 : 2);
  if (line.ink == SweepInk::Ceiling)
    pen.setStyle(Qt::DashLine);
  painter.setPen(pen);
  painter.drawPolyline(spots);
}

static void paintWord(QPainter &painter, const SweepWord &word) {
  const QString text = QString::fromStdString(word.text);
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
  const double before = word.anchor == SweepWord::Anchor::Start    ? 0
                        : word.anchor == SweepWord::Anchor::Middle ? width / 2
                                                                   : width;
  painter.setPen(colorOf(word.ink));
  painter.save();
  painter.translate(word.x, word.y);
  if (word.isUpright)
    painter.rotate(-90);
  painter.drawText(QPointF(-before, 0), text);
  painter.restore();
}

/// Discs of the winner are rings: they are told apart without seeing colors.
static void paintDisc(QPainter &painter, SweepInk ink, QPointF center, double radius) {
  const QColor color = colorOf(ink);
  painter.setPen(QPen(color, ink == SweepInk::Best ? 1 : 1.6));
  painter.setBrush(ink == SweepInk::Best ? color : theme()[ColorRole::Panel]);
  painter.drawEllipse(center, radius, radius);
}

static void paintMark(QPainter &painter, const SweepMark &mark) {
  if (mark.radius > 0)
    return paintDisc(painter, mark.ink, {mark.x, mark.y}, mark.radius);
  const QColor full = colorOf(mark.ink), ground = theme()[ColorRole::Panel];
  const auto mixed = [&](int top, int below) {
    return static_cast<int>(std::lround(top * mark.strength + below * (1 - mark.strength)));
  };
  const QColor fill(mixed(full.red(), ground.red()), mixed(full.green(), ground.green()),
                    mixed(full.blue(), ground.blue()));
  painter.fillRect(rectOf(mark), fill);
  painter.setPen(inkOn(fill));
  painter.drawText(rectOf(mark), Qt::AlignCenter, QString::fromStdString(mark.number));
}

static void paintSweep(QPainter &painter, const SweepPicture &picture) {
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = uiFont();
  font.setPixelSize(12);
  painter.setFont(font);
  painter.setBrush(Qt::NoBrush);
  for (const profiler::SweepLine &line : picture.lines)
    paintLine(painter, line);
  for (const SweepWord &word : picture.words)
    paintWord(painter, word);
  for (const profiler::SweepSample &sample : picture.samples)
    paintDisc(painter, sample.ink, {sample.x, sample.y}, sample.radius);
  for (const SweepMark &mark : picture.marks)
    paintMark(painter, mark);
}

void SweepCanvas::paintPicture(QPainter &painter) const {
  if (m_picture.isEmpty())
    return drawEmptyText(painter, QRectF(viewport()->rect()));
  painter.save();
  painter.translate(origin());
  painter.scale(scale(), scale());
  paintSweep(painter, m_picture);
  painter.restore();
  if (highlighted() >= 0 && highlighted() < numPlaces())
    drawOutline(painter, markRect(highlighted()));
}

double SweepCanvas::heightFor(double width) const {
  return m_picture.height * std::min(1.0, width / std::max(1.0, m_picture.width)) + 2 * kMargin;
}

void SweepCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.save();
  painter.translate(target.topLeft() + QPointF(0, kMargin));
  const double factor = std::min(1.0, target.width() / std::max(1.0, m_picture.width));
  painter.scale(factor, factor);
  paintSweep(painter, m_picture);
  painter.restore();
}

} // namespace tilescope::views
