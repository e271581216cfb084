# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Atomic operations: many programs on one address, blocks, masks, old values, exchanges under comparison."""

import numpy as np

from .case import EXACT, Case, Tensor, Tolerance
from .convert import settle
from .dtypes import BF16, FP16, FP32, FP64, I32, I64, U32, U64

SUMMED = [FP16, BF16, FP32, FP64, I32, U32, I64, U64]
ORDERED = [FP32, FP64, I32, U32, I64, U64]
WHOLE = [I32, U32, I64, U64]
LOOSE = {"fp16": Tolerance(relative=0.02, absolute=0.05), "bf16": Tolerance(relative=0.1, absolute=0.3),
         "fp32": Tolerance(relative=1e-5, absolute=1e-5), "fp64": Tolerance(relative=1e-12)}
REDUCE = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor}
TYPES = {"add": SUMMED, "max": ORDERED, "min": ORDERED, "and": WHOLE, "or": WHOLE, "xor": WHOLE, "xchg": SUMMED[2:]}


def data_of(dtype):
    return ("normal", 2) if dtype.kind == "f" else ("integers", 0 if dtype.kind == "u" else -1000, 1000)


def scalar_cases():
    """Programs that meet at one address."""
    for kind, dtypes in TYPES.items():
        if kind == "xchg":
            continue
        for dtype in dtypes:
            for sem in ("acq_rel", "relaxed", "acquire", "release"):
                if sem != "acq_rel" and dtype not in (FP32, I32, FP16):
                    continue
                args = {"x_ptr": Tensor(dtype, (33,), data_of(dtype)), "o_ptr": Tensor(dtype, (1,), [3])}
                body = (f"x = tl.load(x_ptr + tl.program_id(0))\nold = tl.atomic_{kind}(o_ptr, x, sem=\"{sem}\")\n"
                        f"tl.static_assert(old.dtype == {dtype.language})")

                def reference(v, kind=kind, dtype=dtype):
                    values = np.concatenate([v.o_ptr, v.x_ptr])
                    if kind == "add" and dtype.kind == "f":
                        return {"o_ptr": values.astype(np.float64).sum()}
                    return {"o_ptr": REDUCE[kind].reduce(values)}

                yield Case(f"atomic_{kind}_{dtype.name}_{sem}", "atomics", args, body, reference,
                           LOOSE[dtype.name] if kind == "add" and dtype.kind == "f" else EXACT, grid=(33,))


def block_cases():
    """A block under a mask; the old values come back."""
    for kind, dtypes in TYPES.items():
        for dtype in dtypes:
            for count, warps in ((16, 4), (512, 4), (64, 1)):
                args = {"x_ptr": Tensor(dtype, (count,), data_of(dtype)), "o_ptr": Tensor(dtype, (count,), data_of(dtype)),
                        "old_ptr": Tensor(dtype, (count,))}
                body = (f"i = tl.arange(0, {count})\nm = i % 3 != 1\n"
                        f"old = tl.atomic_{kind}(o_ptr + i, tl.load(x_ptr + i), mask=m)\n"
                        "tl.store(old_ptr + i, old, mask=m)")

                def reference(v, kind=kind, dtype=dtype, count=count):
                    on = np.arange(count) % 3 != 1
                    new = v.x_ptr if kind == "xchg" else settle(REDUCE[kind](v.o_ptr, v.x_ptr), dtype)
                    return {"o_ptr": np.where(on, new, v.o_ptr), "old_ptr": np.where(on, v.o_ptr, v.old_ptr)}

                yield Case(f"atomic_block_{kind}_{dtype.name}_{count}", "atomics", args, body, reference,
                           Tolerance(ulps=1) if dtype in (FP16, BF16) else EXACT, options={"num_warps": warps})


def bits_of_reals_cases():
    """Operations on the bits of reals."""
    for kind in ("and", "or", "xor"):
        for dtype, bits in ((FP32, np.uint32), (FP64, np.uint64)):
            args = {"x_ptr": Tensor(dtype, (64,), data_of(dtype)), "o_ptr": Tensor(dtype, (64,), data_of(dtype)),
                    "old_ptr": Tensor(dtype, (64,))}
            body = ("i = tl.arange(0, 64)\n"
                    f"old = tl.atomic_{kind}(o_ptr + i, tl.load(x_ptr + i), mask=i % 3 != 1)\n"
                    f"tl.static_assert(old.dtype == {dtype.language})\n"
                    "tl.store(old_ptr + i, old, mask=i % 3 != 1)")

            def reference(v, kind=kind, bits=bits):
                on = np.arange(64) % 3 != 1
                new = REDUCE[kind](v.o_ptr.view(bits), v.x_ptr.view(bits)).view(v.o_ptr.dtype)
                return {"o_ptr": np.where(on, new, v.o_ptr), "old_ptr": np.where(on, v.o_ptr, v.old_ptr)}

            yield Case(f"atomic_bits_{kind}_{dtype.name}", "atomics", args, body, reference, EXACT)


def shared_address_cases():
    """Lanes of one block that meet at one address, and blocks that are smaller than the program."""
    for dtype in SUMMED:
        for count in (2, 32, 128):
            args = {"x_ptr": Tensor(dtype, (count,), data_of(dtype)), "o_ptr": Tensor(dtype, (4,), np.zeros(4))}
            body = f"i = tl.arange(0, {count})\ntl.atomic_add(o_ptr + i % 2, tl.load(x_ptr + i))"

            def reference(v, dtype=dtype):
                wide = np.float64 if dtype.kind == "f" else dtype.storage
                return {"o_ptr": [v.x_ptr[::2].astype(wide).sum(), v.x_ptr[1::2].astype(wide).sum(), 0, 0]}

            yield Case(f"atomic_shared_{dtype.name}_{count}", "atomics", args, body, reference,
                       LOOSE.get(dtype.name, EXACT), options={"num_warps": 1 if count < 32 else 4})
    args = {"o_ptr": Tensor(I32, (1,), [0])}
    yield Case("atomic_predicated", "atomics", args, "p = tl.program_id(0)\ntl.atomic_max(o_ptr, p, mask=p < 64)",
               lambda v: {"o_ptr": 63}, grid=(4096,))
    for kind, extreme in (("max", np.maximum), ("min", np.minimum)):
        args = {"x_ptr": Tensor(FP32, (8,), [-0.0, 0.0, 1.5, -1.5, np.inf, -np.inf, 1e-40, -1e-40]),
                "o_ptr": Tensor(FP32, (8,), [-1.0, -2.0, -3.0, 4.0, 5.0, -6.0, -7.0, 8.0])}
        yield Case(f"atomic_signs_{kind}", "atomics", args,
                   f"i = tl.arange(0, 8)\ntl.atomic_{kind}(o_ptr + i, tl.load(x_ptr + i))",
                   lambda v, extreme=extreme: {"o_ptr": extreme(v.o_ptr, v.x_ptr)})


def exchange_cases():
    for dtype in (I32, U32, I64, U64, FP16, BF16, FP32, FP64):
        for count in (4, 128, 512):
            args = {"c_ptr": Tensor(dtype, (count,), ("integers", 0, 2)), "x_ptr": Tensor(dtype, (count,), ("integers", 5, 9)),
                    "o_ptr": Tensor(dtype, (count,), ("integers", 0, 2)), "old_ptr": Tensor(dtype, (count,))}
            body = (f"i = tl.arange(0, {count})\n"
                    "old = tl.atomic_cas(o_ptr + i, tl.load(c_ptr + i), tl.load(x_ptr + i))\ntl.store(old_ptr + i, old)")
            if dtype.kind == "f" and dtype.bits == 16:
                continue
            yield Case(f"cas_{dtype.name}_{count}", "atomics", args, body,
                       lambda v: {"o_ptr": np.where(v.o_ptr == v.c_ptr, v.x_ptr, v.o_ptr), "old_ptr": v.o_ptr})
    for dtype in (I32, I64):
        args = {"lock_ptr": Tensor(dtype, (1,), [0]), "o_ptr": Tensor(FP32, (128,), np.zeros(128))}
        zero, one = f"tl.full((), 0, {dtype.language})", f"tl.full((), 1, {dtype.language})"
        body = f"""i = tl.arange(0, 128)
while tl.atomic_cas(lock_ptr, {zero}, {one}) == 1:
    pass
tl.store(o_ptr + i, tl.load(o_ptr + i) + 1.0)
tl.debug_barrier()
tl.atomic_xchg(lock_ptr, {zero})"""
        yield Case(f"spin_lock_{dtype.name}", "atomics", args, body, lambda v: {"o_ptr": 200.0, "lock_ptr": 0}, grid=(200,))
    args = {"o_ptr": Tensor(I32, (64,), np.zeros(64)), "n_ptr": Tensor(I32, (1,), [0])}
    yield Case("atomic_result_as_index", "atomics", args,
               "at = tl.atomic_add(n_ptr, 1)\ntl.store(o_ptr + at, at + 1)", lambda v: {"o_ptr": np.arange(1, 65), "n_ptr": 64},
               grid=(64,))


def cases():
    for make in (scalar_cases, block_cases, bits_of_reals_cases, shared_address_cases, exchange_cases):
        yield from make()
