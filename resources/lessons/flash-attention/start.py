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

    keys = tl.arange(0, KEYS)
    k = tl.load(k_ptr + keys[None, :] * 64 + dims[:, None])
    v = tl.load(v_ptr + keys[:, None] * 64 + dims[None, :])
    s = tl.dot(q, k) * 0.125
    p = tl.exp(s - tl.max(s, axis=1)[:, None])
    out = tl.dot(p.to(tl.float16), v) / tl.sum(p, axis=1)[:, None]
    tl.store(out_ptr + rows[:, None] * 64 + dims[None, :], out.to(tl.float16), mask=rows[:, None] < n_queries)
