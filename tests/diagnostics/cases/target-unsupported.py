# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set target cuda:70
#| target-unsupported: unknown target `cuda:70`
#|   note: known targets are `cuda:80`
@triton.jit
def k(p):
    tl.store(p, 1.0)
