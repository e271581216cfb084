// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the parts of a pipeline's picture lie: time goes to the right, one column for each
// operation; each slot, and each kind of work, has a row.
//
// Worked example (asserted by the unit test "the worked example of the pipeline"): a copy that is
// one iteration ahead, in two slots. A bar is lighter while the copy is under way; `r` marks who
// reads the slot.
//
//               before  iteration 0     iteration 1
//     slot 0    [copy 0 ---|=====r]
//     slot 1                 [copy 1 ------|======r]
//     waits             wait            wait
//     products                    mul            mul
//
#pragma once

#include "compiler/access/picture/RequestGrid.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/layout/picture/MoveRuns.h"

#include <optional>

namespace tilescope::compiler::access {

enum class PipelineRowKind : uint8_t {
  /// Which iteration it is.
  Head,
  /// A slot of a buffer.
  Slot,
  /// Waits, groups that are closed, and what barriers are told.
  Waits,
  Products,
  /// From shared memory into registers.
  Reads,
  Other,
};

struct PipelineRow {
  PipelineRowKind kind{};
  /// Of all rows but slots; -1: of all groups of warps.
  int32_t partition = -1;
  int32_t buffer = -1, slot = -1;
  bool operator==(const PipelineRow &) const = default;
};

/// An iteration of one group of warps, as times, half-open.
struct PipelineBand {
  int32_t partition = 0;
  int32_t iteration = 0;
  uint32_t begin = 0, end = 0;
  /// Iterations before it are left out.
  bool isBehindGap = false;
  bool operator==(const PipelineBand &) const = default;
};

/// An event as it is drawn.
struct PipelineItem {
  uint32_t event = 0;
  size_t row = 0;
  GridRect rect;
  /// From here on what was under way is over.
  double ready = 0;
};

/// Where a slot is read.
struct PipelineMark {
  uint32_t event = 0;
  GridPoint middle;
};

/// From one event to another; a curve that leaves and reaches them upright.
struct PipelineArrow {
  LoopLinkKind kind{};
  uint32_t from = 0, to = 0;
  ArrowShape shape;
};

/// In pixels; the upper left corner is the origin. Holds its own copy of what it needs.
class PipelinePicture {
public:
  struct Size {
    double width = 1;
    double rowHeight = 1;
    /// Columns are not narrower: then only a part of the time is in sight.
    double leastColumn = 1;
  };
  PipelinePicture() = default;
  /// The part in sight is around what iteration `iteration` needs and does.
  PipelinePicture(const LoopFacts &facts, const Size &size, int32_t iteration);

  static std::vector<PipelineRow> rowsOf(const LoopFacts &facts);
  static std::vector<PipelineBand> bandsOf(const LoopFacts &facts);

  const std::vector<PipelineRow> &rows() const { return m_rows; }
  const std::vector<PipelineBand> &bands() const { return m_bands; }
  /// Those in sight, row by row, by time.
  const std::vector<PipelineItem> &items() const { return m_items; }
  const std::vector<PipelineMark> &marks() const { return m_marks; }
  double width() const { return m_size.width; }
  double height() const { return static_cast<double>(m_rows.size()) * m_size.rowHeight; }
  double rowHeight() const { return m_size.rowHeight; }
  double columnWidth() const { return m_column; }
  GridRect row(size_t index) const;
  /// In sight, half-open.
  uint32_t firstTime() const { return m_first; }
  uint32_t lastTime() const { return m_last; }
  bool isWhole() const { return m_first == 0 && m_last == m_numTimes; }
  double xOf(uint32_t time) const;
  /// How far a label of an item may reach: to the next item of its row.
  double roomEnd(size_t item) const;
  /// The left edge of a label `width` wide in an item, from `from` on: in the middle of the widest part
  /// that no mark, `halfMark` wide to either side, covers. Nothing where it has no room.
  std::optional<double> labelLeft(size_t item, double from, double width, double halfMark) const;
  /// -1: it is not drawn, or out of sight.
  int itemOf(uint32_t event) const;
  /// Those that begin and end in sight; `headSize` is that of their heads.
  std::vector<PipelineArrow> arrows(const LoopFacts &facts, const std::vector<LoopLink> &links,
                                    double headSize) const;

private:
  void chooseTimes(const LoopFacts &facts, int32_t iteration);
  void addItem(const LoopFacts &facts, uint32_t event, const std::vector<uint32_t> &heldUntil);
  void layLanes();
  uint32_t overAt(const LoopFacts &facts, const LoopEvent &event) const;
  size_t rowFor(const LoopFacts &facts, const LoopEvent &event) const;
  GridPoint beginOf(const LoopFacts &facts, const LoopLink &link) const;
  GridPoint endOf(const LoopFacts &facts, const LoopLink &link) const;

  Size m_size;
  std::vector<PipelineRow> m_rows;
  std::vector<PipelineBand> m_bands;
  std::vector<PipelineItem> m_items;
  std::vector<PipelineMark> m_marks;
  /// Of each event.
  std::vector<int> m_itemOf;
  uint32_t m_numTimes = 0, m_first = 0, m_last = 0;
  double m_column = 1;
};

/// The item at a point; -1: there is none.
int itemAt(const PipelinePicture &picture, GridPoint point);
/// Where an arrow key leads from an item.
int itemFrom(const PipelinePicture &picture, int item, Step step);

/// What leads to an event and from it; of a copy also what its readers do with the block.
std::vector<LoopLink> linksOf(const LoopFacts &facts, uint32_t event);
/// How what an iteration needs comes to it: from copies to waits, readers and products, and from
/// other groups of warps.
std::vector<LoopLink> linksOfIteration(const LoopFacts &facts, int32_t iteration);
/// The iterations of which there are events, in order.
std::vector<int32_t> iterationsOf(const LoopFacts &facts);
/// Which of `kPipelineColors` colors an event has: that of the iteration it is for; -1: of none.
inline constexpr int kPipelineColors = 6;
int colorOf(const LoopFacts &facts, uint32_t event);

} // namespace tilescope::compiler::access
