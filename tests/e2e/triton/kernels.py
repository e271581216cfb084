# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels that Tilescope and Triton both compile; CASES tells with which types and constants."""

import triton, triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def k_arith(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    y = tl.load(y_ptr + i)
    a = x + y * 2 - 1
    b = a / y
    c = b % 3
    d = tl.where(x > y, c, 0.0)
    tl.store(o_ptr + i, d)

@triton.jit
def k_int(x_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    a = (x // 3) % 5
    b = (a << 2) ^ (x >> 1) | 7 & ~x
    c = tl.abs(b)
    tl.store(o_ptr + i, c.to(tl.int64) * n, mask=i < n)

@triton.jit
def k_loop(x_ptr, o_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), dtype=tl.float32)
    m = -float("inf")
    for k in range(0, n, B):
        v = tl.load(x_ptr + k + i, mask=k + i < n, other=0.0)
        acc += v
        m = tl.maximum(m, tl.max(v, 0))
    tl.store(o_ptr + i, acc)
    tl.store(o_ptr + B, m)

@triton.jit
def k_negstep(o_ptr, n):
    s = 0
    for k in range(n, 0, -2):
        s += k
    tl.store(o_ptr, s)

@triton.jit
def k_while(o_ptr, n):
    i = 0
    s = 1
    while i < n:
        s = s * 2
        i += 1
    tl.store(o_ptr, s)

@triton.jit
def k_if(x_ptr, o_ptr, n):
    v = tl.load(x_ptr)
    if n > 10:
        v = v * 2
        w = v + 1
    else:
        w = v - 1
    u = v if n > 5 else w
    tl.store(o_ptr, v + w + u)

@triton.jit
def k_reduce(x_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)[:, None]
    c = tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + r * N + c)
    s = tl.sum(x, axis=1)
    m = tl.max(x, axis=1)
    a = tl.argmax(x, axis=1)
    t = tl.min(x)
    tl.store(o_ptr + tl.arange(0, M), s + m + a + t)

@triton.jit
def k_scan(x_ptr, o_ptr, N: tl.constexpr):
    c = tl.arange(0, N)
    x = tl.load(x_ptr + c)
    tl.store(o_ptr + c, tl.cumsum(x, 0) + tl.cumprod(x, 0, reverse=True))

@triton.jit
def k_dot(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for kk in range(0, K, BK):
        a = tl.load(a_ptr + m[:, None] * K + (kk + k)[None, :])
        b = tl.load(b_ptr + (kk + k)[:, None] * BN + n[None, :])
        acc += tl.dot(a, b)
    tl.store(c_ptr + m[:, None] * BN + n[None, :], acc.to(tl.float16))

@triton.jit
def k_atomic(x_ptr, o_ptr, i_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    tl.atomic_add(o_ptr + i, x, mask=i < n, sem="relaxed")
    tl.atomic_max(o_ptr, tl.max(x, 0))
    old = tl.atomic_cas(i_ptr, 0, 1)
    tl.atomic_xchg(i_ptr, old + 1)

@triton.jit
def k_math(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i).to(tl.float32)
    y = tl.exp(x) + tl.log(x) + tl.sqrt(x) + tl.sin(x) + tl.cos(x) + tl.rsqrt(x) + tl.exp2(x) + tl.log2(x)
    z = tl.floor(y) + tl.ceil(y) + tl.erf(x) + tl.abs(y) + tl.fma(x, y, x) + tl.sigmoid(x)
    z += libdevice.tanh(x) + tl.math.div_rn(x, y) + tl.sqrt_rn(x) + tl.clamp(x, 0.0, 1.0)
    tl.store(o_ptr + i, z)

@triton.jit
def k_rand(o_ptr, seed, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o_ptr + i, tl.rand(seed, i) + tl.randn(seed, i))

@triton.jit
def k_shapes(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    y = tl.reshape(x, (B // 4, 4))
    z = tl.trans(y)
    w = tl.permute(z, (1, 0)).reshape(B)
    j = tl.join(x, w)
    a, b = tl.split(j)
    e = tl.expand_dims(a, 0).broadcast_to(2, B)
    tl.store(o_ptr + i, tl.sum(e, 0) + b)

@triton.jit
def helper(x, K: tl.constexpr):
    if K > 1:
        return helper(x, K // 2) * 2
    else:
        return x

@triton.jit
def k_recursive(x_ptr, o_ptr):
    tl.store(o_ptr, helper(tl.load(x_ptr), 8))

@triton.jit
def k_cast(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    y = x.to(tl.float16).to(tl.int8).to(tl.float32).to(tl.bfloat16).to(tl.float64)
    z = y.to(tl.float32).to(tl.int32, bitcast=True).to(tl.uint8).to(tl.float32)
    w = z.to(tl.float8e5).to(tl.float32) + (z != 0).to(tl.float32)
    tl.store(o_ptr + i, w)

@triton.jit
def k_static(x_ptr, o_ptr, B: tl.constexpr, FLAG: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    for k in tl.static_range(3):
        x = x * (k + 1)
    if FLAG:
        x = -x if B > 100 else x
    for k in tl.range(0, B, 2, num_stages=2):
        x += k
    tl.store(o_ptr + i, x)

@triton.jit
def k_softmax(x_ptr, o_ptr, s, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * s + i, mask=i < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(o_ptr + row * s + i, e / tl.sum(e, 0), mask=i < n)

@triton.jit
def k_hints(x_ptr, o_ptr, n, B: tl.constexpr):
    pid = tl.program_id(1)
    tl.assume(n > 0)
    off = tl.max_contiguous(tl.multiple_of(pid * B + tl.arange(0, B), B), B)
    x = tl.load(x_ptr + off, eviction_policy="evict_last")
    tl.store(o_ptr + off, x, eviction_policy="evict_first")

@triton.jit
def k_sort(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    tl.store(o_ptr + i, tl.sort(x))
    tl.store(o_ptr + i, tl.flip(x, 0))

@triton.jit
def k_histgather(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    h = tl.histogram(x, B)
    tl.store(o_ptr + i, tl.gather(h, i, 0))

@triton.jit
def k_asm(x_ptr, o_ptr, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    y = tl.inline_asm_elementwise("add.f32 $0, $1, $2;", "=f,f,f", [x, x], dtype=tl.float32, is_pure=True, pack=1)
    tl.device_print("y", y)
    tl.debug_barrier()
    tl.store(o_ptr + i, y)

CASES = [
 ("k_arith", dict(x_ptr="*fp16", y_ptr="*fp32", o_ptr="*fp32", n="i32"), dict(B=128)),
 ("k_int", dict(x_ptr="*i32", o_ptr="*i64", n="i32"), dict(B=128)),
 ("k_loop", dict(x_ptr="*fp32", o_ptr="*fp32", n="i32"), dict(B=128)),
 ("k_negstep", dict(o_ptr="*i32", n="i32"), {}),
 ("k_while", dict(o_ptr="*i32", n="i32"), {}),
 ("k_if", dict(x_ptr="*fp32", o_ptr="*fp32", n="i32"), {}),
 ("k_reduce", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(M=16, N=32)),
 ("k_scan", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(N=64)),
 ("k_dot", dict(a_ptr="*fp16", b_ptr="*fp16", c_ptr="*fp16", K="i32"), dict(BM=32, BN=32, BK=32)),
 ("k_atomic", dict(x_ptr="*fp32", o_ptr="*fp32", i_ptr="*i32", n="i32"), dict(B=128)),
 ("k_math", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(B=128)),
 ("k_rand", dict(o_ptr="*fp32", seed="i32"), dict(B=128)),
 ("k_shapes", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(B=128)),
 ("k_recursive", dict(x_ptr="*fp32", o_ptr="*fp32"), {}),
 ("k_cast", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(B=128)),
 ("k_static", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(B=128, FLAG=True)),
 ("k_softmax", dict(x_ptr="*fp32", o_ptr="*fp32", s="i32", n="i32"), dict(B=128)),
 ("k_hints", dict(x_ptr="*fp32", o_ptr="*fp32", n="i32"), dict(B=128)),
 ("k_sort", dict(x_ptr="*i32", o_ptr="*i32"), dict(B=32)),
 ("k_histgather", dict(x_ptr="*i32", o_ptr="*i32"), dict(B=32)),
 ("k_asm", dict(x_ptr="*fp32", o_ptr="*fp32"), dict(B=128)),
]
