// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/Parameters.h"

#include "profiler/package/ParameterValue.h"
#include "profiler/package/TensorMap.h"

#include <algorithm>
#include <cstring>

namespace tilescope::profiler {

std::vector<void *> ParameterBlock::pointers() {
  std::vector<void *> result;
  for (auto &slot : slots)
    result.push_back(slot.data());
  return result;
}

static ParameterBlock::Slot addressSlot(DeviceAddress address) {
  ParameterBlock::Slot slot = {};
  std::memcpy(slot.data(), &address, sizeof(address));
  return slot;
}

static Result<ParameterBlock::Slot> slotOf(const KernelPackage &package,
                                           const PackageParameter &parameter,
                                           const std::map<std::string, DeviceAddress> &addresses,
                                           CudaDriver &driver) {
  const Result<ParameterValue> value = parameterValue(package, parameter);
  if (!value)
    return value.error();
  if (!value->tensor) {
    ParameterBlock::Slot slot = {};
    std::ranges::copy(value->number, slot.begin());
    return slot;
  }
  const auto address = addresses.find(parameter.name);
  if (address == addresses.end())
    return misfit(package, "tensor `" + parameter.name + "` is not on the device");
  if (!value->description)
    return addressSlot(address->second);
  const auto map = describeTensor(*value->description, *value->tensor, address->second);
  if (!map)
    return misfit(package, "parameter `" + parameter.name + "`: " + map.error().message);
  return driver.encodeTensorMap(*map);
}

Result<ParameterBlock> makeParameters(const KernelPackage &package,
                                      const std::map<std::string, DeviceAddress> &addresses,
                                      const ScratchAddresses &scratch, CudaDriver &driver) {
  ParameterBlock block;
  for (const PackageParameter &parameter : package.parameters) {
    auto slot = slotOf(package, parameter, addresses, driver);
    if (!slot)
      return slot.error();
    block.slots.push_back(*slot);
  }
  block.slots.push_back(addressSlot(scratch.global));
  block.slots.push_back(addressSlot(scratch.profile));
  return block;
}

} // namespace tilescope::profiler
