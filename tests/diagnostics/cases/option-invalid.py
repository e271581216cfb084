# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set option num_ctas=3
#| option-invalid: `num_ctas` is `3`; it must be a power of two
@triton.jit
def k(p):
    tl.store(p, 1.0)
