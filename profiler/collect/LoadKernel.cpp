// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/LoadKernel.h"

#include "profiler/data/NoSuchDevice.h"

#include <algorithm>

namespace tilescope::profiler {

Error inKernel(const KernelPackage &package, Error error) {
  error.message = "kernel `" + package.symbol + "`: " + error.message;
  return error;
}

Result<DeviceInfo> openDevice(CudaDriver &driver, int device) {
  const auto count = driver.deviceCount();
  if (!count)
    return count.error();
  if (device < 0 || device >= *count)
    return noSuchDevice(device, *count, "tilescope-runner devices");
  if (Status status = driver.openContext(device); !status)
    return status.error();
  return driver.device(device);
}

Status KernelLoader::checkResources(const KernelPackage &package,
                                    const KernelAttributes &attributes) const {
  const int64_t shared = package.sharedBytes + attributes.staticSharedBytes;
  if (m_device.sharedBytesPerBlock > 0 && shared > m_device.sharedBytesPerBlock)
    return inKernel(package, {ErrorCode::InvalidInput,
                              "needs " + std::to_string(shared) +
                                  " bytes of shared memory, but the device has " +
                                  std::to_string(m_device.sharedBytesPerBlock) + " per block",
                              "smaller blocks or a smaller `num_stages` need less"});
  if (attributes.maxThreadsPerBlock > 0 && package.numWarps * 32 > attributes.maxThreadsPerBlock)
    return inKernel(package,
                    {ErrorCode::InvalidInput,
                     "has " + std::to_string(package.numWarps * 32) +
                         " threads per block, but with its registers the device allows only " +
                         std::to_string(attributes.maxThreadsPerBlock),
                     "use a smaller `num_warps` or a smaller `maxnreg`"});
  return {};
}

Result<LoadedKernel> KernelLoader::load(const KernelPackage &package) {
  const bool cubinFits = !package.cubin.empty() && targetFits(package.target, m_device);
  if (!cubinFits && package.ptx.empty())
    return Error{ErrorCode::InvalidInput,
                 "the package's machine code is for `" + package.target +
                     "`, but the device has compute "
                     "capability " +
                     std::to_string(m_device.computeMajor) + "." +
                     std::to_string(m_device.computeMinor),
                 "compile with `--target cuda:" +
                     std::to_string(m_device.computeMajor * 10 + m_device.computeMinor) + "`"};
  const std::string &code = cubinFits ? package.cubin : package.ptx;
  KernelHandle &kernel = m_loaded[{code, package.symbol}];
  if (kernel == 0) {
    const auto loaded = m_driver.loadKernel(code, package.symbol);
    if (!loaded)
      return inKernel(package, loaded.error());
    kernel = *loaded;
  }
  const auto attributes = m_driver.attributes(kernel);
  if (!attributes)
    return inKernel(package, attributes.error());
  if (Status status = checkResources(package, *attributes); !status)
    return status.error();
  // Up to 48 KiB every kernel may have without asking.
  if (package.sharedBytes > 48 * 1024)
    if (Status status = m_driver.allowDynamicShared(kernel, package.sharedBytes); !status)
      return inKernel(package, status.error());
  return LoadedKernel{kernel, *attributes, !cubinFits};
}

LaunchShape launchShape(const KernelPackage &package) {
  LaunchShape shape;
  for (size_t axis = 0; axis < shape.grid.size(); ++axis)
    shape.grid[axis] = uint32_t(package.plan.grid[axis]);
  shape.grid[0] *= uint32_t(package.numCtas);
  shape.threads = uint32_t(package.numWarps) * 32;
  shape.clusterBlocks = uint32_t(package.numCtas);
  shape.dynamicSharedBytes = uint32_t(package.sharedBytes);
  return shape;
}

bool isEmptyGrid(const LaunchPlan &plan) {
  return std::ranges::find(plan.grid, 0) != plan.grid.end();
}

Result<DeviceAddress> allocateGlobalScratch(CudaDriver &driver, const KernelPackage &package) {
  if (package.globalScratchBytes <= 0)
    return DeviceAddress(0);
  size_t bytes = size_t(package.numCtas) * size_t(package.globalScratchBytes);
  for (const int64_t extent : package.plan.grid)
    bytes *= size_t(extent);
  const auto address = driver.allocate(bytes);
  if (!address)
    return inKernel(package, address.error());
  return *address;
}

} // namespace tilescope::profiler
