// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/RunGrid.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::tests {

/// How a kernel was compiled and executed.
struct NativeRun {
  bool completed = false;
  std::optional<native::GridFault> fault;
  std::vector<native::FailedAssertion> assertions;
  /// Of the lowering, one per line.
  std::string errors;
  std::string cpuIr, assembly;
};

/// Parses a module of TTIR, as a file `kernel.ttir`, and executes its public function as code of this machine. `words`: the
/// arguments, addresses or bits of scalars.
NativeRun runNative(std::string_view text, std::array<int32_t, 3> grid,
                    const std::vector<uint64_t> &words, const native::NativeOptions &options = {},
                    native::GridOptions gridOptions = {});

/// The kernel alone; throws where it does not compile.
native::NativeKernel compiledKernel(std::string_view text,
                                    const native::NativeOptions &options = {});

template <typename T> uint64_t word(std::vector<T> &memory) {
  return reinterpret_cast<uint64_t>(memory.data());
}

} // namespace tilescope::tests
