// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/ColdCache.h"
#include "profiler/package/ModelPackage.h"

#include <memory>

namespace tilescope::profiler {

/// The memory of a model on a device.
class ModelMemory {
public:
  ModelMemory(CudaDriver &driver, const ModelPackage &package)
      : m_driver(driver), m_package(package) {}

  /// Allocates it and moves weights and inputs there.
  Status open();
  DeviceAddress addressOf(size_t buffer) const {
    return m_memory->address() + m_package.buffers[buffer].at;
  }
  /// Fills what steps write with bits that are NaN, so that nothing of an earlier run is taken for a result. In
  /// the device's queue.
  Status forget();
  /// Waits for the device.
  Result<Tensor> fetch(size_t buffer, Dtype dtype, const std::vector<int64_t> &shape);

private:
  Status upload(size_t buffer);

  CudaDriver &m_driver;
  const ModelPackage &m_package;
  std::unique_ptr<DeviceBuffer> m_memory;
};

} // namespace tilescope::profiler
