// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/MergedAccesses.h"

#include <algorithm>

namespace tilescope::compiler {

std::vector<AccessFacts> mergeAccesses(const std::vector<AccessFacts> &accesses) {
  std::vector<AccessFacts> merged;
  for (const AccessFacts &access : accesses) {
    const auto same = std::ranges::find_if(merged, [&](const AccessFacts &other) {
      return other.range == access.range && other.operation == access.operation &&
             other.action == access.action && other.argument == access.argument &&
             other.vectorBytes == access.vectorBytes;
    });
    if (same == merged.end()) {
      merged.push_back(access);
      continue;
    }
    same->counts += access.counts;
    same->executions += access.executions;
    same->isInLoop |= access.isInLoop;
  }
  return merged;
}

} // namespace tilescope::compiler
