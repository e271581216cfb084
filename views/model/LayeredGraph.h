// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the boxes of an acyclic graph lie when what flows through it flows to the right: each box stands in a
// column behind all that it reads. Columns by longest paths, order by barycenters (Sugiyama, Tagawa and Toda,
// "Methods for Visual Understanding of Hierarchical System Structures", 1981), heights by isotonic regression.
#pragma once

#include "compiler/layout/picture/PictureGrid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilescope::views {

using compiler::GridPoint;
using compiler::GridRect;
using compiler::Interval;

/// In pixels.
struct GraphMetrics {
  double boxWidth = 1;
  double boxHeight = 1;
  double columnGap = 1;
  /// Between boxes of one column.
  double rowGap = 1;
};

/// A place in a column: a box, or a line that passes from a box before to one behind.
struct GraphPlace {
  /// Whose result it is.
  uint32_t box = 0;
  bool isPass = false;
  uint32_t column = 0;
  /// Its middle.
  double y = 0;
  /// Positions of the places of the next column that it leads to.
  std::vector<uint32_t> next;
  bool operator==(const GraphPlace &) const = default;
};

/// A line that is too long to be drawn between the boxes it joins: all that is shown of it are its ends.
struct GraphJump {
  uint32_t from = 0, to = 0;
  bool operator==(const GraphJump &) const = default;
};

/// Takes time in proportion to boxes and lines. Never changes once made.
class LayeredGraph {
public:
  LayeredGraph() = default;
  /// `sources[i]` are the boxes that box `i` reads, each less than `i`, none twice.
  LayeredGraph(std::vector<std::vector<uint32_t>> sources, const GraphMetrics &metrics);

  size_t numBoxes() const { return m_sources.size(); }
  size_t numColumns() const { return m_firsts.empty() ? 0 : m_firsts.size() - 1; }
  double width() const;
  double height() const { return m_height; }
  const GraphMetrics &metrics() const { return m_metrics; }

  const std::vector<uint32_t> &sourcesOf(size_t box) const { return m_sources[box]; }
  /// In rising order.
  const std::vector<uint32_t> &readersOf(size_t box) const { return m_readers[box]; }
  uint32_t columnOf(size_t box) const { return m_places[m_placeOf[box]].column; }
  GridRect boxRect(size_t box) const;
  /// From left to right, and in a column from top to bottom.
  const std::vector<GraphPlace> &places() const { return m_places; }
  uint32_t placeOf(size_t box) const { return m_placeOf[box]; }
  /// Positions of the places of a column, half-open.
  Interval placesIn(size_t column) const { return {m_firsts[column], m_firsts[column + 1]}; }
  double columnX(size_t column) const {
    return static_cast<double>(column) * (m_metrics.boxWidth + m_metrics.columnGap);
  }
  /// Half-open: those that touch what lies between `left` and `right`, with the one before for its lines.
  Interval columnsIn(double left, double right) const;
  /// The places on the way from a box to one of its readers, both ends included; empty: a jump.
  std::vector<uint32_t> wayTo(uint32_t from, uint32_t to) const;
  const std::vector<GraphJump> &jumps() const { return m_jumps; }
  /// -1: none.
  int boxAt(GridPoint point) const;
  /// The next box of its column below (`by` 1) or above (-1); itself where there is none.
  uint32_t neighbor(uint32_t box, int by) const;

private:
  GraphMetrics m_metrics;
  std::vector<std::vector<uint32_t>> m_sources, m_readers;
  std::vector<GraphPlace> m_places;
  /// Of each column, and the end of the last one.
  std::vector<uint32_t> m_firsts;
  std::vector<uint32_t> m_placeOf;
  std::vector<GraphJump> m_jumps;
  double m_height = 0;
};

} // namespace tilescope::views
