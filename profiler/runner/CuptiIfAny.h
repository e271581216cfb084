// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/Cupti.h"

#include <memory>
#include <string>

namespace tilescope::profiler {

/// CUPTI, or why this machine does not have it: without it, times come from events.
struct CuptiIfAny {
  std::unique_ptr<Cupti> cupti;
  std::string reason;
};

inline CuptiIfAny cuptiIfAny() {
  auto loaded = loadCupti();
  if (!loaded)
    return {nullptr, loaded.error().message + "; " + loaded.error().hint};
  return {std::move(*loaded), ""};
}

} // namespace tilescope::profiler
