# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A first line with a slash too few would leave the whole block unread.
import triton
import triton.language as tl


# // tilescope
#| @1-15 launch-block-invalid: `# // tilescope` does not begin a launch block
#|   note: did you mean `# /// tilescope`?
#|   fix: write `# /// tilescope` | # /// tilescope
# grid = [1]
# [args]
# y_ptr = { dtype = "fp32", shape = [64] }
# ///


@triton.jit
def k(y_ptr):
    i = tl.arange(0, 64)
    tl.store(y_ptr + i, i)
