# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""Products of sorted tokens with the weights of their experts."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "moe_gemm"
# grid = [16]
# [args]
# a_ptr = { dtype = "bf16", shape = [256, 512] }
# b_ptr = { dtype = "bf16", shape = [8, 512, 512] }
# c_ptr = { dtype = "bf16", shape = [512, 512] }
# weight_ptr = { dtype = "fp32", shape = [512] }
# sorted_ptr = { dtype = "i32", shape = [512] }
# expert_ptr = { dtype = "i32", shape = [4] }
# count_ptr = { dtype = "i32", shape = [1] }
# N = "512"
# K = "512"
# EM = "512"
# num_valid = "512"
# stride_am = "512"
# stride_ak = "1"
# stride_be = "262144"
# stride_bk = "1"
# stride_bn = "512"
# stride_cm = "512"
# stride_cn = "1"
# [constexprs]
# BLOCK_M = "128"
# BLOCK_N = "256"
# BLOCK_K = "64"
# GROUP_M = "8"
# ROUTED = "True"
# TOP_K = "2"
# [options]
# num_warps = 8
# num_stages = 3
# ///


@triton.jit
def moe_gemm(a_ptr, b_ptr, c_ptr, weight_ptr, sorted_ptr, expert_ptr, count_ptr, N, K, EM, num_valid,
             stride_am, stride_ak, stride_be, stride_bk, stride_bn, stride_cm, stride_cn,
             BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
             ROUTED: tl.constexpr, TOP_K: tl.constexpr):
    pid = tl.program_id(0)
    rows_of_blocks = tl.cdiv(EM, BLOCK_M)
    columns_of_blocks = tl.cdiv(N, BLOCK_N)
    in_group = GROUP_M * columns_of_blocks
    group = pid // in_group
    first = group * GROUP_M
    size = min(rows_of_blocks - first, GROUP_M)
    pid_m = first + (pid % in_group) % size
    pid_n = (pid % in_group) // size
    padded = tl.load(count_ptr)
    if pid_m * BLOCK_M >= padded:
        return
    token = tl.load(sorted_ptr + pid_m * BLOCK_M + tl.arange(0, BLOCK_M)).to(tl.int64)
    valid = token < num_valid
    expert = tl.load(expert_ptr + pid_m).to(tl.int64)
    columns = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)) % N
    inner = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (token[:, None] // TOP_K * stride_am + inner[None, :] * stride_ak)
    b_ptrs = b_ptr + expert * stride_be + (inner[:, None] * stride_bk + columns[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=valid[:, None] & (inner[None, :] < K - k * BLOCK_K), other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < K - k * BLOCK_K, other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if ROUTED:
        acc = acc * tl.load(weight_ptr + token, mask=valid, other=0)[:, None]
    out = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.store(c_ptr + stride_cm * token[:, None] + stride_cn * out[None, :], acc.to(tl.bfloat16),
             mask=valid[:, None] & (out[None, :] < N))
