// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/SourceLocations.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

static uint32_t zeroBased(unsigned number) { return number == 0 ? 0 : number - 1; }

static void collect(Location location, std::vector<SourcePlace> &places) {
  llvm::TypeSwitch<Location>(location)
      .Case([&](FileLineColRange range) {
        SourcePlace &place = places.emplace_back();
        place.path = range.getFilename().str();
        place.range.begin = {zeroBased(range.getStartLine()), zeroBased(range.getStartColumn())};
        place.range.end = {zeroBased(range.getEndLine()), zeroBased(range.getEndColumn())};
      })
      .Case([&](NameLoc name) { collect(name.getChildLoc(), places); })
      .Case([&](CallSiteLoc call) {
        collect(call.getCallee(), places);
        collect(call.getCaller(), places);
      })
      .Case([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          collect(part, places);
      })
      .Default([](Location) {});
}

std::vector<SourcePlace> sourcePlaces(Location location) {
  std::vector<SourcePlace> places;
  collect(location, places);
  return places;
}

SourceRange choosePlace(const std::vector<SourcePlace> &places, std::vector<std::string> &files) {
  if (places.empty())
    return {};
  auto chosen =
      files.empty() ? places.end() : std::ranges::find(places, files.front(), &SourcePlace::path);
  if (chosen == places.end())
    chosen = places.begin();
  auto found = std::ranges::find(files, chosen->path);
  if (found == files.end())
    found = files.insert(files.end(), chosen->path);
  SourceRange range = chosen->range;
  range.file = static_cast<uint32_t>(found - files.begin());
  return range;
}

SourceRange getSourceRange(Location location, std::vector<std::string> &files) {
  return choosePlace(sourcePlaces(location), files);
}

} // namespace tilescope::compiler::interpreter
