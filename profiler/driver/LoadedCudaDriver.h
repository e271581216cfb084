// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CudaDriver.h"

#include <cuda.h>

namespace tilescope::profiler {

/// The driver's functions. The types come from the header, the names name the versions that both
/// CUDA 12 and 13 drivers have.
struct CudaApi {
#define TILESCOPE_CUDA_FUNCTIONS(X)                                                                \
  X(cuInit, "cuInit")                                                                              \
  X(cuDriverGetVersion, "cuDriverGetVersion")                                                      \
  X(cuGetErrorName, "cuGetErrorName")                                                              \
  X(cuGetErrorString, "cuGetErrorString")                                                          \
  X(cuDeviceGetCount, "cuDeviceGetCount")                                                          \
  X(cuDeviceGet, "cuDeviceGet")                                                                    \
  X(cuDeviceGetName, "cuDeviceGetName")                                                            \
  X(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId")                                                    \
  X(cuDeviceGetUuid, "cuDeviceGetUuid")                                                            \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute")                                                  \
  X(cuDeviceTotalMem, "cuDeviceTotalMem_v2")                                                       \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")                                          \
  X(cuCtxSetCurrent, "cuCtxSetCurrent")                                                            \
  X(cuCtxSynchronize, "cuCtxSynchronize")                                                          \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx")                                                      \
  X(cuModuleGetFunction, "cuModuleGetFunction")                                                    \
  X(cuFuncGetAttribute, "cuFuncGetAttribute")                                                      \
  X(cuFuncSetAttribute, "cuFuncSetAttribute")                                                      \
  X(cuMemAlloc, "cuMemAlloc_v2")                                                                   \
  X(cuMemFree, "cuMemFree_v2")                                                                     \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2")                                                               \
  X(cuMemcpyDtoH, "cuMemcpyDtoH_v2")                                                               \
  X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                                                     \
  X(cuMemsetD8Async, "cuMemsetD8Async")                                                            \
  X(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")                                              \
  X(cuLaunchKernelEx, "cuLaunchKernelEx")                                                          \
  X(cuGraphCreate, "cuGraphCreate")                                                                \
  X(cuGraphAddKernelNode, "cuGraphAddKernelNode_v2")                                               \
  X(cuGraphKernelNodeSetAttribute, "cuGraphKernelNodeSetAttribute")                                \
  X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags")                                    \
  X(cuGraphLaunch, "cuGraphLaunch")                                                                \
  X(cuGraphExecDestroy, "cuGraphExecDestroy")                                                      \
  X(cuGraphDestroy, "cuGraphDestroy")                                                              \
  X(cuEventCreate, "cuEventCreate")                                                                \
  X(cuEventRecord, "cuEventRecord")                                                                \
  X(cuEventSynchronize, "cuEventSynchronize")                                                      \
  X(cuEventElapsedTime, "cuEventElapsedTime")                                                      \
  X(cuEventDestroy, "cuEventDestroy_v2")
#define TILESCOPE_DECLARE(function, name) decltype(&::function) function##Fn = nullptr;
  TILESCOPE_CUDA_FUNCTIONS(TILESCOPE_DECLARE)
#undef TILESCOPE_DECLARE
};

/// The driver as its library has it. Graphs are in LoadedCudaGraph.cpp.
class LoadedCudaDriver : public CudaDriver {
public:
  explicit LoadedCudaDriver(const CudaApi &api) : m_api(api) {}

  Result<int> deviceCount() override;
  Result<DeviceInfo> device(int ordinal) override;
  Status openContext(int ordinal) override;
  Result<KernelHandle> loadKernel(const std::string &image, const std::string &symbol) override;
  Result<KernelAttributes> attributes(KernelHandle kernel) override;
  Status allowDynamicShared(KernelHandle kernel, int64_t bytes) override;
  Result<DeviceAddress> allocate(size_t bytes) override;
  Status release(DeviceAddress address) override;
  Status upload(DeviceAddress to, const void *from, size_t bytes) override;
  Status download(void *to, DeviceAddress from, size_t bytes) override;
  Status fillAsync(DeviceAddress to, uint8_t value, size_t bytes) override;
  Status copyAsync(DeviceAddress to, DeviceAddress from, size_t bytes) override;
  Result<TensorMapBytes> encodeTensorMap(const TensorMap &map) override;
  Status launch(KernelHandle kernel, const LaunchShape &shape, void **parameters) override;
  Result<GraphHandle> makeGraph(const std::vector<GraphKernel> &kernels) override;
  Status launchGraph(GraphHandle graph) override;
  Status releaseGraph(GraphHandle graph) override;
  Status synchronize() override;
  Result<EventHandle> createEvent() override;
  Status recordEvent(EventHandle event) override;
  Result<double> elapsedUs(EventHandle begin, EventHandle end) override;
  Status releaseEvent(EventHandle event) override;

  Status check(CUresult result, const char *function) const;

private:
  Status allowClusters(KernelHandle kernel, const LaunchShape &shape);
  Status addKernels(CUgraph graph, const std::vector<GraphKernel> &kernels);

  CudaApi m_api;
};

inline CUfunction functionOf(KernelHandle kernel) { return reinterpret_cast<CUfunction>(kernel); }

} // namespace tilescope::profiler
