// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/types/SignatureType.h"
#include "profiler/package/KernelPackage.h"

#include <array>
#include <optional>

namespace tilescope::profiler {

/// What a launch passes for a kernel's parameter, as far as it is known without a device.
struct ParameterValue {
  /// A number's bytes, little-endian, of which the parameter takes the first ones.
  std::array<std::byte, 8> number = {};
  /// A tensor's address, or a description of it. Null: a number.
  const PlanTensor *tensor = nullptr;
  /// What describes the tensor. Absent: its address is passed.
  std::optional<compiler::SignatureType> description = {};
};

/// A kernel that its launch does not fit.
Error misfit(const KernelPackage &package, const std::string &what);

/// An error names the parameter that the plan lacks or whose value does not fit. The result points into the package.
Result<ParameterValue> parameterValue(const KernelPackage &package,
                                      const PackageParameter &parameter);

} // namespace tilescope::profiler
