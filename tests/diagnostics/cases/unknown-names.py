# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Names that neither the kernel nor the launch has.
import triton
import triton.language as tl


#| set signature x=*fp32,n=i32
#| set constexpr BLOK=32
#| set option num_wraps=8
@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr = 64):
#|  ^ signature-invalid: `k` has no parameter `x`: `*fp32` is not used
#|  ^ signature-invalid: `k` has no parameter `BLOK`: `32` is not used
#|   note: did you mean `BLOCK`?
#|  ^ option-invalid: launches have no option `num_wraps`: it is ignored
#|   note: did you mean `num_warps`?
    tl.store(x_ptr + tl.arange(0, BLOCK), n)
