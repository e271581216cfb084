# Loaded and stored along rows.
#| none: conversion-in-loop
import triton
import triton.language as tl

# /// tilescope
# kernel = "k"
# grid = [1]
# [args]
# x_ptr = { dtype = "fp32", shape = [8, 64, 64], init = "randn" }
# o_ptr = { dtype = "fp32", shape = [8, 64, 64] }
# n = 8
# [constexprs]
# B = "64"
# ///


@triton.jit
def k(x_ptr, o_ptr, n, B: tl.constexpr):
    r = tl.arange(0, B)
    c = tl.arange(0, B)
    for k in range(n):
        x = tl.load(x_ptr + k * B * B + r[:, None] * B + c[None, :])
        tl.store(o_ptr + k * B * B + r[:, None] * B + c[None, :], x)
