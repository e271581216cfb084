// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::profiler {

/// Element types of tensors and scalars in memory, little-endian. `I1` takes one byte, 0 or 1.
enum class Dtype : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  Fp8E4Nv,
  Fp8E5,
  Fp8E4B8,
  Fp8E5B16,
  Fp8E4B15,
  Fp16,
  Bf16,
  Fp32,
  Fp64,
};
inline constexpr int kNumDtypes = 18;

/// Triton's name: `i1`, `i32`, `u8`, `fp16`, `bf16`, `fp8e4nv`, ….
std::string_view dtypeName(Dtype dtype);
/// Accepts Triton's names, the language's (`int8`), and `u1` and `bool` for `i1`.
std::optional<Dtype> parseDtype(std::string_view name);

size_t dtypeSize(Dtype dtype);
bool isFloat(Dtype dtype);
/// Of the integers, `I1` included.
bool isSigned(Dtype dtype);

/// Distance from 1 to the next larger number of a floating type; 0 for integers.
double dtypeEpsilon(Dtype dtype);

} // namespace tilescope::profiler
