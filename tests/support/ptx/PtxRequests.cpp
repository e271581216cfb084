// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxRequests.h"

#include "compiler/access/Transactions.h"

namespace tilescope::tests {

using namespace compiler;

void PtxRequests::add(const std::string &name, const void *place, size_t thread, uint64_t address,
                      int bytes) {
  const uint32_t execution = executionsOf(place, thread)++;
  Place &known = m_places[place];
  known.name = name;
  known.bytes = bytes;
  known.lanes[{thread / access::kLanes, execution}].push_back(static_cast<int64_t>(address));
}

uint32_t &PtxRequests::executionsOf(const void *place, size_t thread) {
  std::vector<uint32_t> &executions = m_places[place].executions;
  if (executions.size() <= thread)
    executions.resize(thread + 1);
  return executions[thread];
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
