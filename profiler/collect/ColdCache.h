// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"

namespace tilescope::profiler {

/// Device memory that is given back at the end of the scope.
class DeviceBuffer {
public:
  DeviceBuffer(CudaDriver &driver, DeviceAddress address) : m_driver(driver), m_address(address) {}
  ~DeviceBuffer() {
    // The memory goes with the context in any case.
    if (m_address)
      (void)m_driver.release(m_address);
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  DeviceAddress address() const { return m_address; }

private:
  CudaDriver &m_driver;
  DeviceAddress m_address;
};

/// The kernel that empties the cache.
inline constexpr const char *kFlushSymbol = "tilescope_read_all";

/// More bytes than the L2 cache holds.
size_t flushSize(const DeviceInfo &device);

/// Empties the L2 cache before a launch by reading more than it holds. Reads leave clean lines; of
/// lines that were written, the launch that is measured would pay for writing them back: on an H200,
/// 3 % of the time of an addition of 64 M elements and 8 % of that of a sum.
class ColdCache {
public:
  /// Cannot flush until `prepare` has succeeded.
  ColdCache(CudaDriver &driver, const DeviceInfo &device);

  /// An error where the device has no memory left for it, or cannot load the kernel that reads.
  Status prepare();
  bool isReady() const { return m_kernel != 0; }
  /// Puts the flush into the device's queue; does nothing unless it is ready.
  Status flush();

private:
  CudaDriver &m_driver;
  size_t m_bytes;
  uint32_t m_blocks;
  std::unique_ptr<DeviceBuffer> m_buffer;
  KernelHandle m_kernel = 0;
};

} // namespace tilescope::profiler
