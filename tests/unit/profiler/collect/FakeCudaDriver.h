// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"
#include "profiler/driver/Cupti.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

/// A device in host memory: addresses are real, a "kernel" is a function over the parameters.
namespace tilescope::profiler::test {

struct LoggedLaunch {
  LaunchShape shape;
};

class FakeCudaDriver : public CudaDriver {
public:
  int devices = 1;
  DeviceInfo info;
  KernelAttributes kernelAttributes{32, 0, 0, 1024};
  std::function<void(void **)> kernelBody = [](void **) {};
  /// Of kernels by symbol; others have the body above.
  std::map<std::string, std::function<void(void **)>> bodies;
  /// Fills are done, not only counted.
  bool isFilling = false;
  /// The last one that was made.
  std::vector<GraphKernel> graph;
  int graphLaunches = 0, liveGraphs = 0;
  /// What the synchronize after the n-th launch (from 1) fails with.
  std::map<int, Error> faults;
  size_t freeBytes = size_t(4) << 30;

  std::vector<LoggedLaunch> launches;
  std::vector<TensorMap> describedTensors;
  std::string loadedImage;
  int64_t allowedShared = 0;
  int fills = 0, loads = 0;
  /// Launches of the kernel that empties the cache, and what the last one read.
  int flushes = 0;
  uint64_t flushedBytes = 0;
  int liveAllocations = 0;
  /// Called at each launch; a fake CUPTI listens.
  std::function<void()> onLaunch;

  FakeCudaDriver() {
    info.name = "Fake";
    info.computeMajor = 9;
    info.l2Bytes = 1 << 20;
    info.memoryClockKHz = 1000000;
    info.memoryBusBits = 4096;
    info.sharedBytesPerBlock = 227 * 1024;
  }

  Result<int> deviceCount() override { return devices; }
  Result<DeviceInfo> device(int) override { return info; }
  Status openContext(int) override { return {}; }
  Result<KernelHandle> loadKernel(const std::string &image, const std::string &symbol) override {
    if (symbol == "tilescope_read_all")
      return kFlush;
    loadedImage = image;
    ++loads;
    const auto body = bodies.find(symbol);
    if (body == bodies.end())
      return KernelHandle(1);
    m_loaded.push_back(&body->second);
    return kFlush + m_loaded.size();
  }
  Result<KernelAttributes> attributes(KernelHandle) override { return kernelAttributes; }
  Status allowDynamicShared(KernelHandle, int64_t bytes) override {
    allowedShared = bytes;
    return {};
  }
  Result<DeviceAddress> allocate(size_t bytes) override {
    if (bytes > freeBytes)
      return Error{ErrorCode::InvalidInput, "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY", ""};
    ++liveAllocations;
    m_memory.push_back(std::make_unique<std::byte[]>(std::min<size_t>(bytes, 1 << 24) + 1));
    return reinterpret_cast<DeviceAddress>(m_memory.back().get());
  }
  Status release(DeviceAddress) override {
    --liveAllocations;
    return {};
  }
  Status upload(DeviceAddress to, const void *from, size_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return {};
  }
  Status download(void *to, DeviceAddress from, size_t bytes) override {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return {};
  }
  Result<TensorMapBytes> encodeTensorMap(const TensorMap &map) override {
    describedTensors.push_back(map);
    return TensorMapBytes{};
  }
  Status fillAsync(DeviceAddress to, uint8_t value, size_t bytes) override {
    ++fills;
    if (isFilling)
      std::memset(reinterpret_cast<void *>(to), value, bytes);
    return {};
  }
  Status copyAsync(DeviceAddress, DeviceAddress, size_t) override { return {}; }
  Status launch(KernelHandle kernel, const LaunchShape &shape, void **parameters) override {
    if (kernel == kFlush) {
      ++flushes;
      flushedBytes = *static_cast<uint64_t *>(parameters[1]) * 16;
      return {};
    }
    launches.push_back({shape});
    (kernel > kFlush ? *m_loaded[kernel - kFlush - 1] : kernelBody)(parameters);
    if (onLaunch)
      onLaunch();
    return {};
  }
  Result<GraphHandle> makeGraph(const std::vector<GraphKernel> &kernels) override {
    graph = kernels;
    ++liveGraphs;
    return GraphHandle(1);
  }
  /// Of those that may begin always the last one: a missing edge shows.
  Status launchGraph(GraphHandle) override {
    ++graphLaunches;
    std::vector<bool> isDone(graph.size());
    for (size_t done = 0; done < graph.size(); ++done) {
      size_t next = graph.size();
      const auto isReady = [&](size_t i) {
        return !isDone[i] &&
               std::ranges::all_of(graph[i].after, [&](size_t other) { return isDone[other]; });
      };
      do
        --next;
      while (!isReady(next));
      isDone[next] = true;
      const GraphKernel &kernel = graph[next];
      (kernel.kernel > kFlush ? *m_loaded[kernel.kernel - kFlush - 1]
                              : kernelBody)(kernel.parameters);
      if (onLaunch)
        onLaunch();
    }
    return {};
  }
  Status releaseGraph(GraphHandle) override {
    --liveGraphs;
    return {};
  }
  Status synchronize() override {
    auto fault = faults.find(int(launches.size()));
    return fault == faults.end() ? Status() : Status(fault->second);
  }
  Result<EventHandle> createEvent() override { return EventHandle(1); }
  Status recordEvent(EventHandle) override { return {}; }
  Result<double> elapsedUs(EventHandle, EventHandle) override { return 9.0; }
  Status releaseEvent(EventHandle) override { return {}; }

private:
  static constexpr KernelHandle kFlush = 2;

  std::vector<std::unique_ptr<std::byte[]>> m_memory;
  std::vector<const std::function<void(void **)> *> m_loaded;
};

/// Returns the records that a device of a test has made.
class PendingCupti : public Cupti {
public:
  explicit PendingCupti(std::vector<KernelRecord> &pending) : m_pending(pending) {}
  Status enable() override { return {}; }
  Status disable() override { return {}; }
  Result<std::vector<KernelRecord>> take() override { return std::exchange(m_pending, {}); }

private:
  std::vector<KernelRecord> &m_pending;
};

/// Returns records of a list, one per launch, over and over.
class RecordedCupti : public Cupti {
public:
  RecordedCupti(FakeCudaDriver &driver, std::vector<KernelRecord> recording)
      : m_recording(std::move(recording)) {
    driver.onLaunch = [this] {
      if (!m_recording.empty())
        m_pending.push_back(m_recording[m_next++ % m_recording.size()]);
    };
  }
  Status enable() override { return {}; }
  Status disable() override { return {}; }
  Result<std::vector<KernelRecord>> take() override { return std::exchange(m_pending, {}); }

private:
  std::vector<KernelRecord> m_recording;
  std::vector<KernelRecord> m_pending;
  size_t m_next = 0;
};

} // namespace tilescope::profiler::test
