# Powers of 2.
#| none: scaled-exponential
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# q_ptr = { dtype = "fp16", shape = [128, 64], init = "randn" }
# k_ptr = { dtype = "fp16", shape = [256, 64], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [128, 64] }
# scale = 0.125
# n = 256
# [constexprs]
# B = "64"
# D = "64"
# ///


@triton.jit
def k(q_ptr, k_ptr, o_ptr, scale, n, B: tl.constexpr, D: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + m[:, None] * D + d[None, :])
    acc = tl.zeros((B, D), dtype=tl.float32)
    most = tl.full((B,), -1.0e30, dtype=tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        key = tl.load(k_ptr + at[:, None] * D + d[None, :])
        s = tl.dot(q, tl.trans(key)) * scale
        now = tl.maximum(most, tl.max(s, axis=1))
        p = tl.exp2(s - now[:, None])
        acc = acc * tl.exp2(most - now)[:, None]
        acc = tl.dot(p.to(tl.float16), key, acc)
        most = now
    tl.store(o_ptr + m[:, None] * D + d[None, :], acc)
