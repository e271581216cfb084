# Blocks that are read backwards: what neighboring lanes load are neighbors all the same.
#| none: uncoalesced-access
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [4]
# [args]
# x_ptr = { dtype = "fp32", shape = [8192], init = "randn" }
# y_ptr = { dtype = "fp32", shape = [64, 128], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8192] }
# p_ptr = { dtype = "fp32", shape = [64, 128] }
# [constexprs]
# BLOCK = "2048"
# ///


@triton.jit
def k(x_ptr, y_ptr, o_ptr, p_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + i, tl.load(x_ptr + 8191 - i))
    r = tl.program_id(0) * 16 + tl.arange(0, 16)[:, None]
    c = tl.arange(0, 128)[None, :]
    tl.store(p_ptr + r * 128 + c, tl.load(y_ptr + r * 128 + (127 - c)))
