// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a RequestCanvas looks; what it does is in RequestCanvas.cpp.
#include "compiler/access/Transactions.h"
#include "compiler/access/picture/AccessWords.h"
#include "views/common/HatchLines.h"
#include "views/common/RequestCanvas.h"
#include "views/common/Theme.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace tilescope::views {

namespace access = compiler::access;
using access::PicturePlace;
using access::PictureRun;

/// Pixels between the lines that say: fetched, and not used.
static constexpr double kUnusedPx = 5;
/// Of the name of a lane.
static constexpr int kLeastLanePx = 8;

/// The largest in which a label fits; none, where it would be too small to read.
static std::optional<QFont> laneFont(double rowHeight, double width, QString label) {
  // All lanes have their number, or none.
  for (QChar &each : label)
    each = each.isDigit() ? u'0' : each;
  if (label.size() == 1)
    label += u'0';
  QFont font = uiFont();
  font.setStyleStrategy(QFont::PreferNoShaping);
  for (int pixels = std::clamp(static_cast<int>(rowHeight * 0.62), kLeastLanePx, scaledPx(13));
       pixels >= kLeastLanePx; --pixels) {
    font.setPixelSize(pixels);
    if (QFontMetricsF(font).horizontalAdvance(label) + 2 <= width)
      return font;
  }
  return std::nullopt;
}

static QColor laneColor(const PicturePlace &place) {
  return theme().categorical(place.firstLane(), access::kLanes);
}

QRectF RequestCanvas::rectOf(const Frame &frame, const compiler::GridRect &rect) const {
  const QPointF at = frame.origin + QPointF(rect.x, rect.y);
  // Edges on whole pixels, so that all gaps look alike.
  const QPointF from(qRound(at.x()), qRound(at.y()));
  const QPointF to(qRound(at.x() + rect.width), qRound(at.y() + rect.height));
  return {from, to - QPointF(0, 1)};
}

static void drawUnused(QPainter &painter, const QRectF &rect) {
  painter.fillRect(rect, theme()[ColorRole::Raised]);
  QColor line = theme()[ColorRole::TextFaint];
  painter.setPen(QPen(line, 1));
  QList<QLineF> lines;
  for (double at = rect.left() - rect.height(); at < rect.right(); at += kUnusedPx) {
    const double from = std::max(at, rect.left()), to = std::min(at + rect.height(), rect.right());
    if (from < to)
      lines << QLineF(from, rect.bottom() - (from - at), to, rect.bottom() - (to - at));
  }
  painter.drawLines(lines);
}

/// Lines between units, and around those that are touched.
static void drawUnits(QPainter &painter, const QRectF &row, const access::RequestPicture &picture,
                      uint32_t units) {
  const int numUnits = static_cast<int>(access::kLineBytes) / picture.unitBytes();
  const double width = row.width() / numUnits;
  for (int unit = 0; unit < numUnits; ++unit) {
    const QRectF rect(row.left() + unit * width, row.top(), width, row.height());
    const bool isTouched = (units >> unit & 1) != 0;
    painter.setPen(QPen(theme()[isTouched ? ColorRole::BorderStrong : ColorRole::Border], 1,
                        isTouched ? Qt::SolidLine : Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(QPointF(qRound(rect.left()) + 0.5, rect.top() + 0.5),
                            QPointF(qRound(rect.right()) - 0.5, rect.bottom() - 0.5)));
  }
}

bool RequestCanvas::showsLaneOf(size_t run) const {
  const auto &request = m_content.request;
  const PictureRun &at = request.runs[run];
  const double width =
      m_grid.bytes(request.first(at).line, request.first(at).begin, request.last(at).end).width;
  return laneFont(m_grid.rowHeight(), width,
                  QString::fromStdString(access::lanesLabel(request.first(at).lanes)))
      .has_value();
}

bool RequestCanvas::showsPasses() const {
  return m_content.request.isShared && m_content.hasPasses && !m_content.request.words.empty();
}

bool RequestCanvas::isInPass(const PictureRun &run) const {
  return m_content.pass < 0 || (m_content.request.first(run).passes >> m_content.pass & 1) != 0;
}

/// A corner that marks what waits for other words of its bank.
static void drawConflict(QPainter &painter, const QRectF &rect) {
  const double size = std::min({rect.width() * 0.5, rect.height() * 0.45, 8.0});
  const QPointF corner(rect.right(), rect.top() + 1);
  painter.setPen(QPen(theme()[ColorRole::Panel], 1));
  painter.setBrush(theme()[ColorRole::Error]);
  painter.drawPolygon(QPolygonF{corner, corner - QPointF(size, 0), corner + QPointF(0, size)});
}

void RequestCanvas::drawRun(QPainter &painter, const Frame &frame, const PictureRun &run) const {
  const auto &request = m_content.request;
  const PicturePlace &first = request.first(run);
  const QRectF rect =
      rectOf(frame, frame.grid.bytes(first.line, first.begin, request.last(run).end));
  const QColor fill = laneColor(first), ink = inkOn(fill);
  if (!isInPass(run)) {
    // Only its outline: it is moved in another pass.
    painter.setPen(QPen(fill, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5));
    return;
  }
  painter.fillRect(rect.adjusted(1, 1, 0, 0), fill);
  if (showsPasses() && first.conflicts)
    drawConflict(painter, rect);
  QColor faint = ink;
  faint.setAlphaF(0.35F);
  const QString label = QString::fromStdString(access::lanesLabel(first.lanes));
  const std::optional<QFont> font = laneFont(frame.grid.rowHeight(), rect.width(), label);
  painter.setPen(QPen(faint, 1));
  if (!font) {
    QList<QLineF> lines;
    addHatchLines(lines, rect.adjusted(1, 1, -1, -1), static_cast<uint64_t>(first.firstLane()));
    painter.drawLines(lines);
  }
  // Where one element ends and the next begins.
  for (size_t i = 1; i < run.numPlaces; ++i) {
    const double x =
        rectOf(frame, frame.grid.place(request.places[run.firstPlace + i])).left() + 0.5;
    const double tick = std::max(3.0, rect.height() / 5);
    painter.drawLine(QLineF(x, rect.bottom() - tick, x, rect.bottom()));
  }
  if (font) {
    painter.setFont(*font);
    painter.setPen(ink);
    painter.drawText(rect, Qt::AlignCenter, label);
  }
}

void RequestCanvas::drawName(QPainter &painter, const Frame &frame, size_t line) const {
  if (!m_content.lineName)
    return;
  const QRectF row = rectOf(frame, frame.grid.row(line));
  const QRectF area(frame.all.left() + 2, row.top(), row.left() - frame.all.left() - 8,
                    row.height());
  const QString name = QFontMetricsF(painter.font())
                           .elidedText(m_content.lineName(m_content.request.lines[line].address),
                                       Qt::ElideMiddle, area.width());
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, name);
}

void RequestCanvas::drawLine(QPainter &painter, const Frame &frame, size_t line) const {
  const auto &request = m_content.request;
  for (const access::ByteRange &part : request.unused(line))
    drawUnused(painter, rectOf(frame, frame.grid.bytes(line, part.begin, part.end)));
  const QRectF row = rectOf(frame, frame.grid.row(line));
  drawUnits(painter, row, request, request.lines[line].units);
  if (line == 0 || request.followsOn(line))
    return;
  // Memory that is left out lies between this line and the one above.
  painter.setPen(QPen(theme()[ColorRole::TextFaint], 1, Qt::DotLine));
  const double y = qRound(row.top() - frame.grid.gap() / 2) + 0.5;
  painter.drawLine(QLineF(row.left(), y, row.right(), y));
}

void RequestCanvas::drawHead(QPainter &painter, const Frame &frame) const {
  const auto &request = m_content.request;
  painter.setFont(labelFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  const int step =
      static_cast<int>(request.isShared ? access::kBankBytes * 4 : access::kSectorBytes);
  const double top = frame.all.top();
  const double height = QFontMetricsF(painter.font()).height() + 4;
  for (int at = 0; at < access::kLineBytes; at += step) {
    const compiler::GridRect unit = frame.grid.bytes(0, at, at + step);
    const QString label = request.isShared ? tr("bank %1").arg(at / access::kBankBytes)
                          : at == 0        ? tr("sector 0: bytes 0 to 31")
                                           : tr("sector %1: %2").arg(at / step).arg(at);
    const QString shorter =
        request.isShared ? QString::number(at / access::kBankBytes) : QString::number(at);
    const QRectF rect(frame.origin.x() + unit.x + 2, top, unit.width - 4, height);
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(label) <= rect.width();
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, fits ? label : shorter);
  }
  const QRectF names(frame.all.left() + 2, top, frame.origin.x() - frame.all.left() - 8, height);
  painter.drawText(names, Qt::AlignRight | Qt::AlignVCenter,
                   request.isShared ? tr("row") : tr("line"));
  if (showsPasses())
    drawBankWords(painter, frame);
}

/// How many words each bank gives: the largest number is what the request waits for.
void RequestCanvas::drawBankWords(QPainter &painter, const Frame &frame) const {
  const auto &request = m_content.request;
  const double height = QFontMetricsF(painter.font()).height();
  const double top = frame.all.top() + height + 5;
  int most = 0;
  for (int bank = 0; bank < access::kBanks; ++bank)
    most = std::max(most, request.numWords(bank));
  for (int bank = 0; bank < access::kBanks; ++bank) {
    const int begin = bank * static_cast<int>(access::kBankBytes);
    const compiler::GridRect unit =
        frame.grid.bytes(0, begin, begin + static_cast<int>(access::kBankBytes));
    const int words = request.numWords(bank);
    const bool isBusiest =
        words == most && request.counts.wavefronts > request.counts.minimumWavefronts;
    painter.setPen(theme()[isBusiest ? ColorRole::Error : ColorRole::TextMuted]);
    painter.drawText(QRectF(frame.origin.x() + unit.x, top, unit.width, height),
                     Qt::AlignCenter | Qt::TextDontClip, QString::number(words));
  }
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(
      QRectF(frame.all.left() + 2, top, frame.origin.x() - frame.all.left() - 8, height),
      Qt::AlignRight | Qt::AlignVCenter, tr("words"));
}

namespace {
/// What a sample below the picture means, and the same where there is little room.
struct LegendEntry {
  QString words;
  QString shortWords;
  std::function<void(const QRectF &box)> drawSample;
};
} // namespace

static std::vector<LegendEntry> legendOf(const RequestCanvas::Content &content, bool showsPasses,
                                         QPainter &painter) {
  const auto &request = content.request;
  const QColor lane = laneColor(request.places.front());
  const auto outline = [&painter](const QRectF &box, const QColor &color) {
    painter.setPen(QPen(color, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  };
  const auto tr = [](const char *words) { return RequestCanvas::tr(words); };
  std::vector<LegendEntry> entries;
  entries.push_back(
      {content.laneWord.isEmpty() ? tr("asked for, by the lane named") : content.laneWord,
       content.laneWord.isEmpty() ? tr("asked for") : content.laneWord,
       [&painter, lane](const QRectF &box) { painter.fillRect(box, lane); }});
  if (showsPasses && std::ranges::any_of(request.places, &PicturePlace::conflicts))
    entries.push_back({tr("its bank gives other lanes another word first"),
                       tr("waits for its bank"), [&painter, lane](const QRectF &box) {
                         painter.fillRect(box, lane);
                         drawConflict(painter, box);
                       }});
  if (content.pass >= 0)
    entries.push_back({tr("moved in another pass"), tr("in another pass"),
                       [outline, lane](const QRectF &box) { outline(box, lane); }});
  if (request.isShared)
    return entries;
  entries.push_back({tr("in a sector, not used"), tr("not used"),
                     [&painter](const QRectF &box) { drawUnused(painter, box); }});
  entries.push_back({tr("not touched"), tr("not touched"),
                     [outline](const QRectF &box) { outline(box, theme()[ColorRole::Border]); }});
  return entries;
}

void RequestCanvas::drawFoot(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  const double size = metrics.height() * 0.7;
  const double y = frame.all.bottom() - footHeight() + 2;
  const std::vector<LegendEntry> entries = legendOf(m_content, showsPasses(), painter);
  constexpr double kBeforeWord = 5, kBehindWord = 16;
  const auto widthOf = [&](QString LegendEntry::*word) {
    double width = 0;
    for (const LegendEntry &entry : entries)
      width +=
          qRound(size * 1.6) + kBeforeWord + metrics.horizontalAdvance(entry.*word) + kBehindWord;
    return width - kBehindWord;
  };
  // From the left edge where there is no room below the lines; in short words where even that is
  // too little.
  const double room = frame.all.right() - frame.origin.x();
  const bool isLong = widthOf(&LegendEntry::words) <= frame.all.width() - 4;
  const auto word = isLong ? &LegendEntry::words : &LegendEntry::shortWords;
  double x = widthOf(word) <= room ? frame.origin.x() : frame.all.left() + 2;
  for (const LegendEntry &entry : entries) {
    const QRectF box(qRound(x), qRound(y + (metrics.height() - size) / 2), qRound(size * 1.6),
                     qRound(size));
    entry.drawSample(box);
    const double width = metrics.horizontalAdvance(entry.*word);
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(box.right() + kBeforeWord, y, width + 2, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, entry.*word);
    x = box.right() + kBeforeWord + width + kBehindWord;
  }
}

void RequestCanvas::drawHighlight(QPainter &painter, const Frame &frame) const {
  if (highlighted() < 0 || highlighted() >= static_cast<int>(m_content.request.places.size()))
    return;
  const QRectF rect =
      rectOf(frame, frame.grid.place(m_content.request.places[static_cast<size_t>(highlighted())]));
  drawOutline(painter, rect);
}

void RequestCanvas::draw(QPainter &painter, const Frame &frame) const {
  const auto &request = m_content.request;
  if (request.lines.empty()) {
    drawEmptyText(painter, frame.all);
    return;
  }
  drawHead(painter, frame);
  drawFoot(painter, frame);
  clipToRows(painter, frame);
  const compiler::Interval lines = frame.linesInSight();
  for (int64_t line = lines.first; line < lines.second; ++line) {
    drawLine(painter, frame, static_cast<size_t>(line));
    drawName(painter, frame, static_cast<size_t>(line));
  }
  for (const PictureRun &run : request.runs)
    if (const auto line = static_cast<int64_t>(request.first(run).line);
        line >= lines.first && line < lines.second)
      drawRun(painter, frame, run);
  drawHighlight(painter, frame);
  painter.restore();
}

void RequestCanvas::paintPicture(QPainter &painter) const { draw(painter, inSight()); }

} // namespace tilescope::views
