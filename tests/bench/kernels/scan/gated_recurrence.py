# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Gated recurrence step by step through time, one block of channels for each program."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "gated_recurrence"
# grid = ["batch", "cdiv(channels, BLOCK)"]
# [sizes]
# batch = 128
# length = 512
# channels = 2048
# [args]
# x_ptr = { dtype = "bf16", shape = ["batch", "length", "channels"], init = "randn", seed = 0 }
# gate_ptr = { dtype = "bf16", shape = ["batch", "length", "channels"], init = "randn", seed = 1 }
# out_ptr = { dtype = "bf16", shape = ["batch", "length", "channels"] }
# [constexprs]
# BLOCK = 256
# [options]
# num_warps = 2
# [work]
# bytes = "6 * batch * length * channels"
# ///


@triton.jit
def gated_recurrence(x_ptr, gate_ptr, out_ptr, length, channels, BLOCK: tl.constexpr):
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < channels
    place = tl.program_id(0) * length * channels + columns
    h = tl.zeros([BLOCK], dtype=tl.float32)
    for _ in range(length):
        x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
        gate = tl.sigmoid(tl.load(gate_ptr + place, mask=mask, other=0.0).to(tl.float32))
        h = gate * h + (1.0 - gate) * x
        tl.store(out_ptr + place, h.to(tl.bfloat16), mask=mask)
        place += channels
