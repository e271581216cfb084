#| set signature x_ptr=*fp16,y_ptr=*i32,n=i32
#| set constexpr B=16
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(x_ptr + i)
    a32 = tl.load(x_ptr + i, eviction_policy="evict")
#|                                           ^^^^^^^ bad-argument: eviction policy "evict" not supported
    a33 = tl.atomic_add(y_ptr + i, x, sem="seq")
#|                                        ^^^^^ bad-argument: memory semantic "seq" not supported
    a39 = tl.clamp(i, 0, 1)
#|                 ^ dtype-unsupported: unexpected dtype int32: only floating point clamp is supported
    a40 = tl.umulhi(x, x)
#|                  ^ dtype-unsupported: expected dtype ['int32', 'int64', 'uint32', 'uint64'] but got fp16
    a41 = tl.fdiv(i, i)
#|                ^ type-mismatch: both operands of fdiv must have floating scalar type
    a49 = tl.static_range(n)
#|        ^^^^^^^^^^^^^^^^^^ unsupported-syntax: `tl.static_range` can only be used as the iterator of a `for` loop
    a50 = tl.range(3)
#|        ^^^^^^^^^^^ unsupported-syntax: `tl.range` can only be used as the iterator of a `for` loop
    a51 = {1: 2}
#|        ^^^^^^ unsupported-syntax: a dictionary cannot be made in a kernel
#|   note: give each value a name of its own, or write a tuple: `values = (1, 2)`, then `values[0]`
    a53 = f"{x}"
#|           ^ not-constexpr: cannot evaluate f-string: fp16[16] is not known at compile time
#|   note: values are printed while the kernel runs, and are no part of a text: `tl.device_print("value", x)`
    a54 = x.sum(foo=1)
#|              ^^^ bad-call: `sum` has no parameter `foo`
    a55 = tl.multiple_of(x, n)
#|                          ^ not-constexpr: argument `values` of `multiple_of` must consist of constexpr integers, got int32
    a57 = tl.device_print(n)
#|                        ^ bad-argument: the first argument of `device_print` is the text to print before the values
#|   note: write `tl.device_print("n", n)`
    a58 = tl.static_assert(x)
#|                         ^ not-constexpr: assertion condition of `static_assert` could not be determined at compile time: got fp16[16]
    a64 = tl.philox(n, x, x)
#|        ^^^^^^^^^^^^^^^^^^ bad-call: `philox` is missing the argument `c2`
    a65 = tl.assume(x)
#|                  ^ type-mismatch: `assume` needs a boolean scalar, got fp16[16]
    a69 = tl.exp()
#|        ^^^^^^^^ bad-call: `exp` is missing the argument `x`
    a70 = tl.exp(x, x)
#|                  ^ bad-call: `exp` takes at most 1 arguments, but 2 are given
    a72 = tl.arange(5, 1)
#|                     ^ bad-argument: arange's end argument must be greater than the start argument, but the range is 5 to 1
    a73 = tl.load(x_ptr + i, i < n, 0.0, boundary_check=(0,))
#|                                                      ^^^^ bad-argument: `padding_option` or `boundary_check` argument is not supported for loading a tensor of pointers or loading a scalar
    a74 = tl.store(x_ptr + i, x, boundary_check=(0,))
#|                                              ^^^^ bad-argument: `boundary_check` argument is not supported for storing a tensor of pointers
    a80 = tl.extra.cuda.libdevice.nosuch(x)
#|                                ^^^^^^ unknown-attribute: module `triton.language.extra.cuda.libdevice` has no attribute `nosuch`
    tl.store(x_ptr + i, x)
