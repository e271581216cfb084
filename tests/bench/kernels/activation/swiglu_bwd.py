# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""SwiGLU backward on bf16: gradients of gate and up from one pass over flat data."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "swiglu_bwd"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 67108864
# [args]
# dout_ptr = { dtype = "bf16", shape = ["n"], init = "randn", seed = 0 }
# gate_ptr = { dtype = "bf16", shape = ["n"], init = "randn", seed = 1 }
# up_ptr = { dtype = "bf16", shape = ["n"], init = "randn", seed = 2 }
# dgate_ptr = { dtype = "bf16", shape = ["n"] }
# dup_ptr = { dtype = "bf16", shape = ["n"] }
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "10 * n"
# ///


@triton.jit
def swiglu_bwd(dout_ptr, gate_ptr, up_ptr, dgate_ptr, dup_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    dout = tl.load(dout_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    gate = tl.load(gate_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    sigmoid = tl.sigmoid(gate)
    silu = gate * sigmoid
    dgate = dout * up * (silu * (1.0 - sigmoid) + sigmoid)
    tl.store(dgate_ptr + offsets, dgate.to(tl.bfloat16), mask=mask)
    tl.store(dup_ptr + offsets, (dout * silu).to(tl.bfloat16), mask=mask)
