import triton
import triton.language as tl

# /// tilescope
# kernel = "attention"
# grid = ["cdiv(n_queries, BLOCK_M)"]
# [sizes]
# n_queries = 128
# n_keys = 128
# [args]
# q_ptr   = { dtype = "fp16", shape = ["n_queries", 64], init = "randn", seed = 0 }
# k_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 1 }
# v_ptr   = { dtype = "fp16", shape = ["n_keys", 64], init = "randn", seed = 2 }
# out_ptr = { dtype = "fp16", shape = ["n_queries", 64], expected = "exp(q_ptr @ k_ptr.T * 0.125) @ v_ptr / sum(exp(q_ptr @ k_ptr.T * 0.125), axis=1, keepdims=True)", rtol = 1e-2, atol = 1e-2 }
# [constexprs]
# BLOCK_M = 64
# BLOCK_N = 64
# KEYS = "next_power_of_2(n_keys)"
# ///


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, n_queries, n_keys,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, KEYS: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, 64)
    q = tl.load(q_ptr + rows[:, None] * 64 + dims[None, :], mask=rows[:, None] < n_queries, other=0.0)

    m = tl.full([BLOCK_M], -float("inf"), tl.float32)
    l = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, 64], tl.float32)
    for start in range(0, n_keys, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + keys[None, :] * 64 + dims[:, None], mask=keys[None, :] < n_keys, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * 64 + dims[None, :], mask=keys[:, None] < n_keys, other=0.0)
        s = tl.dot(q, k) * 0.125
        s = tl.where(keys[None, :] < n_keys, s, -float("inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp(s - m_new[:, None])
        scale = tl.exp(m - m_new)
        l = l * scale + tl.sum(p, axis=1)
        acc = acc * scale[:, None] + tl.dot(p.to(tl.float16), v)
        m = m_new
    out = acc / l[:, None]
    tl.store(out_ptr + rows[:, None] * 64 + dims[None, :], out.to(tl.float16), mask=rows[:, None] < n_queries)
