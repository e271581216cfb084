// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Names and patterns of the tiles of a DiagramCanvas.
#include "views/layout/DiagramCanvas.h"
#include "views/layout/HatchLines.h"
#include "views/layout/LabelSpace.h"

#include <QPainter>
#include <QStaticText>

#include <map>
#include <unordered_map>

namespace tilescope::views {

using compiler::CellRange;
using compiler::Dim;
using compiler::Interval;

static constexpr double kMemberTextPx = 10;
/// Smaller tiles are told apart by their neighbours alone.
static constexpr double kSmallestTilePx = 4;

namespace {
/// Draws the same few words again and again, and as few kinds of lines.
class TilePainter {
public:
  TilePainter(QPainter &painter, const DiagramContent &content)
      : m_painter(painter), m_content(content), m_metrics(painter.font()),
        m_narrowest(m_metrics.horizontalAdvance(content.memberLabel(0))) {}

  void draw(const QRectF &rect, uint64_t member, const QColor &ink) {
    const bool mayFit = m_narrowest + 4 <= rect.width() && m_metrics.ascent() + 2 <= rect.height();
    if (const Word *word = mayFit ? &wordOf(member) : nullptr;
        word && word->size.width() + 4 <= rect.width()) {
      m_painter.setPen(ink);
      const QSizeF spare = (rect.size() - word->size) / 2;
      m_painter.drawStaticText(rect.topLeft() + QPointF(spare.width(), spare.height()), word->text);
    } else if (m_content.isHatched) {
      addHatchLines(m_lines[ink.rgb()], rect, member);
    }
  }

  /// After the last tile.
  void drawLines() {
    for (const auto &[ink, lines] : m_lines) {
      QColor line(ink);
      line.setAlphaF(0.45F);
      m_painter.setPen(QPen(line, 1));
      m_painter.drawLines(lines);
    }
  }

private:
  struct Word {
    QStaticText text;
    QSizeF size;
  };
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
  std::map<QRgb, QList<QLineF>> m_lines;
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
  // Where several cells share a pixel there are no tiles to be seen.
  if (!m_content.memberLabel || view.scale < 1)
    return;
  const CellRange range = view.cellsIn(view.visible);
  const compiler::PictureGrid &grid = view.grid;
  const std::vector<Interval> across = wideIntervals(
      m_content, Dim::Column, grid.blockColumns, {range.firstColumn, range.lastColumn}, view.scale);
  const std::vector<Interval> down = wideIntervals(m_content, Dim::Row, grid.blockRows,
                                                   {range.firstRow, range.lastRow}, view.scale);
  painter.save();
  painter.setFont(cellFont(kMemberTextPx));
  TilePainter tiles(painter, m_content);
  for (const auto &[row, lastRow] : down)
    for (const auto &[column, lastColumn] : across) {
      const uint64_t member = m_content.members.at({row, column});
      const uint64_t ink = m_content.palette.index(member);
      const QRectF rect = view.rect({row, column}, lastRow - row, lastColumn - column);
      if (ink < m_inks.size() && grid.contains({row, column}) && rect.intersects(view.exposed))
        tiles.draw(rect, member, m_inks[ink]);
    }
  tiles.drawLines();
  painter.restore();
}

} // namespace tilescope::views
