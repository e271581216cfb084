// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/common/CodeAside.h"
#include "views/common/SampleHeat.h"

#include <memory>

namespace tilescope::views {

/// Beside the lines of a stage: the share of the samples that were found there, as a number on a
/// color; behind it what else is beside them.
///
/// A line of SASS has the samples of its instruction. A line of another stage has those of the line of
/// the source that it came from, together with all others from there: the longest run of neighbors has
/// the number, once. Constants have none, since compilers move them out of the line.
class HeatAside : public CodeAside {
public:
  struct Mark {
    LineHeat heat;
    /// Of the source, from 0; -1: the heat is the line's own.
    int32_t sourceLine = -1;
    bool hasNumber = true;
  };
  /// `inner` may be null.
  HeatAside(std::map<uint32_t, Mark> marks, std::unique_ptr<CodeAside> inner)
      : m_marks(std::move(marks)), m_inner(std::move(inner)) {}

  double widthIn(double available, const QFontMetricsF &font) override;
  void paint(QPainter &painter, int32_t line, const QRectF &row, bool isStale) const override;
  QString tip(int32_t line, double x, const QFontMetricsF &font) const override;
  QString description(int32_t line) const override;
  bool setCurrent(int32_t line) override { return m_inner && m_inner->setCurrent(line); }

  const std::map<uint32_t, Mark> &marks() const { return m_marks; }
  const CodeAside *inner() const { return m_inner.get(); }

private:
  QString words(int32_t line) const;

  std::map<uint32_t, Mark> m_marks;
  std::unique_ptr<CodeAside> m_inner;
  double m_width = 0;
};

/// The marks of a stage's text; none: it is machine code other than the one that was sampled, or no
/// line of it came from one with samples.
std::map<uint32_t, HeatAside::Mark> heatMarks(const SampleHeat &heat, compiler::StageId stage,
                                              std::string_view text,
                                              const compiler::SourceMap &map);

} // namespace tilescope::views
