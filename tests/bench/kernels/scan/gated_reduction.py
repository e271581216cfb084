# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Chunk states of a gated sequence: keys decay to the end of their chunk, then meet the values in a product."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gated_reduction"
# grid = ["heads", "length // CHUNK"]
# [sizes]
# heads = 128
# length = 4096
# [args]
# k_ptr = { dtype = "bf16", shape = ["heads", "length", 64], init = "randn", seed = 0 }
# v_ptr = { dtype = "bf16", shape = ["heads", "length", 64], init = "randn", seed = 1 }
# gate_ptr = { dtype = "fp32", shape = ["heads", "length"], init = "rand", seed = 2, low = -0.1, high = 0.0 }
# state_ptr = { dtype = "fp32", shape = ["heads", "length//CHUNK", 64, 64] }
# [constexprs]
# CHUNK = 64
# DIM = 64
# [options]
# num_warps = 4
# [work]
# bytes = "heads * length * (4 * 64 + 4 + 4 * 64)"
# ///


@triton.jit
def gated_reduction(
    k_ptr, v_ptr, gate_ptr, state_ptr, length, CHUNK: tl.constexpr, DIM: tl.constexpr
):
    head = tl.program_id(0)
    chunk = tl.program_id(1)
    times = head * length + chunk * CHUNK + tl.arange(0, CHUNK)
    dims = tl.arange(0, DIM)
    gate = tl.load(gate_ptr + times)
    decay = tl.exp(tl.sum(gate, axis=0) - tl.cumsum(gate, axis=0))
    k = tl.load(k_ptr + times[None, :] * DIM + dims[:, None])
    v = tl.load(v_ptr + times[:, None] * DIM + dims[None, :])
    k = (k * decay[None, :]).to(tl.bfloat16)
    state = tl.dot(k, v)
    place = (head * (length // CHUNK) + chunk) * DIM * DIM
    tl.store(state_ptr + place + dims[:, None] * DIM + dims[None, :], state)
