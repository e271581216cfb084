# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set option num_ctas=2
#| option-invalid: `num_ctas` is `2`, but is treated as `1`
@triton.jit
def k(p):
    tl.store(p, 1.0)
