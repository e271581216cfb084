// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/TensorPool.h"

#include "profiler/package/InitialTensor.h"

#include <algorithm>

namespace tilescope::profiler {

std::optional<DeviceAddress>
TensorPool::find(const PlanArgument &argument,
                 const std::map<std::string, DeviceAddress> &taken) const {
  for (const Entry &entry : m_entries)
    if (entry.argument.value == argument.value &&
        (m_inputFolder.empty() || entry.argument.name == argument.name) &&
        std::none_of(taken.begin(), taken.end(),
                     [&](const auto &each) { return each.second == entry.address; }))
      return entry.address;
  return std::nullopt;
}

Result<Tensor> TensorPool::initial(const PlanArgument &argument, DeviceAddress at) {
  const auto known = std::ranges::find(m_entries, at, &Entry::address);
  if (known != m_entries.end())
    return known->initial;
  Result<Tensor> tensor = initialTensor(argument, m_inputFolder);
  if (tensor)
    m_entries.push_back({argument, at, *tensor});
  return tensor;
}

} // namespace tilescope::profiler
