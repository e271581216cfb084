// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What exported sources declare of the driver is what its header declares.
#include "profiler/deploy/runtime/tilescope_cuda.h"

#include <cuda.h>

#include <catch2/catch.hpp>
#include <cstddef>

using namespace tilescope_deploy::cuda;

static_assert(sizeof(KernelNode) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
static_assert(offsetof(KernelNode, sharedBytes) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes));
static_assert(offsetof(KernelNode, parameters) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
static_assert(offsetof(KernelNode, context) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, ctx));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttributeValue));
static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) &&
              alignof(TensorMap) >= alignof(CUtensorMap));
static_assert(sizeof(Address) == sizeof(CUdeviceptr) && sizeof(Device) == sizeof(CUdevice));

TEST_CASE("numbers of exported sources are those of the driver's header", "[deploy]") {
  CHECK(kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(kCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  CHECK(kCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  CHECK(kMostDynamicShared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  CHECK(kNonPortableClusters == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  CHECK(kClusterDimension == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  CHECK(kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
  // As plans have them.
  CHECK(CU_TENSOR_MAP_DATA_TYPE_FLOAT32 == 7);
  CHECK(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9);
  CHECK(CU_TENSOR_MAP_SWIZZLE_128B == 3);
  CHECK(CU_TENSOR_MAP_L2_PROMOTION_L2_128B == 2);
}
