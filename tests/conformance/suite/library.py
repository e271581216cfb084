# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Random numbers, and the functions of libdevice that NumPy and the standard library can check."""

import math

import numpy as np

from .blocks import blocks
from .case import EXACT, Case, Tensor, Tolerance
from .convert import kept
from .dtypes import FP32, FP64, I1, I32, I64, U32
from .elementwise import elementwise
from .functions import FLUSHED

MASK = 0xFFFFFFFF


def philox(seed, offset, rounds=10):
    """Philox 4x32: four words for the counter (offset, offset >> 32, 0, 0) under the seed."""
    word = np.uint64(MASK)
    c = [np.asarray(offset, np.uint64) & word, np.asarray(offset, np.uint64) >> np.uint64(32), np.uint64(0), np.uint64(0)]
    k0, k1 = seed & MASK, (seed >> 32) & MASK
    for _ in range(rounds):
        high = np.uint64(0xD2511F53) * c[0]
        low = np.uint64(0xCD9E8D57) * c[2]
        c = [(low >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), low & word,
             (high >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), high & word]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return [np.broadcast_to(word, np.shape(offset)).astype(np.uint32) for word in c]


def uniform(words):
    signed = words.view(np.int32)
    return np.where(signed < 0, ~signed, signed).astype(np.float32) * np.float32(4.6566127342e-10)


def normals(a, b):
    u1, u2 = np.maximum(np.float32(1e-7), uniform(a)).astype(np.float64), uniform(b).astype(np.float64)
    r, angle = np.sqrt(-2 * np.log(u1)), 6.283185307179586 * u2
    return r * np.cos(angle), r * np.sin(angle)


def random_cases():
    for seed in (0, 42, 54, 0xFFFFFFFF, 0x0000000FCAFEB0BA):
        for offset_type in (I32, I64):
            for rounds in (10, 7):
                data = ("integers", 0, 2**31) if offset_type is I32 else ("integers", 0, 2**40)
                kind = "i32" if seed < 2**31 else "i64"
                args = {"at_ptr": Tensor(offset_type, (256,), data), "seed": (seed, kind)}
                args.update({f"w{i}_ptr": Tensor(U32, (256,)) for i in range(4)})
                args["one_ptr"] = Tensor(U32, (256,))
                body = f"""i = tl.arange(0, 256)
at = tl.load(at_ptr + i)
w0, w1, w2, w3 = tl.randint4x(seed, at, {rounds})
tl.store(w0_ptr + i, w0)
tl.store(w1_ptr + i, w1)
tl.store(w2_ptr + i, w2)
tl.store(w3_ptr + i, w3)
tl.store(one_ptr + i, tl.randint(seed, at, {rounds}))"""

                def reference(v, rounds=rounds):
                    words = philox(v.seed, v.at_ptr.astype(np.uint64), rounds)
                    return {**{f"w{i}_ptr": words[i] for i in range(4)}, "one_ptr": words[0]}

                yield Case(f"randint_{seed}_{offset_type.name}_{rounds}", "random", args, body, reference)

    def reals(v):
        words = philox(42, np.arange(1024))
        cos, sin = normals(words[0], words[1])
        cos2, sin2 = normals(words[2], words[3])
        return {"u": uniform(words[0]), "n": cos, "v": uniform(words[3]), "m": sin, "p": cos2, "q": sin2}

    setup = "i = tl.arange(0, 1024)\nfour = tl.rand4x(42, i)\nn4 = tl.randn4x(42, i)"
    shape = (1024,)
    yield blocks("rand", "random", {}, {"u": ("tl.rand(42, i)", FP32, shape), "v": ("four[3]", FP32, shape)},
                 lambda v: {key: value for key, value in reals(v).items() if key in "uv"}, setup=setup)
    yield blocks("randn", "random", {}, {"n": ("tl.randn(42, i)", FP32, shape), "m": ("n4[1]", FP32, shape),
                                         "p": ("n4[2]", FP32, shape), "q": ("n4[3]", FP32, shape)},
                 lambda v: {key: value for key, value in reals(v).items() if key in "nmpq"},
                 Tolerance(relative=1e-4, absolute=1e-5), setup=setup)


def each(function):
    """A function of single numbers over arrays; NaN where it is not defined."""
    def safe(*x):
        try:
            return function(*map(float, x))
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan
    return np.vectorize(safe, otypes=[np.float64])


WIDE, SMALL, UNIT, POSITIVE = ("normal", 30), ("normal", 2), ("uniform", -1, 1), ("uniform", 0.01, 50)
LIBDEVICE = {
    "abs": (np.abs, "edges"), "floor": (np.floor, "edges"), "ceil": (np.ceil, "edges"), "trunc": (np.trunc, "edges"),
    "rint": (np.rint, "edges"), "nearbyint": (np.rint, "edges"), "sqrt": (np.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE), "exp2": (np.exp2, SMALL), "sin": (np.sin, WIDE), "cos": (np.cos, WIDE),
    "sinpi": (lambda x: np.sin(np.pi * x), UNIT), "cospi": (lambda x: np.cos(np.pi * x), UNIT), "tan": (np.tan, UNIT),
    "log2": (np.log2, POSITIVE), "exp": (np.exp, SMALL), "exp10": (lambda x: np.power(10.0, x), SMALL),
    "cosh": (np.cosh, SMALL), "sinh": (np.sinh, SMALL), "tanh": (np.tanh, "edges"), "atan": (np.arctan, "edges"),
    "asin": (np.arcsin, UNIT), "acos": (np.arccos, UNIT), "log": (np.log, POSITIVE), "log10": (np.log10, POSITIVE),
    "log1p": (np.log1p, POSITIVE), "acosh": (np.arccosh, ("uniform", 1, 50)), "asinh": (np.arcsinh, WIDE),
    "atanh": (np.arctanh, ("uniform", -0.99, 0.99)), "expm1": (np.expm1, SMALL), "cbrt": (np.cbrt, WIDE),
    "rcbrt": (lambda x: 1 / np.cbrt(x), POSITIVE), "erf": (each(math.erf), SMALL), "erfc": (each(math.erfc), SMALL),
    "lgamma": (each(math.lgamma), POSITIVE), "tgamma": (each(math.gamma), ("uniform", 0.1, 20)),
    "normcdf": (each(lambda x: 0.5 * math.erfc(-x / math.sqrt(2))), SMALL),
    "logb": (lambda x: np.floor(np.log2(np.abs(x))), POSITIVE),
}
BINARY = {
    "copysign": (np.copysign, "edges"), "atan2": (np.arctan2, WIDE), "hypot": (np.hypot, WIDE), "fmod": (np.fmod, WIDE),
    "pow": (np.power, ("uniform", 0.1, 4)), "fdim": (lambda x, y: np.maximum(x - y, 0), WIDE),
    "remainder": (each(math.remainder), WIDE), "nextafter": (None, SMALL),
}
ROUNDED = {"round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)}


def libdevice_cases():
    for dtype in (FP32, FP64):
        accurate = Tolerance(ulps=8, absolute=1e-6 if dtype is FP32 else 1e-14, relative=2e-6 if dtype is FP32 else 1e-14)
        for name, (function, data) in LIBDEVICE.items():
            exact = name in ("abs", "floor", "ceil", "trunc", "rint", "nearbyint")
            for shape in ("warps", "small", "one", "masked"):
                yield elementwise(f"libdevice_{name}_{dtype.name}_{shape}", "libdevice", {"x": (dtype, data)},
                                  {"out": (f"libdevice.{name}(x)", dtype)},
                                  lambda v, function=function: {"out": function(v.x.astype(np.float64))}, shape,
                                  Tolerance(absolute=FLUSHED) if exact else accurate)
        for name, (function, data) in BINARY.items():
            exact = name in ("copysign", "nextafter")

            def reference(v, function=function):
                if function is None:
                    return {"out": np.nextafter(v.x, v.y)}
                return {"out": function(v.x.astype(np.float64), v.y.astype(np.float64))}

            yield elementwise(f"libdevice_{name}_{dtype.name}", "libdevice", {"x": (dtype, data), "y": (dtype, data)},
                              {"out": (f"libdevice.{name}(x, y)", dtype)}, reference, "warps", EXACT if exact else accurate)
        for name, function in ROUNDED.items():
            yield elementwise(f"libdevice_{name}_{dtype.name}", "libdevice", {"x": (dtype, WIDE)},
                              {"out": (f"libdevice.{name}(x)", dtype)},
                              lambda v, function=function: {"out": function(v.x)}, "warps", EXACT)
        yield elementwise(f"libdevice_predicates_{dtype.name}", "libdevice", {"x": dtype},
                          {"nan": ("libdevice.isnan(x) != 0", I1), "infinite": ("libdevice.isinf(x) != 0", I1)},
                          lambda v: {"nan": np.isnan(v.x), "infinite": np.isinf(v.x)})
        for mode in ("rn", "rz", "rd", "ru"):
            outputs = {name: (f"libdevice.{name}_{mode}(x, y)", dtype) for name in ("add", "mul", "div")}
            if mode == "rn":
                yield elementwise(f"libdevice_rn_{dtype.name}", "libdevice", {"x": dtype, "y": dtype}, outputs,
                                  lambda v: {"add": v.x + v.y, "mul": (v.x * v.y, kept(v.x) & kept(v.y)),
                                             "div": (v.x / v.y, kept(v.x) & kept(v.y))}, "warps",
                                  Tolerance(absolute=FLUSHED))
            else:
                yield elementwise(f"libdevice_{mode}_{dtype.name}", "libdevice",
                                  {"x": (dtype, SMALL), "y": (dtype, SMALL)}, outputs,
                                  lambda v: {"add": v.x + v.y, "mul": v.x * v.y, "div": v.x / v.y}, "warps", Tolerance(ulps=1))


def bits_of(x):
    return x.view(f"u{x.dtype.itemsize}")


def integer_cases():
    for dtype in (I32, I64):
        def reference(v, dtype=dtype):
            x = [int(b) for b in bits_of(v.x)]
            width = dtype.bits
            return {"leading": [width - b.bit_length() for b in x], "ones": [bin(b).count("1") for b in x],
                    "first": [(b & -b).bit_length() for b in x]}

        yield elementwise(f"libdevice_bits_{dtype.name}", "libdevice", {"x": dtype},
                          {"leading": ("libdevice.clz(x)", I32), "ones": ("libdevice.popc(x)", I32),
                           "first": ("libdevice.ffs(x)", I32)}, reference)
        yield elementwise(f"libdevice_reverse_{dtype.name}", "libdevice", {"x": dtype}, {"out": ("libdevice.brev(x)", dtype)},
                          lambda v, dtype=dtype: {"out": np.array(
                              [int(format(int(b), f"0{dtype.bits}b")[::-1], 2) for b in bits_of(v.x)],
                              f"u{dtype.bits // 8}").view(dtype.storage)})
    yield elementwise("libdevice_mulhi", "libdevice", {"x": I32, "y": I32}, {"out": ("libdevice.mulhi(x, y)", I32)},
                      lambda v: {"out": (v.x.astype(np.int64) * v.y) >> 32})
    outputs = {"bits": ("libdevice.float_as_int(x)", I32), "back": ("libdevice.int_as_float(libdevice.float_as_int(x))", FP32)}
    yield elementwise("libdevice_reinterpret", "libdevice", {"x": FP32}, outputs,
                      lambda v: {"bits": v.x.view(np.int32), "back": v.x})
    for name, function in (("rn", np.rint), ("rz", np.trunc), ("rd", np.floor), ("ru", np.ceil)):
        yield elementwise(f"libdevice_float2int_{name}", "libdevice", {"x": (FP32, WIDE)},
                          {"out": (f"libdevice.float2int_{name}(x)", I32)}, lambda v, function=function: {"out": function(v.x)})


def cases():
    for make in (random_cases, libdevice_cases, integer_cases):
        yield from make()
