// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/target/CudaToolkit.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// Machine code as text.
struct Disassembly {
  std::string text;
  /// For every line of `text` the line of the PTX it was made from, 0-based; -1: unknown.
  std::vector<int32_t> ptxLines;
};

/// Runs `nvdisasm`, which the toolkit must have, until a stop is requested. Needs a cubin with line
/// information for `ptxLines`.
Result<Disassembly> disassemble(const CudaToolkit &toolkit, std::string_view cubin,
                                std::chrono::milliseconds timeout,
                                const std::stop_token &stop = {});

/// Takes the line marks out of what `nvdisasm -c -gp` writes and drops sections without code.
Disassembly parseDisassembly(std::string_view output);

} // namespace tilescope::compiler
