# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Conversions: every pair of types, every bit pattern of small types, roundings, reinterpretation."""

import numpy as np

from .case import EXACT, Case, Tensor, Tolerance
from .convert import convert
from .dtypes import (BF16, FLOATS, FP8E4B15, FP8E4NV, FP8E5, FP8S, FP16, FP32, FP64, I1, I32, I64, INTS, NUMBERS,
                     U64, UINTS, decode, table)
from .elementwise import SHAPES, elementwise

TYPES = [I1] + NUMBERS + FP8S


def castable(source, target):
    """8-bit floats convert to and from floats only."""
    eight = source in FP8S or target in FP8S
    return source is not target and not (eight and (source.kind != "f" or target.kind != "f"))


def tolerance_of(source, target):
    # Through fp32 where the GPU has no instruction: rounded twice.
    if source in (I64, U64, FP64, I32) and target in (BF16, *FP8S):
        return Tolerance(ulps=1)
    return EXACT


def pair_cases():
    for source in TYPES:
        for target in TYPES:
            if not castable(source, target):
                continue
            for shape in SHAPES if target in (FP32, FP16) or source in (FP32, I32) else ["warps"]:
                def reference(values, source=source, target=target):
                    return {"out": convert(values.x, source, target)}

                yield elementwise(f"cast_{source.name}_{target.name}_{shape}", "cast", {"x": source},
                                  {"out": (f"x.to({target.language})", target)}, reference, shape,
                                  tolerance_of(source, target))


def whole_cases():
    """Every bit pattern of the types of at most 16 bits."""
    for source in (FP16, BF16, FP8E5, FP8E4NV, FP8E4B15):
        for target in (FP32, FP16, BF16, FP8E5, FP8E4NV, FP64):
            if source is target or (source.bits == 8 and target.bits == 8) or (source is FP8E4B15 and target is FP64):
                continue
            count = 1 << source.bits
            block = min(count, 2048)
            args = {"x_ptr": Tensor(source, (count,), "bits"), "o_ptr": Tensor(target, (count,))}
            body = (f"i = tl.program_id(0) * {block} + tl.arange(0, {block})\n"
                    f"tl.store(o_ptr + i, tl.load(x_ptr + i).to({target.language}))")

            def reference(before, source=source, target=target):
                # There is no agreement on the meaning of 0x7f and 0xff in the format without infinities.
                sane = (np.arange(before.x_ptr.size) % 128 != 127) | (source is not FP8E4B15)
                return {"o_ptr": (convert(before.x_ptr, source, target)[0], sane)}

            yield Case(f"every_{source.name}_{target.name}", "cast", args, body, reference, grid=(count // block,),
                       triton="fp8e4b15 is not for this target" if source is FP8E4B15 else "")


def rounding_cases():
    """Numbers around the middle between two neighbors, where roundings differ."""
    for target in (FP16, BF16, FP8E5, FP8E4NV):
        numbers = np.unique(np.abs(table(target)[np.isfinite(table(target))].astype(np.float64)))
        middles = ((numbers[:-1] + numbers[1:]) / 2).astype(np.float32)
        near = np.concatenate([middles, np.nextafter(middles, np.float32(0)), np.nextafter(middles, np.float32(np.inf))])
        near = np.concatenate([near, -near])
        near = near[np.linspace(0, len(near) - 1, 4096).astype(int)]
        for mode in ("rtne", "rtz"):
            args = {"x_ptr": Tensor(FP32, (4096,), near), "o_ptr": Tensor(target, (4096,))}
            body = (f"i = tl.program_id(0) * 1024 + tl.arange(0, 1024)\nx = tl.load(x_ptr + i)\n"
                    f'tl.store(o_ptr + i, x.to({target.language}, fp_downcast_rounding="{mode}"))')

            def reference(before, target=target, mode=mode):
                return {"o_ptr": convert(before.x_ptr, FP32, target, mode)[0]}

            yield Case(f"rounding_{target.name}_{mode}", "cast", args, body, reference, grid=(4,))


def bitcast_cases():
    for source in INTS + UINTS + FLOATS + FP8S:
        for target in INTS + UINTS + FLOATS + FP8S:
            if source is target or source.bits != target.bits:
                continue

            def reference(values, source=source, target=target):
                # The values of types that NumPy lacks do not tell their bits: the case starts from its inputs.
                return {"out": values.x}

            case = elementwise(f"bitcast_{source.name}_{target.name}", "bitcast", {"x": source},
                               {"out": (f"x.to({target.language}, bitcast=True)", target)}, reference, "warps")
            case.reference = lambda before, case=case, target=target: {
                "out_ptr": decode(target, case.inputs()["x_ptr"].view(target.storage))}
            yield case


def spelling_cases():
    outputs = {"a": ("x.cast(tl.float16)", FP16), "b": ("tl.cast(x, tl.float16)", FP16),
               "c": ("x.to(a_ptr.dtype.element_ty)", FP16), "d": ("tl.cast(x, TARGET)", FP16)}
    yield elementwise("cast_spellings", "cast", {"x": FP32}, outputs,
                      lambda values: {key: values.x.astype(np.float16) for key in "abcd"}, "warps",
                      setup="TARGET: tl.constexpr = tl.float16")


def cases():
    for make in (pair_cases, whole_cases, rounding_cases, bitcast_cases, spelling_cases):
        yield from make()
