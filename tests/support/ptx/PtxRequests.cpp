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
  const auto [request, isNew] = known.lanes.try_emplace({thread / access::kLanes, execution});
  if (isNew)
    request->second.fill(access::kOff);
  request->second[thread % access::kLanes] = static_cast<int64_t>(address);
}

uint32_t &PtxRequests::executionsOf(const void *place, size_t thread) {
  std::vector<uint32_t> &executions = m_places[place].executions;
  if (executions.size() <= thread)
    executions.resize(thread + 1);
  return executions[thread];
}

static AccessCounts countRequest(const std::string &name, std::span<const int64_t> lanes,
                                 int bytes) {
  if (name.starts_with("global") || name == memoryActionName(MemoryAction::AsyncCopy))
    return access::countGlobal(lanes, bytes);
  const bool isLoad = name == memoryActionName(MemoryAction::SharedLoad);
  return access::countShared(lanes, bytes,
                             isLoad ? MemoryAction::SharedLoad : MemoryAction::SharedStore);
}

void PtxRequests::addTo(std::map<std::string, AccessCounts> &counts) {
  for (const auto &[place, known] : m_places)
    for (const auto &[request, lanes] : known.lanes)
      counts[known.name] += countRequest(known.name, lanes, known.bytes);
  m_places.clear();
}

} // namespace tilescope::tests
