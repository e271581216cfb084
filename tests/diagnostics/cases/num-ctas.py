# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set target cuda:80
#| set option num_ctas=2
#| option-invalid: option `num_ctas` is above 1; clusters need `cuda:90` or newer
@triton.jit
def k(p):
    tl.store(p, 1.0)
