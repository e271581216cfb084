import triton
import triton.language as tl

# /// tilescope
# kernel = "histogram"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 3000
# [args]
# x_ptr      = { dtype = "i32", shape = ["n"], init = "randint", seed = 0, low = 0, high = 16 }
# values_ptr = { dtype = "i32", shape = [16], init = "arange" }
# out_ptr    = { dtype = "i32", shape = [16], init = "zeros", expected = "sum(where(x_ptr[:, None] == values_ptr[None, :], 1, 0), axis=0)" }
# [constexprs]
# BLOCK = 1024
# ///


@triton.jit
def histogram(x_ptr, values_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    count = tl.load(out_ptr + x, mask=mask)
    tl.store(out_ptr + x, count + 1, mask=mask)
