# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# The import is missed once, not at every use.
import triton


@triton.jit
def k(p):
    i = tl.arange(0, 16)
#|      ^^ undefined-name: `tl` is not imported
#|   fix: add `import triton.language as tl`
    x = tl.load(p + i)
    y = np.exp(1.0)
#|      ^^ undefined-name: `np` is not defined
#|   note: kernels cannot use NumPy: it runs on the CPU, outside of kernels
#|   note: kernels have `tl.exp`
    z = math.pi
#|      ^^^^ undefined-name: `math` is not imported
#|   fix: add `import math`
