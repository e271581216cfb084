// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/SourceLocations.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// The places that a location names, innermost first.
static void collect(Location location, SmallVectorImpl<FileLineColRange> &places) {
  llvm::TypeSwitch<Location>(location)
      .Case([&](FileLineColRange range) { places.push_back(range); })
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

static uint32_t zeroBased(unsigned number) { return number == 0 ? 0 : number - 1; }

SourceRange getSourceRange(Location location, std::vector<std::string> &files) {
  SmallVector<FileLineColRange> places;
  collect(location, places);
  if (places.empty())
    return {};
  FileLineColRange chosen = places.front();
  for (FileLineColRange place : places)
    if (!files.empty() && place.getFilename().strref() == files.front()) {
      chosen = place;
      break;
    }
  std::string path = chosen.getFilename().str();
  auto found = std::find(files.begin(), files.end(), path);
  if (found == files.end())
    found = files.insert(files.end(), path);
  SourceRange range;
  range.file = static_cast<uint32_t>(found - files.begin());
  range.begin = {zeroBased(chosen.getStartLine()), zeroBased(chosen.getStartColumn())};
  range.end = {zeroBased(chosen.getEndLine()), zeroBased(chosen.getEndColumn())};
  return range;
}

} // namespace tilescope::compiler::interpreter
