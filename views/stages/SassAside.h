// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassFlow.h"
#include "views/common/CodeAside.h"
#include "views/stages/BranchLanes.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::views {

/// Beside SASS: arrows of branches, the control fields of each instruction in columns, and for the
/// line that the user is at arrows from who holds a barrier to who waits for it.
class SassAside : public CodeAside {
public:
  /// `cubin` is what `sass` was made from.
  SassAside(std::string sass, std::string_view cubin);
  /// False: the texts do not belong together, and there is nothing to show.
  bool isKnown() const { return m_program.hasWords; }

  double widthIn(double available, const QFontMetricsF &font) override;
  void paint(QPainter &painter, int32_t line, const QRectF &row, bool isStale) const override;
  QString tip(int32_t line, double x, const QFontMetricsF &font) const override;
  QString description(int32_t line) const override;
  bool setCurrent(int32_t line) override;

  const std::vector<LineArrow> &branches() const { return m_branches; }
  /// Of the current line.
  const std::vector<LineArrow> &barriers() const { return m_barriers; }
  QString columns(int32_t line) const;
  /// Only the cycles are shown: the text has little room.
  bool isNarrow() const { return m_isNarrow; }

private:
  int32_t instructionAt(int32_t line) const;
  double lanesWidth() const;
  /// Of the columns that are shown: the first character and how many there are.
  std::pair<size_t, size_t> shownColumns() const;
  void paintArrow(QPainter &painter, const LineArrow &arrow, int32_t line, const QRectF &row) const;
  void paintColumns(QPainter &painter, int32_t instruction, const QRectF &row, bool isStale) const;

  std::string m_text;
  compiler::machine::SassProgram m_program;
  std::vector<compiler::machine::LivenessStep> m_steps;
  std::vector<LineArrow> m_branches, m_barriers;
  int m_numLanes = 0;
  bool m_isNarrow = false;
};

} // namespace tilescope::views
