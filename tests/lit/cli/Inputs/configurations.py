import triton
import triton.language as tl


# /// tilescope
# kernel = "double"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# [args]
# x_ptr = { dtype = "fp32", shape = ["n"], init = "randn" }
# y_ptr = { dtype = "fp32", shape = ["n"], init = "empty", expected = "2 * x_ptr" }
# n     = "n"
# [constexprs]
# BLOCK = 64
# ///
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64}, num_warps=2),
        triton.Config({"BLOCK": 96}, num_warps=2),
        triton.Config({"BLOCK": 128}, num_warps=3),
    ],
    key=["n"],
)
@triton.jit
def double(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, 2 * tl.load(x_ptr + i, mask=i < n), mask=i < n)
