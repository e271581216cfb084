# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""SwiGLU forward on bf16: silu(gate) * up, a row of the hidden layer at a time."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "swiglu_fwd"
# grid = ["n_rows"]
# [sizes]
# n_rows = 8192
# n_cols = 11008
# [args]
# gate_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 0 }
# up_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["n_rows", "n_cols"] }
# [constexprs]
# BLOCK = "next_power_of_2(n_cols)"
# [options]
# num_warps = 16
# [work]
# bytes = "6 * n_rows * n_cols"
# ///


@triton.jit
def swiglu_fwd(gate_ptr, up_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n_cols
    base = tl.program_id(0).to(tl.int64) * n_cols
    gate = tl.load(gate_ptr + base + offsets, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + base + offsets, mask=mask, other=0.0)
    silu = gate * tl.sigmoid(gate)
    tl.store(out_ptr + base + offsets, silu.to(tl.bfloat16) * up, mask=mask)
