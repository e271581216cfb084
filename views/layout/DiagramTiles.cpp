// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Names and patterns of the tiles of a DiagramCanvas.
#include "views/common/HatchLines.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LabelSpace.h"

#include <QPainter>
#include <QStaticText>

#include <map>
#include <set>
#include <unordered_map>

namespace tilescope::views {

using compiler::CellRange;
using compiler::Dim;
using compiler::Interval;

static constexpr int kMemberTextPx = 10;
/// Smaller tiles are told apart by their neighbors alone.
static constexpr double kSmallestTilePx = 4;
/// Rows and columns in sight among which tiles are looked for.
static constexpr int64_t kMostLines = 32768;

namespace {
/// Draws the same few words again and again, and as few kinds of lines.
class TilePainter {
public:
  TilePainter(QPainter &painter, const DiagramContent &content)
      : m_painter(painter), m_content(content), m_metrics(painter.font()),
        m_narrowest(m_metrics.horizontalAdvance(content.memberLabel(0))) {}

  /// Every tile in sight, before those that are drawn are added: where the names of some do not fit,
  /// as `b10` beside `b9`, none of their width is named.
  void measure(const QRectF &rect, uint64_t member) {
    if (mayFit(rect) && wordOf(member).size.width() + 4 > rect.width())
      m_tooNarrow.insert(qRound(rect.width()));
  }

  void add(const QRectF &rect, uint64_t member, const QColor &ink, const QColor &fill) {
    // From the middle of the first pixel to that of the last.
    if (m_content.isHatched)
      addHatchLines(m_lines[ink.rgb()],
                    QRectF(QPointF(qRound(rect.left()) + 0.5, qRound(rect.top()) + 0.5),
                           QPointF(qRound(rect.right()) - 1.5, qRound(rect.bottom()) - 1.5)),
                    member);
    if (const Word *word = mayFit(rect) ? &wordOf(member) : nullptr;
        word && !m_tooNarrow.contains(qRound(rect.width()))) {
      const QSizeF spare = (rect.size() - word->size) / 2;
      const QPointF at = rect.topLeft() + QPointF(spare.width(), spare.height());
      // The lines around the tile stay.
      const QRect tile(QPoint(qRound(rect.left()), qRound(rect.top())),
                       QPoint(qRound(rect.right()) - 2, qRound(rect.bottom()) - 2));
      const QRect ground = QRectF(at, word->size).adjusted(-2, 0, 2, 0).toAlignedRect() & tile;
      m_names.push_back({word, at, ground, ink, fill});
    }
  }

  /// After the last tile: patterns, and names on a plain ground over them and the gaps of cells.
  void finish() {
    for (const auto &[ink, lines] : m_lines) {
      QColor line(ink);
      line.setAlphaF(0.35F);
      m_painter.setPen(QPen(line, 1, Qt::SolidLine, Qt::FlatCap));
      m_painter.drawLines(lines);
    }
    for (const Name &name : m_names) {
      m_painter.fillRect(name.ground, name.fill);
      m_painter.setPen(name.ink);
      m_painter.drawStaticText(name.at, name.word->text);
    }
  }

private:
  struct Word {
    QStaticText text;
    QSizeF size;
  };
  struct Name {
    const Word *word;
    QPointF at;
    QRect ground;
    QColor ink, fill;
  };
  bool mayFit(const QRectF &rect) const {
    return m_narrowest + 4 <= rect.width() && m_metrics.ascent() + 2 <= rect.height();
  }
  const Word &wordOf(uint64_t member) {
    const auto [found, isNew] = m_words.try_emplace(member);
    if (isNew) {
      found->second.text.setText(m_content.memberLabel(member));
      found->second.text.setTextFormat(Qt::PlainText);
      found->second.text.prepare({}, m_painter.font());
      found->second.size = found->second.text.size();
    }
    return found->second;
  }

  QPainter &m_painter;
  const DiagramContent &m_content;
  QFontMetricsF m_metrics;
  double m_narrowest;
  std::unordered_map<uint64_t, Word> m_words;
  /// Widths in pixels of tiles that a name does not fit into.
  std::set<int> m_tooNarrow;
  std::map<QRgb, QList<QLineF>> m_lines;
  std::vector<Name> m_names;
};
} // namespace

/// The intervals of tiles along one axis that are wide enough to hold anything.
static std::vector<Interval> wideIntervals(const DiagramContent &content, Dim axis, int64_t block,
                                           Interval inSight, double scale) {
  std::vector<Interval> intervals =
      compiler::tileIntervals(content.members, axis, block, inSight.first, inSight.second);
  std::erase_if(intervals, [&](const Interval &interval) {
    return static_cast<double>(interval.second - interval.first) * scale < kSmallestTilePx;
  });
  return intervals;
}

void DiagramCanvas::drawTiles(QPainter &painter, const View &view) const {
  const CellRange range = view.cellsIn(view.visible);
  const int64_t numLines = range.lastRow - range.firstRow + range.lastColumn - range.firstColumn;
  if (!m_content.memberLabel || numLines > kMostLines)
    return;
  const compiler::PictureGrid &grid = view.grid;
  const std::vector<Interval> across = wideIntervals(
      m_content, Dim::Column, grid.blockColumns, {range.firstColumn, range.lastColumn}, view.scale);
  const std::vector<Interval> down = wideIntervals(m_content, Dim::Row, grid.blockRows,
                                                   {range.firstRow, range.lastRow}, view.scale);
  painter.save();
  painter.setFont(cellFont(scaledPx(kMemberTextPx)));
  TilePainter tiles(painter, m_content);
  const auto forEach = [&](const auto &handle) {
    for (const auto &[row, lastRow] : down)
      for (const auto &[column, lastColumn] : across)
        if (grid.contains({row, column}))
          handle(view.rect({row, column}, lastRow - row, lastColumn - column),
                 m_content.members.at({row, column}));
  };
  forEach([&](const QRectF &rect, uint64_t member) { tiles.measure(rect, member); });
  forEach([&](const QRectF &rect, uint64_t member) {
    const uint64_t ink = m_content.palette.index(member);
    if (ink < m_inks.size() && rect.intersects(view.exposed))
      tiles.add(rect, member, m_inks[ink], QColor(m_content.palette.colors[ink]));
  });
  tiles.finish();
  painter.restore();
}

} // namespace tilescope::views
