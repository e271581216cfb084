// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/driver/CudaDriver.h"
#include "profiler/package/KernelPackage.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// The parameter values of one launch, in the kernel's order: the package's parameters, then the
/// two scratch pointers. Each takes the first bytes of its slot.
struct ParameterBlock {
  /// The largest parameters are descriptions of tensors.
  using Slot = TensorMapBytes;
  std::vector<Slot> slots;

  /// As the driver requires them; valid while the block lives unchanged.
  std::vector<void *> pointers();
};

/// The two that follow the package's own parameters; 0: none.
struct ScratchAddresses {
  DeviceAddress global = 0;
  DeviceAddress profile = 0;
};

/// `addresses`: where the plan's tensors are; `driver` encodes descriptions of them. An error names
/// the parameter that the plan lacks or whose value does not fit.
Result<ParameterBlock> makeParameters(const KernelPackage &package,
                                      const std::map<std::string, DeviceAddress> &addresses,
                                      const ScratchAddresses &scratch, CudaDriver &driver);

} // namespace tilescope::profiler
