// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of NVIDIA's driver that a model needs, declared here so that it builds without the CUDA Toolkit. Types and
// numbers are those of cuda.h; libcuda is opened at run time.
#pragma once

#include <cstddef>

namespace tilescope_deploy::cuda {

using Result = int;
using Device = int;
using Address = unsigned long long;
using Context = struct OpaqueContext *;
using Module = struct OpaqueModule *;
using Function = struct OpaqueFunction *;
using Stream = struct OpaqueStream *;
using Graph = struct OpaqueGraph *;
using GraphNode = struct OpaqueGraphNode *;
using GraphExec = struct OpaqueGraphExec *;

inline constexpr Result kOutOfMemory = 2;
/// Attributes of a device, of a function, of a launch.
inline constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;
inline constexpr int kMostDynamicShared = 8, kNonPortableClusters = 14;
inline constexpr int kClusterDimension = 4;
inline constexpr unsigned kStreamNonBlocking = 1;

/// CUDA_KERNEL_NODE_PARAMS of version 2.
struct KernelNode {
  Function function;
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  void **parameters;
  void **extra;
  void *kernel;
  Context context;
};

/// CUlaunchAttributeValue
union LaunchAttribute {
  char bytes[64];
  unsigned cluster[3];
};

/// CUtensorMap
struct alignas(128) TensorMap {
  unsigned long long words[16];
};

#define TILESCOPE_CUDA_DEPLOYED(X)                                                                 \
  X(init, "cuInit", (unsigned))                                                                    \
  X(errorName, "cuGetErrorName", (Result, const char **))                                          \
  X(errorText, "cuGetErrorString", (Result, const char **))                                        \
  X(deviceCount, "cuDeviceGetCount", (int *))                                                      \
  X(deviceGet, "cuDeviceGet", (Device *, int))                                                     \
  X(deviceName, "cuDeviceGetName", (char *, int, Device))                                          \
  X(deviceAttribute, "cuDeviceGetAttribute", (int *, int, Device))                                 \
  X(retainContext, "cuDevicePrimaryCtxRetain", (Context *, Device))                                \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", (Device))                                      \
  X(pushContext, "cuCtxPushCurrent_v2", (Context))                                                 \
  X(popContext, "cuCtxPopCurrent_v2", (Context *))                                                 \
  X(loadModule, "cuModuleLoadData", (Module *, const void *))                                      \
  X(unloadModule, "cuModuleUnload", (Module))                                                      \
  X(getFunction, "cuModuleGetFunction", (Function *, Module, const char *))                        \
  X(setFunctionAttribute, "cuFuncSetAttribute", (Function, int, int))                              \
  X(allocate, "cuMemAlloc_v2", (Address *, size_t))                                                \
  X(release, "cuMemFree_v2", (Address))                                                            \
  X(upload, "cuMemcpyHtoDAsync_v2", (Address, const void *, size_t, Stream))                       \
  X(download, "cuMemcpyDtoHAsync_v2", (void *, Address, size_t, Stream))                           \
  X(createStream, "cuStreamCreate", (Stream *, unsigned))                                          \
  X(waitForStream, "cuStreamSynchronize", (Stream))                                                \
  X(destroyStream, "cuStreamDestroy_v2", (Stream))                                                 \
  X(encodeMap, "cuTensorMapEncodeTiled",                                                           \
    (TensorMap *, int, unsigned, void *, const unsigned long long *, const unsigned long long *,   \
     const unsigned *, const unsigned *, int, int, int, int))                                      \
  X(createGraph, "cuGraphCreate", (Graph *, unsigned))                                             \
  X(addKernel, "cuGraphAddKernelNode_v2",                                                          \
    (GraphNode *, Graph, const GraphNode *, size_t, const KernelNode *))                           \
  X(setKernelAttribute, "cuGraphKernelNodeSetAttribute",                                           \
    (GraphNode, int, const LaunchAttribute *))                                                     \
  X(instantiate, "cuGraphInstantiateWithFlags", (GraphExec *, Graph, unsigned long long))          \
  X(launchGraph, "cuGraphLaunch", (GraphExec, Stream))                                             \
  X(destroyExec, "cuGraphExecDestroy", (GraphExec))                                                \
  X(destroyGraph, "cuGraphDestroy", (Graph))

struct Driver {
#define TILESCOPE_DECLARE(name, symbol, parameters) Result(*name) parameters = nullptr;
  TILESCOPE_CUDA_DEPLOYED(TILESCOPE_DECLARE)
#undef TILESCOPE_DECLARE

  /// Throws a `Failure` that names the function and the error.
  void check(Result result, const char *what) const;
};

/// Opens libcuda and starts it. Throws a `Failure` that says what is missing.
const Driver &driver();

} // namespace tilescope_deploy::cuda
