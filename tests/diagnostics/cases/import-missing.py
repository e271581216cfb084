# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# A kernel that stands there in plain sight is one, once `triton` is imported.


# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# p = { dtype = "fp32", shape = [16] }
# ///
@triton.jit
#| @2-8 undefined-name: `triton` is not imported: without `import triton`, `@triton.jit` does not make `k` a kernel
#|   fix: add `import triton` and `import triton.language as tl`
def k(p):
    tl.store(p, 1.0)
