// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::tests {

/// A kernel file that can be run.
inline constexpr const char *kSmallKernel = R"py(import triton
import triton.language as tl

# /// tilescope
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [16] }
# ///

@triton.jit
def k(x_ptr):
    tl.store(x_ptr + tl.arange(0, 16), 1.0)
)py";

} // namespace tilescope::tests
