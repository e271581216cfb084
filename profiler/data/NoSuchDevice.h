// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>

namespace tilescope::profiler {

/// That `number` is none of a machine's `count` devices, which the command `list` lists.
inline Error noSuchDevice(int64_t number, int64_t count, const std::string &list) {
  return {ErrorCode::Environment,
          "there is no device " + std::to_string(number) + "; the number of devices is " +
              std::to_string(count),
          "`" + list + "` lists them"};
}

} // namespace tilescope::profiler
