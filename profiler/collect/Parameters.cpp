// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/Parameters.h"

#include "profiler/data/Element.h"
#include "profiler/package/TensorMap.h"

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

static Error misfit(const KernelPackage &package, const std::string &what) {
  return {ErrorCode::InvalidInput, "kernel `" + package.symbol + "`: " + what,
          "the launch plan and the compiled kernel must come from the same source"};
}

static Result<ParameterBlock::Slot> scalarSlot(const KernelPackage &package,
                                               const PackageParameter &parameter,
                                               const PlanScalar &scalar) {
  std::optional<Dtype> dtype = parseDtype(parameter.type);
  if (!dtype)
    return misfit(package, "parameter `" + parameter.name + "` has the type `" + parameter.type +
                               "`, which cannot be passed by value");
  ParameterBlock::Slot slot = {};
  if (isFloat(*dtype)) {
    double value = std::visit([](auto each) { return double(each); }, scalar.value);
    writeElement(*dtype, value, slot.data());
  } else if (const double *real = std::get_if<double>(&scalar.value)) {
    return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                               "`, but the plan has " + std::to_string(*real));
  } else {
    int64_t value = std::visit([](auto each) { return int64_t(each); }, scalar.value);
    writeInteger(*dtype, value, slot.data());
  }
  return slot;
}

static Result<ParameterBlock::Slot> slotOf(const KernelPackage &package,
                                           const PackageParameter &parameter,
                                           const std::map<std::string, DeviceAddress> &addresses,
                                           CudaDriver &driver) {
  const PlanArgument *argument = package.plan.argument(parameter.name);
  if (!argument) {
    if (std::optional<PlanScalar> extent = extentParameter(package.plan, parameter.name))
      return scalarSlot(package, parameter, *extent);
    return misfit(package, "the launch has no value for parameter `" + parameter.name + "`");
  }
  const std::optional<compiler::SignatureType> type = compiler::parseSignatureType(parameter.type);
  const bool isMap = type && type->isDescriptor();
  const bool isPointer = isMap || (type && type->isPointer());
  if (isPointer != (argument->tensor() != nullptr))
    return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                               "`, but the launch passes a " + (isPointer ? "scalar" : "tensor"));
  if (!isPointer)
    return scalarSlot(package, parameter, *argument->scalar());
  auto address = addresses.find(parameter.name);
  if (address == addresses.end())
    return misfit(package, "tensor `" + parameter.name + "` is not on the device");
  if (!isMap)
    return addressSlot(address->second);
  auto map = describeTensor(*type, *argument->tensor(), address->second);
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
