import triton
import triton.language as tl

# /// tilescope
# kernel = "outer"
# grid = ["cdiv(m, BLOCK)", "cdiv(n, BLOCK)"]
# [sizes]
# m = 100
# n = 70
# [args]
# x_ptr   = { dtype = "fp32", shape = ["m"], init = "randn", seed = 0 }
# y_ptr   = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# out_ptr = { dtype = "fp32", shape = ["m", "n"], expected = "x_ptr[:, None] + y_ptr[None, :]" }
# [constexprs]
# BLOCK = 32
# ///


@triton.jit
def outer(x_ptr, y_ptr, out_ptr, m, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows, mask=rows < m)
    tl.store(out_ptr + rows, x, mask=rows < m)
