// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/programs/ProgramsText.h"

#include "compiler/access/arrays/StepLoops.h"
#include "compiler/access/arrays/TouchWords.h"
#include "compiler/access/picture/AccessWords.h"
#include "compiler/support/BytesText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::StepRange;
using access::TouchKind;

static QString tr(const char *text) { return QCoreApplication::translate("ProgramsText", text); }
static QString text(const std::string &value) { return QString::fromStdString(value); }

static int64_t extent(const SourceRange &range) {
  constexpr int64_t kLine = 100000;
  return (static_cast<int64_t>(range.end.line) - range.begin.line) * kLine + range.end.column -
         range.begin.column;
}

static bool isAt(const SourceRange &range, const Focus &focus) {
  const bool isMeant = std::ranges::any_of(
      focus.sources, [&](const SourceRange &source) { return source.begin == range.begin; });
  return isMeant || (!focus.stage && range.contains(focus.position));
}

static bool isOnLine(const SourceRange &range, const Focus &focus) {
  if (focus.stage && focus.sources.empty())
    return false;
  const uint32_t line = focus.stage ? focus.sources.front().begin.line : focus.position.line;
  return range.begin.line <= line && line <= range.end.line;
}

std::vector<uint32_t> accessesAt(const compiler::TouchTrace &trace, const Focus &focus) {
  std::vector<uint32_t> found;
  if (focus.empty() || focus.isNew)
    return found;
  for (const auto &fits : {isAt, isOnLine}) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < trace.accesses.size(); ++i) {
      const SourceRange &range = trace.accesses[i].range;
      if (range.file != 0 || range.empty() || !fits(range, focus) || extent(range) > least)
        continue;
      // On a line, all of its accesses are meant.
      if (fits == isAt && extent(range) < least) {
        least = extent(range);
        found.clear();
      }
      found.push_back(i);
    }
    if (!found.empty())
      return found;
  }
  return found;
}

int accessTo(const ArrayCanvas::Content &content, const ArrayPlace &place) {
  const access::TouchedArrays &arrays = *content.arrays;
  const auto &[slice, row, column] = place.element;
  int found = -1;
  for (const StepRange &steps : {StepRange{content.step, content.step + 1}, StepRange{}})
    for (const access::TouchedBox &touched : arrays.boxes(place.array, content.program, steps)) {
      if (!touched.box.contains(slice, row, column))
        continue;
      if (arrays.access(touched.access).reads)
        return static_cast<int>(touched.access);
      if (found < 0)
        found = static_cast<int>(touched.access);
    }
  if (found >= 0)
    return found;
  return static_cast<int>(arrays.accesses(place.array).front());
}

/// The numbers that programs have, from 0 on: "0–15", or "(0–3, 0–7)".
static QString programNumbers(const access::Grid &grid) {
  const auto from0 = [](int64_t extent) {
    return extent > 1 ? QStringLiteral("0–%1").arg(extent - 1) : QStringLiteral("0");
  };
  if (grid[1] <= 1 && grid[2] <= 1)
    return from0(grid[0]);
  const QString plane = from0(grid[0]) + QStringLiteral(", ") + from0(grid[1]);
  return u'(' + (grid[2] > 1 ? plane + QStringLiteral(", ") + from0(grid[2]) : plane) + u')';
}

QString programText(const ArrayCanvas::Content &content) {
  const access::TouchedArrays &arrays = *content.arrays;
  const access::Grid &grid = arrays.trace().grid;
  const uint32_t numSteps = arrays.numSteps(content.program);
  const QString program = text(access::programText(content.program, grid));
  // A number alone does not show that it is counted from 0.
  QStringList facts{(access::numPrograms(grid) == 1
                         ? tr("Program %1").arg(program)
                         : tr("Program %1 of %2").arg(program, programNumbers(grid))) +
                    u' ' + text(access::programTotals(arrays, content.program, {}))};
  if (numSteps > 1) {
    QString iteration = tr("iteration %1 of 0–%2").arg(content.step).arg(numSteps - 1);
    if (const std::string loop = access::stepLoopText(arrays, content.program, content.step);
        !loop.empty())
      iteration += QStringLiteral(" (") + text(loop) + u')';
    facts << iteration + u' ' +
                 text(access::programTotals(arrays, content.program,
                                            {content.step, content.step + 1}));
  }
  return facts.join(QStringLiteral(" · "));
}

/// The steps of a run that touch an element, from the first on.
static std::vector<uint32_t> stepsOf(const access::TouchedArrays &arrays, const ArrayPlace &place,
                                     const compiler::TouchRun &run) {
  constexpr uint32_t kMostSteps = 4096;
  const auto holds = [&](const StepRange &steps) {
    return std::ranges::any_of(
        arrays.boxesOf(place.array, run, steps), [&](const access::ElementBox &box) {
          return box.contains(place.element.slice, place.element.row, place.element.column);
        });
  };
  std::vector<uint32_t> steps;
  if (!holds({}))
    return steps;
  for (uint32_t i = 0; i < std::min(run.numSteps, kMostSteps); ++i)
    if (const uint32_t step = run.firstStep + i; holds({step, step + 1}))
      steps.push_back(step);
  return steps;
}

/// In which steps the program touches an element.
static QStringList ownTouches(const ArrayCanvas::Content &content, const ArrayPlace &place) {
  const access::TouchedArrays &arrays = *content.arrays;
  const uint32_t numSteps = arrays.numSteps(content.program);
  QStringList touches;
  for (const TouchKind kind : {TouchKind::Read, TouchKind::Written}) {
    std::vector<uint32_t> steps;
    for (const auto &each : arrays.runs(place.array, {content.program, content.program + 1})) {
      const compiler::TouchRun &run = arrays.trace().runs[each.run];
      const compiler::TouchAccess &by = arrays.access(run.access);
      if (kind == TouchKind::Read ? !by.reads : !by.writes)
        continue;
      const std::vector<uint32_t> own = stepsOf(arrays, place, run);
      steps.insert(steps.end(), own.begin(), own.end());
    }
    std::ranges::sort(steps);
    steps.erase(std::ranges::unique(steps).begin(), steps.end());
    const size_t count = steps.size();
    const QString verb = kind == TouchKind::Read ? tr("read") : tr("written");
    if (count == 1 && numSteps > 1)
      touches << tr("%1 by this program in iteration %2").arg(verb).arg(steps.front());
    else if (count == 1)
      touches << tr("%1 by this program").arg(verb);
    else if (count > 1)
      touches << tr("%1 by this program in %2 iterations, first in %3")
                     .arg(verb)
                     .arg(count)
                     .arg(steps.front());
  }
  if (touches.isEmpty())
    touches << tr("not touched by this program");
  return touches;
}

QString placeText(const ArrayCanvas::Content &content, const ArrayPlace &place) {
  const access::TouchedArrays &arrays = *content.arrays;
  const access::ArrayShape &shape = arrays.shape(place.array);
  if (access::numberOf(shape, place.element) >= shape.numElements)
    return tr("after the end of %1").arg(text(arrays.argument(place.array).name));
  QStringList facts{text(access::elementText(arrays, place.array, place.element))};
  facts << ownTouches(content, place);
  if (content.overlay) {
    const access::TouchCounts &counts = content.overlay->counts[place.array];
    const uint32_t count = counts.at(place.element);
    const QString verb =
        content.overlay->kinds[place.array] == TouchKind::Read ? tr("read") : tr("written");
    const QString who = count == 1 ? tr("1 program") : tr("%1 programs").arg(count);
    if (content.overlay->reuse)
      facts << (count == 0 ? tr("read by one wave alone, or by none")
                           : tr("at most %1 read between two waves that read it")
                                 .arg(text(bytesText(count * access::kDistanceBytes))));
    else
      facts << (content.overlay->wave ? tr("%1 by %2 of the wave") : tr("%1 by %2 in all"))
                   .arg(verb, who);
  }
  if (const int access = accessTo(content, place); access >= 0)
    if (const SourceRange &range = arrays.access(static_cast<uint32_t>(access)).range;
        range.file == 0 && !range.empty())
      facts << tr("line %1").arg(range.begin.line + 1);
  return facts.join(QStringLiteral(" · "));
}

} // namespace tilescope::views
