// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/types/ScalarKind.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tilescope::profiler {

/// Element types of tensors and scalars in memory, little-endian: all scalar types but `void`.
/// `i1` takes one byte, 0 or 1.
using Dtype = compiler::ScalarKind;

/// The element types, in order.
std::span<const compiler::ScalarInfo> allDtypes();

/// Triton's name: `i1`, `i32`, `u8`, `fp16`, `bf16`, `fp8e4nv`, ….
constexpr std::string_view dtypeName(Dtype dtype) {
  return compiler::scalarInfo(dtype).signatureName;
}
/// Accepts Triton's names, the language's (`int8`), and `u1` and `bool` for `i1`.
std::optional<Dtype> parseDtype(std::string_view name);
/// The type that a name stands for which is none of these: C's, PyTorch's, or a misspelled one:
/// `float`, `torch.float32`, `f32`, `fp23`.
std::optional<Dtype> meantDtype(std::string_view name);

size_t dtypeSize(Dtype dtype);
bool isFloat(Dtype dtype);
/// Floating types are; `i1` is not.
bool isSigned(Dtype dtype);

/// Distance from 1 to the next larger number of a floating type; 0 for integers.
double dtypeEpsilon(Dtype dtype);

} // namespace tilescope::profiler
