// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MemoryFill.h"

namespace tilescope::app {

/// A number that few results come near; negative for `Small`, or 0 where there are no negative ones.
static double fillOf(profiler::Dtype dtype, MemoryFill fill) {
  const size_t bytes = profiler::dtypeSize(dtype);
  const double large = profiler::isFloat(dtype) ? (bytes == 1 ? 200 : 1e4)
                       : bytes == 1             ? (dtype == profiler::Dtype::Int1 ? 1 : 100)
                       : bytes == 2             ? 3e4
                                                : 1e9;
  return fill == MemoryFill::Large ? large : profiler::isSigned(dtype) ? -large : 0;
}

void fillMemory(profiler::LaunchPlan &plan, MemoryFill fill) {
  if (fill == MemoryFill::Poison)
    return;
  for (profiler::PlanArgument &argument : plan.args)
    if (auto *tensor = std::get_if<profiler::PlanTensor>(&argument.value);
        tensor && tensor->init.kind == profiler::TensorInit::Kind::Poison) {
      tensor->init.kind = profiler::TensorInit::Kind::Full;
      tensor->init.value = fillOf(tensor->dtype, fill);
    }
}

} // namespace tilescope::app
