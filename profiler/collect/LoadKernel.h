// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"
#include "profiler/package/KernelPackage.h"

#include <map>

namespace tilescope::profiler {

/// Makes the device current, and says which it is.
Result<DeviceInfo> openDevice(CudaDriver &driver, int device);

struct LoadedKernel {
  KernelHandle kernel = 0;
  KernelAttributes attributes;
  /// The device's driver compiled the PTX: the package has no machine code for it.
  bool isFromPtx = false;
};

/// Loads kernels on one device. Equal machine code is loaded once.
class KernelLoader {
public:
  KernelLoader(CudaDriver &driver, const DeviceInfo &device) : m_driver(driver), m_device(device) {}

  /// An error where the kernel's resources are not those of the device. The package must outlive this object.
  Result<LoadedKernel> load(const KernelPackage &package);

private:
  Status checkResources(const KernelPackage &package, const KernelAttributes &attributes) const;

  CudaDriver &m_driver;
  const DeviceInfo &m_device;
  /// By code and symbol.
  std::map<std::pair<std::string_view, std::string_view>, KernelHandle> m_loaded;
};

LaunchShape launchShape(const KernelPackage &package);
/// An empty grid launches nothing, as in Triton.
bool isEmptyGrid(const LaunchPlan &plan);
/// For kernels that ask for it; 0: none is needed.
Result<DeviceAddress> allocateGlobalScratch(CudaDriver &driver, const KernelPackage &package);
/// The error, with the kernel's name.
Error inKernel(const KernelPackage &package, Error error);

} // namespace tilescope::profiler
