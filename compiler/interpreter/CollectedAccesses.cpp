// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/CollectedAccesses.h"

#include "compiler/interpreter/SourceLocations.h"

#include <set>

namespace tilescope::compiler::interpreter {

void collectMaskedOff(Interpretation &result, const Execution &execution,
                      const TranslationContext &context) {
  for (const AccessOutcomes *outcomes : {&execution.writes, &execution.reads}) {
    // Other turns of an expanded loop are the same place.
    std::set<SourceRange> reached;
    for (uint32_t location = 0; location < outcomes->size(); ++location)
      if (outcomes->isReached(location))
        reached.insert(getSourceRange(context.locations[location], result.files));
    for (uint32_t location = 0; location < outcomes->size(); ++location) {
      if (!outcomes->isMaskedOff(location))
        continue;
      const SourceRange range = getSourceRange(context.locations[location], result.files);
      if (reached.contains(range))
        continue;
      const uint32_t area = outcomes->areaOf(location);
      result.maskedOff.push_back(
          {range, area < execution.areas.size() ? execution.areas[area].name : std::string(),
           outcomes == &execution.reads});
    }
  }
}

void collectFilled(Interpretation &result, const Execution &execution,
                   const TranslationContext &context) {
  for (uint32_t location = 0; location < execution.filledLoads.size(); ++location)
    if (execution.filledLoads.isFilled(location))
      result.filledLoads.push_back({getSourceRange(context.locations[location], result.files),
                                    execution.filledLoads.axes(location)});
}

} // namespace tilescope::compiler::interpreter
