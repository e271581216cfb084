# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Tilescope contributors
"""One step of Adam on flat fp32 parameters, new values go to other arrays."""

import triton
import triton.language as tl

# /// tilescope
# kernel = "adam_step"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 33554432
# [args]
# parameter_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
# gradient_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 1 }
# first_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 2, scale = 0.1 }
# second_ptr = { dtype = "fp32", shape = ["n"], init = "rand", seed = 3 }
# new_parameter_ptr = { dtype = "fp32", shape = ["n"] }
# new_first_ptr = { dtype = "fp32", shape = ["n"] }
# new_second_ptr = { dtype = "fp32", shape = ["n"] }
# rate = 0.001
# beta1 = 0.9
# beta2 = 0.999
# eps = 1e-8
# [constexprs]
# BLOCK = 1024
# [options]
# num_warps = 4
# [work]
# bytes = "28 * n"
# ///


@triton.jit
def adam_step(
    parameter_ptr, gradient_ptr, first_ptr, second_ptr, new_parameter_ptr, new_first_ptr, new_second_ptr,
    n, rate, beta1, beta2, eps, BLOCK: tl.constexpr,
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    parameter = tl.load(parameter_ptr + offsets, mask=mask)
    gradient = tl.load(gradient_ptr + offsets, mask=mask)
    first = beta1 * tl.load(first_ptr + offsets, mask=mask) + (1.0 - beta1) * gradient
    second = beta2 * tl.load(second_ptr + offsets, mask=mask) + (1.0 - beta2) * gradient * gradient
    parameter -= rate * first / (tl.sqrt(second) + eps)
    tl.store(new_parameter_ptr + offsets, parameter, mask=mask)
    tl.store(new_first_ptr + offsets, first, mask=mask)
    tl.store(new_second_ptr + offsets, second, mask=mask)
