# Of about 88 registers that a thread needs, it gets 64, so that more threads fit.
import triton
import triton.language as tl


# /// tilescope
# kernel = "rope"
# grid = ["cdiv(seq_len, BLOCK_S)", "n_heads"]
# [sizes]
# seq_len = 130
# n_heads = 6
# [args]
# q_ptr   = { dtype = "fp32", shape = ["seq_len", "n_heads", "D"], init = "randn" }
# cos_ptr = { dtype = "fp32", shape = ["seq_len", "D // 2"], init = "randn", seed = 1 }
# sin_ptr = { dtype = "fp32", shape = ["seq_len", "D // 2"], init = "randn", seed = 2 }
# seq_len = "seq_len"
# n_heads = "n_heads"
# [constexprs]
# BLOCK_S = 32
# D       = 128
# [options]
# num_stages = 3
# num_warps  = 4
# ///


@triton.jit
def rope(q_ptr, cos_ptr, sin_ptr, seq_len, n_heads, D: tl.constexpr, BLOCK_S: tl.constexpr):
#|  ^~~~ registers-spilled: each thread spills
#|   note: since Tilescope keeps to 64 registers a thread, so that a multiprocessor holds 1024 threads; Triton has no such limit
#|   note: [3]
#|   note: measure it with `maxnreg = 255` in `[options]`, which takes the limit away
#|   fix: set `maxnreg` to 255
    s = tl.program_id(0) * BLOCK_S + tl.arange(0, BLOCK_S)
    head = tl.program_id(1)
    half = tl.arange(0, D // 2)
    m = s[:, None] < seq_len
    c = tl.load(cos_ptr + s[:, None] * (D // 2) + half[None, :], mask=m, other=1.0)
    si = tl.load(sin_ptr + s[:, None] * (D // 2) + half[None, :], mask=m, other=0.0)
    d = tl.arange(0, D)
    p = q_ptr + (s[:, None] * n_heads + head) * D + d[None, :]
    q = tl.load(p, mask=m, other=0.0)
    even, odd = tl.split(tl.reshape(q, (BLOCK_S, D // 2, 2)))
    out = tl.join(even * c - odd * si, even * si + odd * c)
    tl.store(p, tl.reshape(out, (BLOCK_S, D)), mask=m)