# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


# /// tilescope
# kernel = "k"
# grid = [1]

#| @1-1 launch-block-invalid: an empty line ends the launch block before its `# ///`
#|   note: begin the line with `#`
#|   fix: write `#` | #
# [args]
# x_ptr = { dtype = "fp32", shape = [64] }
# ///


@triton.jit
def k(x_ptr):
    tl.store(x_ptr, 1.0)
