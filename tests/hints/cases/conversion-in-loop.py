# Loaded along rows, stored along columns.
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 64, 64], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8, 64, 64] }
# n = 8
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B)
    c = tl.arange(0, B)
    for k in range(n):
        x = tl.load(x_ptr + k * B * B + r[:, None] * B + c[None, :])
        tl.store(o_ptr + k * B * B + r[:, None] + c[None, :] * B, x)
#|      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ conversion-in-loop: every iteration moves 16 KiB between warps to change a layout
#|   note: [3]
#|   note: `tt.load` in line 22 has the block in one layout, `tt.store` in line 23 needs it in another
#|   note: 2048 wavefronts of shared memory in all
#|   note: 128 KiB in all; accesses to memory move 256 KiB
#|   note: the conversion, and two barriers an iteration where it goes between warps
#|   note: move what needs the other layout after the loop, or let both work along the same dimension
