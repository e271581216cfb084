// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::profiler {

/// The element type that PyTorch calls `torch.float32`. Nothing: no type of ours.
std::optional<Dtype> dtypeOfTorch(std::string_view name);

/// What PyTorch calls an element type; of a type that it lacks, its name in Triton.
std::string torchName(Dtype dtype);

} // namespace tilescope::profiler
