// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Writes widening multiplications by powers of two as a conversion and a shift, where an innermost
/// loop with products of warp groups adds what was multiplied before it. The assembler would
/// multiply again in the loop for each address, which takes a register less:
///
///     mul.wide.s32 %rd2, %r1, 2;  …  add.s64 %rd3, %rd1, %rd2;      IMAD.WIDE r3, r1, 2, rd1
///
/// While a product is under way, that instruction waits to be dispatched (on sm_90, kernels took up
/// to 1.13 times as long); an addition in two halves does not.
std::string shiftLoopOffsets(std::string_view ptx);

} // namespace tilescope::compiler
