// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/MoveRuns.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler {

/// The step from one cell to a neighbor below it or beside it; nothing for other cells.
static std::optional<Cell> stepBetween(Cell from, Cell to) {
  const Cell step{to.row - from.row, to.column - from.column};
  return std::abs(step.row) + std::abs(step.column) == 1 ? std::optional(step) : std::nullopt;
}

/// Whether a run that went by `step` so far (nothing: it has one cell) goes on by `next`.
static bool goesOn(const std::optional<Cell> &step, const std::optional<Cell> &next) {
  return next && (!step || *step == *next);
}

std::vector<MoveRun> moveRuns(const std::vector<Move> &moves, const CellOfMove &from,
                              const CellOfMove &to) {
  std::vector<MoveRun> runs;
  std::optional<Cell> fromStep, toStep;
  for (size_t i = 0; i < moves.size(); ++i) {
    const std::optional<Cell> fromCell = from(moves[i]), toCell = to(moves[i]);
    if (!fromCell || !toCell)
      continue;
    if (!runs.empty() && runs.back().first + runs.back().count == i &&
        runs.back().kind == moves[i].kind) {
      MoveRun &run = runs.back();
      const auto nextFrom = stepBetween(run.fromLast, *fromCell);
      const auto nextTo = stepBetween(run.toLast, *toCell);
      if (goesOn(fromStep, nextFrom) && goesOn(toStep, nextTo)) {
        fromStep = nextFrom;
        toStep = nextTo;
        run.fromLast = *fromCell;
        run.toLast = *toCell;
        ++run.count;
        continue;
      }
    }
    fromStep.reset();
    toStep.reset();
    runs.push_back({i, 1, moves[i].kind, *fromCell, *fromCell, *toCell, *toCell});
  }
  return runs;
}

ArrowShape arrowBetween(const GridRect &from, const GridRect &to, const GridRect &area,
                        double size) {
  const bool isBelow = to.y + to.height / 2 <= area.y + area.height / 2;
  const double away = isBelow ? 1 : -1;
  const auto edge = [&](const GridRect &rect) {
    return GridPoint{rect.x + rect.width / 2, isBelow ? rect.y + rect.height : rect.y};
  };
  ArrowShape arrow;
  arrow.start = edge(from);
  const GridPoint tip = edge(to);
  // The line ends within the head.
  arrow.end = {tip.x, tip.y + away * size * 0.8};
  const double depth = std::max(std::abs(tip.x - arrow.start.x) * 0.4, 2 * size);
  const auto beyond = [&](const GridPoint &point) {
    return GridPoint{point.x, std::clamp(point.y + away * depth, area.y, area.y + area.height)};
  };
  arrow.firstControl = beyond(arrow.start);
  arrow.secondControl = beyond(arrow.end);
  const double base = tip.y + away * size;
  arrow.head = {tip, GridPoint{tip.x - size / 2, base}, GridPoint{tip.x + size / 2, base}};
  return arrow;
}

} // namespace tilescope::compiler
