// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/ParameterValue.h"

#include "profiler/data/Element.h"
#include "profiler/package/TensorMap.h"

namespace tilescope::profiler {

Error misfit(const KernelPackage &package, const std::string &what) {
  return {ErrorCode::InvalidInput, "kernel `" + package.symbol + "`: " + what,
          "the launch plan and the compiled kernel must come from the same source"};
}

static Result<ParameterValue> numberValue(const KernelPackage &package,
                                          const PackageParameter &parameter,
                                          const PlanScalar &scalar) {
  const std::optional<Dtype> dtype = parseDtype(parameter.type);
  if (!dtype)
    return misfit(package, "parameter `" + parameter.name + "` has the type `" + parameter.type +
                               "`, which cannot be passed by value");
  ParameterValue result;
  if (isFloat(*dtype)) {
    const double value = std::visit([](auto each) { return double(each); }, scalar.value);
    writeElement(*dtype, value, result.number.data());
  } else if (const double *real = std::get_if<double>(&scalar.value)) {
    return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                               "`, but the plan has " + std::to_string(*real));
  } else {
    const int64_t value = std::visit([](auto each) { return int64_t(each); }, scalar.value);
    writeInteger(*dtype, value, result.number.data());
  }
  return result;
}

Result<ParameterValue> parameterValue(const KernelPackage &package,
                                      const PackageParameter &parameter) {
  const PlanArgument *argument = package.plan.argument(parameter.name);
  if (!argument) {
    if (const std::optional<PlanScalar> extent = extentParameter(package.plan, parameter.name))
      return numberValue(package, parameter, *extent);
    return misfit(package, "the launch has no value for parameter `" + parameter.name + "`");
  }
  const std::optional<compiler::SignatureType> type = compiler::parseSignatureType(parameter.type);
  const bool isMap = type && type->isDescriptor();
  const bool isPointer = isMap || (type && type->isPointer());
  if (isPointer != (argument->tensor() != nullptr))
    return misfit(package, "parameter `" + parameter.name + "` is of type `" + parameter.type +
                               "`, but the launch passes a " + (isPointer ? "scalar" : "tensor"));
  if (!isPointer)
    return numberValue(package, parameter, *argument->scalar());
  ParameterValue result;
  result.tensor = argument->tensor();
  if (isMap)
    result.description = *type;
  return result;
}

} // namespace tilescope::profiler
