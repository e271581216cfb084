// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"
#include "profiler/data/TensorMap.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// An address in device memory.
using DeviceAddress = uint64_t;
/// A kernel of a loaded module; 0 is none.
using KernelHandle = uint64_t;
using EventHandle = uint64_t;
/// Launches with their order, ready to be put into the device's queue as one.
using GraphHandle = uint64_t;

/// What the driver says about a loaded kernel.
struct KernelAttributes {
  int64_t registers = 0;
  /// Per thread: spills and local arrays.
  int64_t localBytes = 0;
  int64_t staticSharedBytes = 0;
  int64_t maxThreadsPerBlock = 0;
};

struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  uint32_t threads = 32;
  /// Thread blocks per cluster, along x; 1 is none.
  uint32_t clusterBlocks = 1;
  uint32_t dynamicSharedBytes = 0;
};

/// A launch of a graph. Its parameters are copied when the graph is made.
struct GraphKernel {
  KernelHandle kernel = 0;
  LaunchShape shape;
  /// As for a launch.
  void **parameters = nullptr;
  /// Numbers of earlier ones that must be over before it begins.
  std::vector<size_t> after;
};

/// The part of the CUDA driver that a run uses. One thread at a time; a failed launch poisons the
/// context, and then only the end of the process helps.
class CudaDriver {
public:
  virtual ~CudaDriver() = default;

  virtual Result<int> deviceCount() = 0;
  virtual Result<DeviceInfo> device(int ordinal) = 0;
  /// Makes the device's primary context current. Call once, before all below.
  virtual Status openContext(int ordinal) = 0;

  /// `image` is a cubin, or PTX that ends with a zero byte. The module stays loaded.
  virtual Result<KernelHandle> loadKernel(const std::string &image, const std::string &symbol) = 0;
  virtual Result<KernelAttributes> attributes(KernelHandle kernel) = 0;
  virtual Status allowDynamicShared(KernelHandle kernel, int64_t bytes) = 0;

  virtual Result<DeviceAddress> allocate(size_t bytes) = 0;
  virtual Status release(DeviceAddress address) = 0;
  virtual Status upload(DeviceAddress to, const void *from, size_t bytes) = 0;
  virtual Status download(void *to, DeviceAddress from, size_t bytes) = 0;
  /// Both return before they are done; `synchronize` waits.
  virtual Status fillAsync(DeviceAddress to, uint8_t value, size_t bytes) = 0;
  virtual Status copyAsync(DeviceAddress to, DeviceAddress from, size_t bytes) = 0;

  virtual Result<TensorMapBytes> encodeTensorMap(const TensorMap &map) = 0;

  /// Returns before the kernel has run. `parameters[i]` points to the value of parameter i.
  virtual Status launch(KernelHandle kernel, const LaunchShape &shape, void **parameters) = 0;
  /// Those of which none waits for the other may run at the same time.
  virtual Result<GraphHandle> makeGraph(const std::vector<GraphKernel> &kernels) = 0;
  /// Returns before they have run; what is in the queue already comes first.
  virtual Status launchGraph(GraphHandle graph) = 0;
  virtual Status releaseGraph(GraphHandle graph) = 0;
  /// Waits for everything; returns the fault of any earlier kernel.
  virtual Status synchronize() = 0;

  virtual Result<EventHandle> createEvent() = 0;
  virtual Status recordEvent(EventHandle event) = 0;
  /// Waits for `end`.
  virtual Result<double> elapsedUs(EventHandle begin, EventHandle end) = 0;
  virtual Status releaseEvent(EventHandle event) = 0;
};

/// Opens libcuda and starts it. An environment error says what is missing.
Result<std::unique_ptr<CudaDriver>> loadCudaDriver();

} // namespace tilescope::profiler
