# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# LLVM finds these errors, and knows no place for them.
import triton
import triton.language as tl


#| set to ptx
#| set signature x_ptr=*i32
#| set constexpr B=64
@triton.jit
def k(x_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    y = tl.inline_asm_elementwise("mov.b32 ${0:Z}, $1;", "=r,r", [i], dtype=tl.int32, is_pure=True, pack=1)
#|      ^~ pass-failed: invalid operand in inline asm
    tl.store(x_ptr + i, y)
