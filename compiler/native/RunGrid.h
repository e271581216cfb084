// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/NativeKernel.h"

#include <array>
#include <functional>
#include <span>
#include <stop_token>

namespace tilescope::native {

struct GridOptions {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// 0: one per processor.
  unsigned numThreads = 0;
  /// Asked between programs.
  std::stop_token stop;
  /// Told how many programs have ended, now and then, from the calling thread.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

/// Executes all programs, those with low indices first; false where it was stopped. `arguments`: a
/// word each, as `Program` takes them.
bool runGrid(const NativeKernel &kernel, std::span<const uint64_t> arguments,
             const GridOptions &options);

} // namespace tilescope::native
