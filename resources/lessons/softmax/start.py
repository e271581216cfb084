import triton
import triton.language as tl

# /// tilescope
# kernel = "softmax"
# grid = ["n_rows"]
# [sizes]
# n_rows = 128
# n_cols = 784
# [args]
# x_ptr   = { dtype = "fp32", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# out_ptr = { dtype = "fp32", shape = ["n_rows", "n_cols"], expected = "exp(x_ptr) / sum(exp(x_ptr), axis=1, keepdims=True)" }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# ///


@triton.jit
def softmax(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols

    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    denominator = tl.sum(tl.exp(x), axis=0)

    # The compiler may not reuse the first load: another program could have stored in between.
    tl.debug_barrier()
    again = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"), volatile=True)
    tl.store(out_ptr + row * n_cols + cols, tl.exp(again) / denominator, mask=mask)
