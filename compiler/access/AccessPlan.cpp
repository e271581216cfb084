// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/AccessPlan.h"

#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>

namespace tilescope::compiler::access {

/// The element of a place; bits beyond those of the layout hold copies.
static uint64_t imageOf(std::span<const uint64_t> columns, uint32_t index) {
  uint64_t image = 0;
  for (size_t bit = 0; bit < columns.size(); ++bit)
    if (index >> bit & 1)
      image ^= columns[bit];
  return image;
}

WarpInstructions::WarpInstructions(const AccessPlan &plan) {
  const LinearLayout places = plan.places.canonicalOuts();
  const auto registers = static_cast<uint32_t>(places.inSize(Dim::Register));
  std::vector<uint64_t> starts;
  for (uint32_t index = 0; index < registers; ++index)
    if ((index & plan.vectorRegisters) == 0) {
      starts.push_back(imageOf(places.columns(Dim::Register), index));
      m_registers.push_back(index);
    }
  for (int warp = 0; warp < plan.numWarps; ++warp) {
    std::array<uint32_t, 32> lanes{};
    bool isAnyOn = false;
    for (int lane = 0; lane < 32; ++lane) {
      const auto thread = static_cast<uint32_t>(warp * 32 + lane);
      const bool isOn = (thread & plan.idleThreads) == 0 && lane < plan.numLanes;
      isAnyOn |= isOn;
      lanes[static_cast<size_t>(lane)] =
          isOn ? static_cast<uint32_t>(
                     imageOf(places.columns(Dim::Lane), static_cast<uint32_t>(lane)) ^
                     imageOf(places.columns(Dim::Warp), static_cast<uint32_t>(warp)))
               : kIdle;
    }
    if (!isAnyOn && plan.isJumpedOver)
      continue;
    m_warps.push_back(warp);
    for (const uint64_t start : starts)
      for (const uint32_t lane : lanes)
        m_elements.push_back(lane == kIdle ? kIdle : lane ^ static_cast<uint32_t>(start));
  }
}

AccessCounts countSharedExecution(const AccessPlan &plan) {
  const WarpInstructions instructions(plan);
  AccessCounts sum;
  std::array<int64_t, 32> addresses{};
  for (size_t index = 0; index < instructions.count(); ++index) {
    std::ranges::transform(instructions.lanes(index), addresses.begin(), [&](uint32_t element) {
      return element == WarpInstructions::kIdle
                 ? kOff
                 : paddedOffset(element, plan.padding) * plan.elementBytes;
    });
    sum += countShared(addresses, plan.vectorBytes(), plan.action);
  }
  return sum;
}

} // namespace tilescope::compiler::access
