// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/AccessCounter.h"

#include "compiler/access/AffineCounts.h"
#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>

namespace tilescope::compiler::access {

/// One execution, instruction by instruction; `addressOf` gives nothing for an element that is off.
template <typename AddressOf>
static AccessCounts countEach(const AccessPlan &plan, const WarpInstructions &instructions,
                              AddressOf addressOf) {
  AccessCounts sum;
  std::array<int64_t, kLanes> lanes{};
  for (size_t index = 0; index < instructions.count(); ++index) {
    std::ranges::transform(instructions.lanes(index), lanes.begin(), [&](uint32_t element) {
      return element == WarpInstructions::kIdle ? kOff : addressOf(element).value_or(kOff);
    });
    sum += countGlobal(lanes, plan.vectorBytes());
  }
  return sum;
}

void AccessCounter::add(std::span<const int64_t> addresses, const uint8_t *mask) {
  ++m_executions;
  // Programs past the end, of which no element is on, are many.
  if (mask && std::all_of(mask, mask + addresses.size(), [](uint8_t on) { return on == 0; })) {
    m_counts.instructions += m_instructions.count();
    return;
  }
  m_counts += countEach(m_plan, m_instructions, [&](uint32_t element) -> std::optional<int64_t> {
    if (mask && !mask[element])
      return std::nullopt;
    return addresses[element];
  });
}

void AccessCounter::addAffine(const AffineAddresses &addresses) {
  ++m_executions;
  std::vector<int64_t> key(addresses.step.begin(), addresses.step.end());
  key.push_back(addresses.base & (kLineBytes - 1));
  const auto [known, isNew] = m_known.try_emplace(std::move(key));
  if (isNew) {
    if (const std::optional<AccessCounts> solved = countAffine(m_plan, addresses)) {
      known->second = *solved;
    } else {
      const LinearLayout places = m_plan.places.canonicalOuts();
      known->second =
          countEach(m_plan, m_instructions, [&](uint32_t element) -> std::optional<int64_t> {
            int64_t address = addresses.base;
            for (const DimValue &at : places.unpackOut(element))
              if (const auto dim = static_cast<size_t>(tensorDimIndex(at.dim));
                  dim < addresses.step.size())
                address += at.value * addresses.step[dim];
            return address;
          });
    }
  }
  m_counts += known->second;
}

} // namespace tilescope::compiler::access
