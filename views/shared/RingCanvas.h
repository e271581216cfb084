// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/SharedMap.h"
#include "views/common/PictureCanvas.h"

namespace tilescope::views {

/// Draws which block each slot of a ring holds in each iteration of its loop, and in which it is
/// filled and read: a row for each iteration, a column for each slot.
class RingCanvas : public PictureCanvas {
  Q_OBJECT
public:
  using Table = std::vector<std::vector<compiler::access::RingCell>>;

  explicit RingCanvas(QWidget *parent = nullptr);

  /// The first row is the time before the loop.
  void setTable(Table table);
  const Table &table() const { return m_table; }
  /// What a cell says: `iteration 2, slot 1: reads block 3`; cells are numbered row by row.
  QString cellText(int cell) const;
  QRectF cellRect(int cell) const;
  /// What the numbers are is said below the cells; where that does not fit, in the tool tip.
  bool showsFoot() const { return m_showsFoot; }

  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;

private:
  /// What the numbers are, in as many lines as it takes.
  QString footText() const;
  double footHeight(double width) const;
  int numSlots() const { return m_table.empty() ? 0 : static_cast<int>(m_table.front().size()); }
  QRectF rectIn(const QRectF &area, double rowHeight, int cell) const;
  void draw(QPainter &painter, const QRectF &area, double rowHeight, double scrolled,
            bool hasFoot) const;
  void drawFoot(QPainter &painter, const QRectF &area, double top) const;
  void drawCell(QPainter &painter, const QRectF &rect,
                const compiler::access::RingCell &cell) const;

  Table m_table;
  double m_rowHeight = 20;
  bool m_showsFoot = true;
};

} // namespace tilescope::views
