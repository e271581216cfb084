import triton
import triton.language as tl

# /// tilescope
# kernel = "row_means"
# grid = ["n_rows"]
# [sizes]
# n_rows = 4
# n_cols = 32768
# [args]
# x_ptr    = { dtype = "fp16", shape = ["n_rows", "n_cols"], init = "rand", seed = 0, low = 0.0, high = 2.0 }
# mean_ptr = { dtype = "fp32", shape = ["n_rows"], expected = "mean(x_ptr, axis=1)", rtol = 5e-3 }
# [constexprs]
# BLOCK = 4
# [options]
# num_warps = 1
# ///


@triton.jit
def row_means(x_ptr, mean_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        sums += tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    tl.store(mean_ptr + row, tl.sum(sums, axis=0) / n_cols)
