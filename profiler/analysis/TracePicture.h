// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/TraceRows.h"

#include <optional>
#include <string>
#include <vector>

/// A trace as a picture: time to the right, a row for each warp of a program and rows for what is
/// under way beside it. Lengths in pixels from the upper left corner of the rows; y goes down.
///
///     warp 0              |ld|      |wait| |barrier|
///     warp 0, under way       [ load     ]
///     warp 1              |ld|        |wait| |barr.|
namespace tilescope::profiler {

/// Cycles from the first warp's start, half-open.
struct TraceWindow {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool operator==(const TraceWindow &) const = default;
  uint64_t length() const { return end - begin; }
};

struct TraceBar {
  size_t row = 0;
  TraceSpan span;
  /// Null: the table does not have it.
  const TraceScope *scope = nullptr;
  double x = 0, width = 0;
};

class TracePicture {
public:
  struct Size {
    double width = 1;
    double rowHeight = 1;
  };
  struct Tick {
    double x = 0;
    /// `1.5 µs`; `1500` cycles where the clock is not known.
    std::string text;
  };

  TracePicture() = default;
  /// The warps of one program; `window`: what of its time is in sight.
  TracePicture(const TraceData &trace, int64_t program, const Size &size,
               const TraceWindow &window);

  /// From the first start of the program's warps to the last end that is known.
  static TraceWindow wholeOf(const TraceData &trace, int64_t program);

  const std::vector<TraceRow> &rows() const { return m_rows; }
  /// Of all that is at least in part in sight, by row and then by time.
  const std::vector<TraceBar> &bars() const { return m_bars; }
  const std::vector<Tick> &ticks() const { return m_ticks; }
  const TraceWindow &window() const { return m_window; }
  double width() const { return m_size.width; }
  double rowHeight() const { return m_size.rowHeight; }
  double height() const { return m_size.rowHeight * static_cast<double>(m_rows.size()); }
  double top(size_t row) const { return m_size.rowHeight * static_cast<double>(row); }
  /// The number of a bar; -1: there is none. A bar that is hardly wider than a line is met near it.
  int barAt(double x, double y) const;
  /// The bar before or behind another in its row, or the nearest one of the row above or below;
  /// itself at an edge.
  int beside(int bar, int by) const;
  int acrossRows(int bar, int by) const;
  double xOf(uint64_t cycle) const;
  uint64_t cycleAt(double x) const;

private:
  void addBars();
  void addTicks(const TraceData &trace);

  Size m_size;
  TraceWindow m_window;
  std::vector<TraceRow> m_rows;
  std::vector<TraceBar> m_bars;
  std::vector<Tick> m_ticks;
  std::vector<const TraceScope *> m_scopes;
};

/// The part of `whole` that is seen after zooming about a cycle: a factor above 1 shows less.
TraceWindow zoomed(const TraceWindow &window, const TraceWindow &whole, double factor,
                   uint64_t about);
/// Moved by a share of what is in sight.
TraceWindow panned(const TraceWindow &window, const TraceWindow &whole, double share);

/// The programs that were traced, in order.
std::vector<int64_t> tracedPrograms(const TraceData &trace);
/// `Program 0 on multiprocessor 12: 8 warps, 10,240 cycles (5.20 µs)`.
std::string traceProgramText(const TraceData &trace, int64_t program);
/// What a bar is, in a sentence.
std::string traceBarText(const TraceData &trace, const TracePicture &picture, size_t bar);

} // namespace tilescope::profiler
