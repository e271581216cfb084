// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

namespace tilescope::profiler {

/// A number as memory of the type holds it: as `writeElement` and `readElement` behind it, but fast
/// for most numbers of `fp16` and `bf16`.
double heldAs(Dtype dtype, double value);

} // namespace tilescope::profiler
