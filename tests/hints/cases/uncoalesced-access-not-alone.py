# Requests of which one lane is on, and touches one sector: there are no fewer.
#| none: uncoalesced-access
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [64]
# [args]
# i_ptr = { dtype = "i32", shape = [64], init = "randint", high = 65536 }
# x_ptr = { dtype = "fp32", shape = [65536], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [64] }
# [constexprs]
# BLOCK = "64"
# ///


@triton.jit
def k(i_ptr, x_ptr, o_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    at = tl.load(i_ptr + pid + lane, mask=lane < 1, other=0)
    x = tl.load(x_ptr + at, mask=lane < 1, other=0.0)
    tl.store(o_ptr + pid, tl.sum(x, axis=0))
