import triton
import triton.language as tl

# /// tilescope
# kernel = "row_sums"
# grid = ["n_rows"]
# [sizes]
# n_rows = 64
# n_cols = 2048
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "sum(x_ptr, axis=1)", atol = 1e-3 }
# [constexprs]
# BLOCK = 128
# ///


@triton.jit
def row_sums(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))
