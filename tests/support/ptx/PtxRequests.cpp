// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxRequests.h"

#include "compiler/access/Transactions.h"

namespace tilescope::tests {

using namespace compiler;

void PtxRequests::add(const std::string &name, const void *place, size_t thread, uint64_t address,
                      int bytes) {
  Place &known = m_places[place];
  known.name = name;
  known.bytes = bytes;
  if (known.executions.size() <= thread)
    known.executions.resize(thread + 1);
  known.lanes[{thread / access::kLanes, known.executions[thread]++}].push_back(
      static_cast<int64_t>(address));
}

void PtxRequests::addTo(std::map<std::string, AccessCounts> &counts) {
  for (const auto &[place, known] : m_places)
    for (const auto &[request, lanes] : known.lanes)
      counts[known.name] += known.name.starts_with("global") || known.name == "async copy"
                                ? access::countGlobal(lanes, known.bytes)
                                : access::countShared(lanes, known.bytes);
  m_places.clear();
}

} // namespace tilescope::tests
