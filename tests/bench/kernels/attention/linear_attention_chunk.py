# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Linear attention: chunks of a sequence in order, with the state of keys and values kept in registers."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "linear_attention_chunk"
# grid = ["heads", "128 // BLOCK_V"]
# [sizes]
# heads = 128
# length = 4096
# [args]
# q_ptr = { dtype = "bf16", shape = ["heads", "length", 64], init = "randn", seed = 0, scale = 0.125 }
# k_ptr = { dtype = "bf16", shape = ["heads", "length", 64], init = "randn", seed = 1, scale = 0.125 }
# v_ptr = { dtype = "bf16", shape = ["heads", "length", 128], init = "randn", seed = 2 }
# out_ptr = { dtype = "bf16", shape = ["heads", "length", 128] }
# [constexprs]
# CHUNK = 64
# DIM = 64
# BLOCK_V = 64
# [options]
# num_warps = 4
# num_stages = 2
# [work]
# bytes = "2 * heads * length * 384"
# ///


@triton.jit
def linear_attention_chunk(
    q_ptr, k_ptr, v_ptr, out_ptr, length, CHUNK: tl.constexpr, DIM: tl.constexpr, BLOCK_V: tl.constexpr
):
    head = tl.program_id(0)
    values = tl.program_id(1) * BLOCK_V + tl.arange(0, BLOCK_V)
    rows = tl.arange(0, CHUNK)
    dims = tl.arange(0, DIM)
    state = tl.zeros([DIM, BLOCK_V], dtype=tl.float32)
    for start in range(0, length, CHUNK):
        position = head * length + start + rows
        q = tl.load(q_ptr + position[:, None] * DIM + dims[None, :])
        k = tl.load(k_ptr + position[None, :] * DIM + dims[:, None])
        v = tl.load(v_ptr + position[:, None] * 128 + values[None, :])
        scores = tl.dot(q, k)
        scores = tl.where(rows[:, None] >= rows[None, :], scores, 0.0)
        out = tl.dot(scores.to(tl.bfloat16), v)
        out = tl.dot(q, state.to(tl.bfloat16), out)
        tl.store(out_ptr + position[:, None] * 128 + values[None, :], out.to(tl.bfloat16))
        state = tl.dot(k, v, state)
