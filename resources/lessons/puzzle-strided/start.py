import triton
import triton.language as tl

# /// tilescope
# kernel = "add_strided"
# grid = ["cdiv(m, BLOCK)", "cdiv(n, BLOCK)"]
# [sizes]
# m = 50
# n = 70
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m", "n"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n", "m"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr + y_ptr.T" }
# [constexprs]
# BLOCK = 32
# ///


@triton.jit
def add_strided(x_ptr, y_ptr, out_ptr, m, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    offsets = rows[:, None] * n + cols[None, :]
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)
