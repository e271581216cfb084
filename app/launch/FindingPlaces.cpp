// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/FindingPlaces.h"

#include "app/launch/ArrayShapes.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::InterpreterFinding;

/// The coordinates of an element, of one outside of the tensor in rows before or behind it.
static std::vector<int64_t> coordinates(int64_t element, const std::vector<int64_t> &shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t i = shape.size(); i-- > 1;) {
    at[i] = ((element % shape[i]) + shape[i]) % shape[i];
    element = (element - at[i]) / shape[i];
  }
  at.front() = element;
  return at;
}

/// Whether the finding counts elements of this shape.
static bool fits(const InterpreterFinding &finding, const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (const int64_t extent : shape)
    count *= extent;
  return shape.size() > 1 && count > 0 && count == finding.extent;
}

/// Whether the diagnostic is about that finding: one place may access outside and race, too.
static bool tells(const Diagnostic &diagnostic, const InterpreterFinding &finding) {
  using Kind = compiler::InterpreterFindingKind;
  const bool isOutside = finding.kind == Kind::OutOfBoundsLoad ||
                         finding.kind == Kind::OutOfBoundsStore ||
                         finding.kind == Kind::OutOfBoundsAtomic;
  const bool isRace = finding.kind == Kind::WriteRace || finding.kind == Kind::StoreConflict;
  return diagnostic.range == finding.range && diagnostic.cause.subject == finding.argument &&
         (diagnostic.kind == compiler::DiagnosticKind::RunAccessOutside) == isOutside &&
         (diagnostic.kind == compiler::DiagnosticKind::RunWriteRace) == isRace;
}

void addCoordinates(const profiler::LaunchPlan &plan,
                    const std::vector<InterpreterFinding> &findings,
                    std::vector<Diagnostic> &diagnostics) {
  for (const InterpreterFinding &finding : findings) {
    const profiler::PlanArgument *argument = plan.argument(finding.argument);
    if (!argument || !argument->tensor() || !fits(finding, argument->tensor()->shape))
      continue;
    const std::vector<int64_t> &shape = argument->tensor()->shape;
    std::string places = "`" + finding.argument + "` has the shape " + shapeText(shape) +
                         ": there it is " + shapeText(coordinates(finding.offset, shape));
    if (finding.lastOffset != finding.offset)
      places += " to " + shapeText(coordinates(finding.lastOffset, shape));
    const auto told = std::ranges::find_if(
        diagnostics, [&](const Diagnostic &each) { return tells(each, finding); });
    if (told != diagnostics.end())
      told->notes.push_back(std::move(places));
  }
}

} // namespace tilescope::app
