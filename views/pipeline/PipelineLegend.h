// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"

#include <QPen>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace tilescope::views {

/// Of the hatching that says that something is under way, or waits.
inline constexpr uint64_t kUnderWayHatch = 1;
/// Half of the mark of a reader.
inline constexpr double kMarkPx = 3.5;

/// Hollow and pointing up: someone reads the slot.
void drawReaderMark(QPainter &painter, const QPointF &middle);
QPen pipelineArrowPen(compiler::LoopLinkKind kind, bool isStrong);

/// A sample and what it means.
struct PipelineSample {
  QString words;
  std::function<void(QPainter &painter, const QRectF &box)> draw;
};
/// Of what occurs in the loop, the most frequent first.
std::vector<PipelineSample> pipelineLegend(const compiler::LoopFacts &facts);

} // namespace tilescope::views
