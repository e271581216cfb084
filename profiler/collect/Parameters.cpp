// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/Parameters.h"

#include "profiler/data/Element.h"

#include <cstring>

namespace tilescope::profiler {

std::vector<void *> ParameterBlock::pointers() {
  std::vector<void *> result;
  for (auto &slot : slots)
    result.push_back(slot.data());
  return result;
}

static std::array<std::byte, 8> addressSlot(DeviceAddress address) {
  std::array<std::byte, 8> slot = {};
  std::memcpy(slot.data(), &address, sizeof(address));
  return slot;
}

static Error misfit(const KernelPackage &package, const std::string &what) {
  return {ErrorCode::InvalidInput, "kernel `" + package.symbol + "`: " + what,
          "the launch plan and the compiled kernel must come from the same source"};
}

static Result<std::array<std::byte, 8>> scalarSlot(const KernelPackage &package,
                                                   const PackageParameter &parameter,
                                                   const PlanScalar &scalar) {
  std::optional<Dtype> dtype = parseDtype(parameter.type);
  if (!dtype)
    return misfit(package, "parameter `" + parameter.name + "` has the type `" + parameter.type +
                               "`, which cannot be passed by value");
  std::array<std::byte, 8> slot = {};
  if (isFloat(*dtype)) {
    double value = std::visit([](auto each) { return double(each); }, scalar.value);
    writeElement(*dtype, value, slot.data());
  } else if (const double *real = std::get_if<double>(&scalar.value)) {
    return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                               "`, the plan gives " + std::to_string(*real));
  } else {
    int64_t value = std::visit([](auto each) { return int64_t(each); }, scalar.value);
    writeInteger(*dtype, value, slot.data());
  }
  return slot;
}

Result<ParameterBlock> makeParameters(const KernelPackage &package,
                                      const std::map<std::string, DeviceAddress> &addresses,
                                      DeviceAddress globalScratch) {
  ParameterBlock block;
  for (const PackageParameter &parameter : package.parameters) {
    const PlanArgument *argument = package.plan.argument(parameter.name);
    if (!argument)
      return misfit(package, "the launch gives no value for parameter `" + parameter.name + "`");
    bool isPointer = parameter.type.starts_with('*');
    if (isPointer != (argument->tensor() != nullptr))
      return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                                 "`, the launch gives a " + (isPointer ? "scalar" : "tensor"));
    if (isPointer) {
      auto address = addresses.find(parameter.name);
      if (address == addresses.end())
        return misfit(package, "tensor `" + parameter.name + "` is not on the device");
      block.slots.push_back(addressSlot(address->second));
      continue;
    }
    auto slot = scalarSlot(package, parameter, *argument->scalar());
    if (!slot)
      return slot.error();
    block.slots.push_back(*slot);
  }
  block.slots.push_back(addressSlot(globalScratch));
  block.slots.push_back(addressSlot(0));
  return block;
}

} // namespace tilescope::profiler
