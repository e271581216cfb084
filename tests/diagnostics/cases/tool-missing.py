# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


#| set to cubin
#| set env TILESCOPE_PTXAS=none
#| set env TILESCOPE_NVJITLINK=none
#| tool-missing: no machine code: no assembler was found
#|   note: CUDA Toolkit
@triton.jit
def k(p):
    tl.store(p, 1.0)
