# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set hook memory canonicalize
#| set env TILESCOPE_MEMORY_LIMIT_MB=1024
#| stage-out-of-memory: the compiler ran out of memory while making TTIR
#|   note: a reproducer was saved in
@triton.jit
def k(p):
    tl.store(p, 1.0)
