import triton
import triton.language as tl

# /// tilescope
# kernel = "row_argmax"
# grid = ["n_rows"]
# [sizes]
# n_rows = 16
# n_cols = 100
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randint", seed = 0, low = -9, high = -1 }
# out_ptr = { dtype = "i32", shape = ["n_rows"], expected = "argmax(x_ptr, axis=1)" }
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def row_argmax(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + row, tl.argmin(x, axis=0))
