# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set hook crash canonicalize
#| stage-crashed: the compiler crashed while making TTIR in `canonicalize`
#|   note: a reproducer was saved in
@triton.jit
def k(p):
    tl.store(p, 1.0)
