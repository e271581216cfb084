// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <cuda.h>

namespace tilescope::profiler {

inline CUtensorMapDataType tensorMapType(Dtype dtype) {
  switch (dtype) {
  case Dtype::Int16:
  case Dtype::Uint16:
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  case Dtype::Int32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case Dtype::Uint32:
    return CU_TENSOR_MAP_DATA_TYPE_UINT32;
  case Dtype::Int64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  case Dtype::Uint64:
    return CU_TENSOR_MAP_DATA_TYPE_UINT64;
  case Dtype::Fp16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case Dtype::Bf16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case Dtype::Fp32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case Dtype::Fp64:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  default:
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

inline CUtensorMapSwizzle tensorMapSwizzle(int32_t bytes) {
  return bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                       : CU_TENSOR_MAP_SWIZZLE_NONE;
}

} // namespace tilescope::profiler
