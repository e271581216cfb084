# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
#
# Extrema and bits that begin with nothing: what each can begin with, and where nothing is right for all.
import triton
import triton.language as tl


#| set do run
# /// tilescope
# kernel = "k"
# grid = [2]
# [args]
# x = { dtype = "fp32", shape = [64], init = "rand", low = 1, high = 2 }
# i = { dtype = "i32", shape = [64], init = "randint", low = 1, high = 90 }
# least = { dtype = "fp32", shape = [1] }
#| @3-8 run-undefined: `tl.atomic_min` compares with what `least` holds, but nothing fills it before the launch; begin with `init = "full", value = inf`
#|   from: depends on what is there
#|   fix: give `least` values: `init = "full", value = inf` | , init = "full", value = inf
# most = { dtype = "fp32", shape = [1], init = "empty" }
#| @3-7 run-undefined: `tl.atomic_max` compares with what `most` holds, but nothing fills it before the launch; begin with `init = "full", value = -inf`
#|   fix: give `most` values: `init = "full", value = -inf` | "full", value = -inf
# first = { dtype = "i32", shape = [1] }
#| @3-8 run-undefined: `tl.atomic_min` compares with what `first` holds, but nothing fills it before the launch; begin with `init = "full", value = 2147483647`
# last = { dtype = "i32", shape = [1] }
#| @3-7 run-undefined: `tl.atomic_max` compares with what `last` holds, but nothing fills it before the launch; begin with `init = "full", value = -2147483648`
# positive = { dtype = "u32", shape = [1] }
#| @3-11 run-undefined: `tl.atomic_max` compares with what `positive` holds, but nothing fills it before the launch; begin with `init = "zeros"`
# all_ = { dtype = "i32", shape = [1] }
#| @3-7 run-undefined: `tl.atomic_and` combines with what `all_` holds, but nothing fills it before the launch; begin with `init = "full", value = -1`
# any_ = { dtype = "i32", shape = [1] }
#| @3-7 run-undefined: `tl.atomic_or` combines with what `any_` holds, but nothing fills it before the launch; begin with `init = "zeros"`
# both = { dtype = "i32", shape = [1] }
#| @3-7 run-undefined: `both` is updated by atomic operations, but nothing fills it before the launch
# once = { dtype = "i32", shape = [1] }
#| @3-7 run-undefined: `tl.atomic_cas` compares with what `once` holds, but nothing fills it before the launch
# ///


@triton.jit
def k(x, i, least, most, first, last, positive, all_, any_, both, once):
    at = tl.program_id(0) * 32 + tl.arange(0, 32)
    v = tl.load(x + at)
    n = tl.load(i + at)
    tl.atomic_min(least, tl.min(v))
    tl.atomic_max(most, tl.max(v))
    tl.atomic_min(first, tl.min(n))
    tl.atomic_max(last, tl.max(n))
    tl.atomic_max(positive, tl.max(n))
    tl.atomic_and(all_, tl.max(n))
    tl.atomic_or(any_, tl.max(n))
    tl.atomic_min(both, tl.min(n))
    tl.atomic_add(both, 1)
    tl.atomic_cas(once, 0, 1)
    tl.atomic_xchg(once, 0)
