// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Parameters that describe a tensor in global memory, for the unit that copies blocks of it. The
// compiled kernel takes the description by value, then (as Triton does) the tensor's extents and
// strides:
//
//     a: tensordesc<fp16[128,64],swizzle=128>,  a.shape.0: i32,  a.shape.1: i32,
//     a.stride.0: i64,  a.stride.1: i64
//
// In a launch, `a` is a tensor like any other; all of these follow from it. A kernel whose compiler knows the tensor's extents
// has the tensor's address, and the description behind all that its source names; the tensor may have more elements, in any shape:
//
//     a: *fp16,  a: tensordesc<fp16[128,64],swizzle=128,of=1568x768>
#pragma once

#include "compiler/support/Result.h"
#include "compiler/types/SignatureType.h"
#include "profiler/data/TensorMap.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string_view>

namespace tilescope::profiler {

/// `parameter` is a descriptor as above; fails where the tensor cannot be described for it.
Result<TensorMap> describeTensor(const compiler::SignatureType &parameter, const PlanTensor &tensor,
                                 uint64_t address);

/// The value of a parameter such as `a.stride.0`; nothing for other names.
std::optional<PlanScalar> extentParameter(const LaunchPlan &plan, std::string_view parameter);

} // namespace tilescope::profiler
