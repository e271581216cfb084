import triton
import triton.language as tl

# /// tilescope
# kernel = "transpose"
# grid = ["n_rows", "cdiv(n_cols, BLOCK)"]
# [sizes]
# n_rows = 512
# n_cols = 256
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_cols", "n_rows"], expected = "x_ptr.T" }
# [constexprs]
# BLOCK = 64
# ///


@triton.jit
def transpose(x_ptr, out_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols)
    tl.store(out_ptr + cols * n_rows + row, x, mask=cols < n_cols)
