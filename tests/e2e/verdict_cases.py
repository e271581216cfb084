# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Kernels with what they should write, and changes that make them subtly wrong.

Each case is a kernel that is right, as authors write it: computed in fp32 and rounded once, or with values that
are rounded to narrow types on the way. Each change is a factor, a count, a rescaling, an axis, an index, a mask
or a rounding that is not what the launch block expects.
"""

import dataclasses

HEAD = "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n"


@dataclasses.dataclass
class Case:
    name: str
    grid: str
    # Lines of `[args]` and, behind a line `[constexprs]`, of the constants.
    args: str
    # The kernel `k`, from `def` on.
    kernel: str
    # Of the wrong ones: what is wrong, the text, and what stands in its place.
    wrong: list
    # What of a match is doubted, if anything.
    doubt: str = "none"
    # Wrong ones may match with a doubt: by chance, or since right ones whose roundings all go one way are as far off.
    wrongIsDoubted: bool = False

    def text(self, change=None):
        kernel = self.kernel.strip() + "\n"
        if change:
            _, old, new = change
            if kernel.count(old) < 1:
                raise ValueError(f"{self.name}: no `{old}`")
            kernel = kernel.replace(old, new)
        block = "".join(f"# {line}\n" for line in self.args.strip().split("\n"))
        return f"{HEAD}# /// tilescope\n# grid = {self.grid}\n# [args]\n{block}# ///\n@triton.jit\n{kernel}"


def tensor(name, dtype, shape, init="", expected="", more=""):
    parts = [f'dtype = "{dtype}"', f"shape = {shape}"]
    parts += [f'init = "{init}"'] if init else []
    parts += [f'expected = "{expected}"'] if expected else []
    parts += [more] if more else []
    return f"{name} = {{ {', '.join(parts)} }}\n"


LANGUAGE = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp8e4nv": "float8e4nv", "fp8e5": "float8e5"}


def scale(dtype):
    """One factor, and one that is wrong by 1 % of fp32, 2 % of bf16, or an eighth of fp8."""
    off = {"fp32": "0.707", "fp16": "0.705", "bf16": "0.72", "fp8e4nv": "0.8", "fp8e5": "0.85"}[dtype]
    return Case(
        f"scale {dtype}",
        "[8]",
        tensor("x", "fp32", "[2048]", "randn") + tensor("y", dtype, "[2048]", expected="x * 0.7"),
        """
def k(x, y):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    v = tl.load(x + i) * 0.7
    tl.store(y + i, v.to(y.dtype.element_ty))
""",
        [("factor", "* 0.7", f"* {off}"), ("off by one", "tl.load(x + i)", "tl.load(x + (i + 1) % 2048)")],
    )


def softmax(dtype):
    row = "exp(x - max(x, axis=1, keepdims=True))"
    return Case(
        f"softmax {dtype}",
        "[32]",
        tensor("x", dtype, "[32, 200]", "randn", more="scale = 2")
        + tensor("y", dtype, "[32, 200]", expected=f"{row} / sum({row}, axis=1, keepdims=True)"),
        """
def k(x, y):
    i = tl.arange(0, 256)
    at = tl.program_id(0) * 200 + i
    v = tl.load(x + at, mask=i < 200, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + at, (e / tl.sum(e, 0)).to(y.dtype.element_ty), mask=i < 200)
""",
        [
            ("mask value", 'other=-float("inf")', "other=0.0"),
            ("base of the exponential", "tl.exp(v - tl.max(v, 0))", "tl.exp2((v - tl.max(v, 0)) * 1.46)"),
            ("count", "tl.sum(e, 0)", "(tl.sum(e, 0) + e)"),
        ],
    )


def rms_norm(dtype, narrow=False):
    product = "(n.to(y.dtype.element_ty) * g)" if narrow else "(n * g)"
    return Case(
        f"RMSNorm {dtype}{', rounded before the weight' if narrow else ''}",
        "[64]",
        tensor("x", dtype, "[64, 512]", "randn")
        + tensor("w", dtype, "[512]", "rand", more="seed = 2")
        + tensor("y", dtype, "[64, 512]", expected="x / sqrt(mean(x * x, axis=1, keepdims=True) + 1e-6) * w"),
        f"""
def k(x, w, y):
    i = tl.arange(0, 512)
    at = tl.program_id(0) * 512 + i
    v = tl.load(x + at).to(tl.float32)
    n = v * tl.rsqrt(tl.sum(v * v, 0) / 512 + 1e-6)
    g = tl.load(w + i)
    tl.store(y + at, {product}.to(y.dtype.element_ty))
""",
        [
            ("count", "/ 512", "/ 480"),
            ("factor", "n = v *", "n = 1.03 * v *"),
            ("no square root", "tl.rsqrt(tl.sum(v * v, 0) / 512 + 1e-6)", "1 / (tl.sum(v * v, 0) / 512 + 1e-6)"),
        ],
    )


def attention(dtype, narrow=None):
    """`narrow`: what the shares are rounded to before the second product."""
    narrow = narrow or dtype
    share = "exp(q @ k_.T * 0.125 - max(q @ k_.T * 0.125, axis=1, keepdims=True))"
    # Of shares that are off by an eighth, means are known well, and nothing else.
    is_fp8 = narrow.startswith("fp8")
    return Case(
        f"attention {dtype}, shares of {narrow}",
        "[4]",
        tensor("q", dtype, "[64, 64]", "randn")
        + tensor("k_", dtype, "[128, 64]", "randn", more="seed = 1")
        + tensor("v", narrow, "[128, 64]", "rand" if is_fp8 else "randn", more="seed = 2")
        + tensor("y", dtype, "[64, 64]", expected=f"{share} @ v / sum({share}, axis=1, keepdims=True)"),
        f"""
def k(q, k_, v, y):
    d = tl.arange(0, 64)
    r = tl.program_id(0) * 16 + tl.arange(0, 16)
    b = tl.arange(0, 32)
    qs = tl.load(q + r[:, None] * 64 + d[None, :])
    m = tl.full([16], -float("inf"), tl.float32)
    l = tl.zeros([16], tl.float32)
    acc = tl.zeros([16, 64], tl.float32)
    for s in range(0, 128, 32):
        ks = tl.load(k_ + (s + b)[None, :] * 64 + d[:, None])
        vs = tl.load(v + (s + b)[:, None] * 64 + d[None, :])
        qk = tl.dot(qs, ks, input_precision="ieee") * 0.125
        new = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp(qk - new[:, None])
        a = tl.exp(m - new)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None]
        acc += tl.dot(p.to(tl.{LANGUAGE[narrow]}), vs, input_precision="ieee")
        m = new
    tl.store(y + r[:, None] * 64 + d[None, :], (acc / l[:, None]).to(y.dtype.element_ty))
""",
        [
            ("no rescaling", "acc = acc * a[:, None]", "acc = acc * 1.0"),
            ("factor", "* 0.125", "* 0.06" if is_fp8 else "* 0.12"),
            ("count", "range(0, 128, 32)", "range(0, 96, 32)"),
            ("wrong axis", "tl.sum(p, 1)", "tl.max(p, 1)"),
        ],
    )


def causal_attention():
    """The scores are scaled by rounding the query, which saves a product for each of them."""
    score = "where(arange(64)[:, None] >= arange(64), q @ k_.T * 0.125, -np.inf)"
    share = f"exp({score} - max({score}, axis=1, keepdims=True))"
    return Case(
        "causal attention bf16, a scaled query",
        "[4]",
        tensor("q", "bf16", "[64, 64]", "randn")
        + tensor("k_", "bf16", "[64, 64]", "randn", more="seed = 1")
        + tensor("v", "bf16", "[64, 64]", "randn", more="seed = 2")
        + tensor("y", "bf16", "[64, 64]", expected=f"{share} @ v / sum({share}, axis=1, keepdims=True)"),
        """
def k(q, k_, v, y):
    d = tl.arange(0, 64)
    r = tl.program_id(0) * 16 + tl.arange(0, 16)
    qs = (tl.load(q + r[:, None] * 64 + d[None, :]) * 0.18033688).to(tl.bfloat16)
    s = tl.dot(qs, tl.load(k_ + d[None, :] * 64 + d[:, None]))
    s = tl.where(r[:, None] >= d[None, :], s, -float("inf"))
    p = tl.exp2(s - tl.max(s, 1)[:, None])
    o = tl.dot(p.to(tl.bfloat16), tl.load(v + d[:, None] * 64 + d[None, :])) / tl.sum(p, 1)[:, None]
    tl.store(y + r[:, None] * 64 + d[None, :], o.to(tl.bfloat16))
""",
        [
            ("mask", "r[:, None] >= d[None, :]", "r[:, None] > d[None, :] - 2"),
            ("mask value", '-float("inf")', "0.0"),
            ("base of the exponential", "0.18033688", "0.125"),
            ("no maximum for the sum", "tl.sum(p, 1)", "tl.sum(tl.exp2(s), 1)"),
        ],
    )


def product(dtype, precision="ieee", out=None, acc="float32"):
    out = out or dtype
    return Case(
        f"product {dtype} {precision}, sums of {acc}, stored as {out}",
        "[4]",
        tensor("a", dtype, "[64, 256]", "randn")
        + tensor("b", dtype, "[256, 64]", "randn", more="seed = 1")
        + tensor("c", out, "[64, 64]", expected="a @ b"),
        f"""
def k(a, b, c):
    n = tl.arange(0, 64)
    r = tl.program_id(0) * 16 + tl.arange(0, 16)
    t = tl.arange(0, 32)
    acc = tl.zeros([16, 64], tl.{acc})
    for s in range(0, 256, 32):
        x = tl.load(a + r[:, None] * 256 + (s + t)[None, :])
        w = tl.load(b + (s + t)[:, None] * 64 + n[None, :])
        acc = tl.dot(x, w, acc, input_precision="{precision}", out_dtype=tl.{acc})
    tl.store(c + r[:, None] * 64 + n[None, :], acc.to(c.dtype.element_ty))
""",
        [
            ("a block less", "range(0, 256, 32)", "range(0, 224, 32)"),
            ("off by one", "(s + t)[:, None] * 64", "((s + t + 1) % 256)[:, None] * 64"),
            ("factor", "acc.to(c", "(acc * 1.03).to(c"),
        ],
    )


def summed_product():
    """Without a product of blocks: each term is rounded to fp16."""
    return Case(
        "product fp16, element by element",
        "[64]",
        tensor("a", "fp16", "[64, 128]", "randn")
        + tensor("b", "fp16", "[128]", "randn", more="seed = 1")
        + tensor("c", "fp16", "[64]", expected="a @ b"),
        """
def k(a, b, c):
    i = tl.arange(0, 128)
    p = tl.load(a + tl.program_id(0) * 128 + i) * tl.load(b + i)
    tl.store(c + tl.program_id(0), tl.sum(p.to(tl.float32), 0))
""",
        [("factor", "(p.to(tl.float32), 0)", "(p.to(tl.float32) * 1.02, 0)"), ("off by one", "b + i", "b + (i + 1) % 128")],
    )


def dequantized(dtype):
    return Case(
        f"dequantize int8, then product {dtype}",
        "[4]",
        tensor("a", dtype, "[64, 128]", "randn")
        + tensor("q", "i8", "[128, 64]", "randint", more="low = -127, high = 128, seed = 1")
        + tensor("s", "fp32", "[64]", "rand", more="low = 0.01, high = 0.02, seed = 2")
        + tensor("c", dtype, "[64, 64]", expected="a @ (q * s)"),
        f"""
def k(a, q, s, c):
    n = tl.arange(0, 64)
    t = tl.arange(0, 128)
    r = tl.program_id(0) * 16 + tl.arange(0, 16)
    x = tl.load(a + r[:, None] * 128 + t[None, :])
    w = tl.load(q + t[:, None] * 64 + n[None, :]).to(tl.float32) * tl.load(s + n)[None, :]
    acc = tl.dot(x, w.to(tl.{LANGUAGE[dtype]}))
    tl.store(c + r[:, None] * 64 + n[None, :], acc.to(c.dtype.element_ty))
""",
        [
            ("zero point", ".to(tl.float32) *", ".to(tl.float32) * 1.0 + 2.0 *"),
            ("wrong axis", "tl.load(s + n)[None, :]", "tl.load(s + t % 64)[:, None]"),
            ("factor", "acc.to(c", "(acc * 1.03).to(c"),
        ],
    )


def rotary(dtype):
    return Case(
        f"rotary {dtype}",
        "[64]",
        tensor("x", dtype, "[64, 64]", "randn")
        + tensor("c", dtype, "[64, 64]", "rand", more="low = -1, high = 1, seed = 1")
        + tensor("s", dtype, "[64, 64]", "rand", more="low = -1, high = 1, seed = 2")
        + tensor("y", dtype, "[64, 64]", expected="x * c + concatenate((-x[:, 32:], x[:, :32]), axis=1) * s"),
        """
def k(x, c, s, y):
    i = tl.arange(0, 64)
    row = tl.program_id(0) * 64
    v = tl.load(x + row + i)
    other = tl.load(x + row + (i + 32) % 64)
    turned = tl.where(i < 32, -other, other)
    r = v * tl.load(c + row + i) + turned * tl.load(s + row + i)
    tl.store(y + row + i, r)
""",
        [
            ("sign", "-other, other", "other, -other"),
            ("off by one", "(i + 32) % 64", "(i + 33) % 64"),
            ("factor", "row + i, r)", "row + i, r * 1.03)"),
        ],
    )


def quantized(rounded, expected, more=()):
    return Case(
        f"quantize to int8, {expected[:24]}",
        "[64]",
        tensor("x", "fp32", "[64, 256]", "randn")
        + tensor("q", "i8", "[64, 256]", expected=expected),
        f"""
def k(x, q):
    i = tl.arange(0, 256)
    at = tl.program_id(0) * 256 + i
    v = tl.load(x + at)
    s = tl.max(tl.abs(v), 0) / 127.0
    r = v / s
    tl.store(q + at, {rounded}.to(tl.int8))
""",
        [
            ("rounding", rounded, "r"),
            ("factor", "/ 127.0", "/ 126.0"),
            ("off by one", rounded, f"({rounded} + tl.where(i == 3, 1.0, 0.0))"),
            ("wrong axis", "tl.max(tl.abs(v), 0)", "(tl.max(tl.abs(v), 0) + 0.02 * tl.abs(v))"),
            *more,
        ],
    )


def tied(dtype):
    """Many quotients lie at halves: which way they go is the matter of the last bit of fp32."""
    return Case(
        f"quantize ties of {dtype}",
        "[16]",
        tensor("x", "i32", "[4096]", "randint", more="low = -1000, high = 1000")
        + tensor("q", dtype, "[4096]", expected="clip(round(x * 0.1 / 0.2), -128, 127)"),
        """
def k(x, q):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    r = tl.load(x + i) * 0.1 * 5.000001
    r = libdevice.rint(r)
    tl.store(q + i, tl.minimum(tl.maximum(r, -128.0), 127.0).to(q.dtype.element_ty))
""",
        [
            ("one more", "libdevice.rint(r)", "libdevice.rint(r) + tl.where(i % 97 == 0, 1.0, 0.0)"),
            ("rounding", "libdevice.rint(r)", "tl.floor(r)"),
            ("bound", "127.0)", "126.0)"),
        ],
    )


def to_fp8(dtype):
    return Case(
        f"quantize to {dtype}",
        "[64]",
        tensor("x", "bf16", "[64, 256]", "randn")
        + tensor("y", dtype, "[64, 256]", expected="x / max(abs(x), axis=1, keepdims=True) * 240"),
        """
def k(x, y):
    i = tl.arange(0, 256)
    at = tl.program_id(0) * 256 + i
    v = tl.load(x + at).to(tl.float32)
    r = v * (240.0 / tl.max(tl.abs(v), 0))
    tl.store(y + at, r.to(y.dtype.element_ty))
""",
        [
            ("factor", "240.0 /", "224.0 /"),
            ("one step", "r.to(", "(r * 1.12).to("),
            ("one element", "r.to(", "tl.where(i == 5, r * 1.25, r).to("),
            ("rounding mode", "r.to(y.dtype.element_ty)", 'r.to(y.dtype.element_ty, fp_downcast_rounding="rtz")'),
        ],
    )


def long_sum(dtype):
    return Case(
        f"long sum {dtype}",
        "[16]",
        tensor("x", dtype, "[16, 16384]", "randn") + tensor("y", dtype, "[16]", expected="sum(x, axis=1)"),
        """
def k(x, y):
    i = tl.arange(0, 512)
    acc = tl.zeros([512], tl.float32)
    for s in range(0, 16384, 512):
        acc += tl.load(x + tl.program_id(0) * 16384 + s + i).to(tl.float32)
    tl.store(y + tl.program_id(0), tl.sum(acc, 0).to(y.dtype.element_ty))
""",
        [
            ("count", "range(0, 16384, 512)", "range(512, 16384, 512)"),
            ("factor", "tl.sum(acc, 0)", "(tl.sum(acc, 0) * 1.03)"),
        ],
    )


def narrow_sum():
    return Case(
        "sum in bf16",
        "[64]",
        tensor("x", "bf16", "[64, 256]", "rand") + tensor("y", "bf16", "[64]", expected="sum(x, axis=1)"),
        """
def k(x, y):
    i = tl.arange(0, 16)
    acc = tl.zeros([16], tl.bfloat16)
    for s in range(0, 256, 16):
        acc += tl.load(x + tl.program_id(0) * 256 + s + i)
    tl.store(y + tl.program_id(0), tl.sum(acc.to(tl.float32), 0).to(tl.bfloat16))
""",
        [("count", "range(0, 256, 16)", "range(16, 256, 16)")],
    )


def narrow_columns(dtype):
    """Sums that are rounded at each of many steps are off by as much as a few lines that are left out."""
    return Case(
        f"sum of columns in {dtype}",
        "[3]",
        tensor("x", dtype, "[3000, 70]", "rand") + tensor("y", dtype, "[70]", expected="sum(x, axis=0)"),
        f"""
def k(x, y):
    i = tl.program_id(0) * 32 + tl.arange(0, 32)
    acc = tl.zeros([32], {"tl." + LANGUAGE[dtype]})
    for row in range(0, 3000):
        acc += tl.load(x + row * 70 + i, mask=i < 70, other=0.0)
    tl.store(y + i, acc, mask=i < 70)
""",
        [
            ("count", "range(0, 3000)", "range(0, 2950)"),
            ("factor", "y + i, acc", f"y + i, (acc * 1.02).to({'tl.' + LANGUAGE[dtype]})"),
        ],
        wrongIsDoubted=True,
    )


def unfilled(dtype):
    """An output that is read although nothing fills it, and what shows that loses, or counts."""
    return Case(
        f"read of what nothing fills, {dtype}",
        "[8]",
        tensor("x", dtype, "[2000]", "randint" if dtype.startswith("i") else "randn")
        + tensor("y", dtype, "[2000]", expected="x"),
        """
def k(x, y):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    v = tl.load(x + i, mask=i < 2000)
    tl.store(y + i, v, mask=i < 2000)
""",
        [
            ("maximum", "tl.store(y + i, v", "tl.store(y + i, tl.maximum(tl.load(y + i, mask=i < 2000), v)"),
            ("minimum", "tl.store(y + i, v", "tl.store(y + i, tl.minimum(tl.load(y + i, mask=i < 2000), v)"),
            ("atomic maximum", "tl.store(", "tl.atomic_max("),
        ],
        wrongIsDoubted=True,
    )


def row_sum(dtype, expected, summed, wrong, width=2048):
    """A reduction in a narrow type, which is a tree: it is off by a few units, however many elements it has."""
    return Case(
        f"row sum in {dtype}, {expected} of {width}",
        "[32]",
        tensor("x", dtype, f"[32, {width}]", "randn", more="seed = 1") + tensor("y", "fp32", "[32]", expected=expected),
        f"""
def k(x, y):
    i = tl.arange(0, {width})
    v = tl.load(x + tl.program_id(0) * {width} + i)
    tl.store(y + tl.program_id(0), {summed})
""",
        wrong,
        wrongIsDoubted=True,
    )


SQUARES, MAGNITUDES = "tl.sum(v * v, 0)", "tl.sum(tl.abs(v), 0)"


def layer_norm(dtype):
    centered = "(x - mean(x, axis=1, keepdims=True))"
    return Case(
        f"layer norm {dtype}",
        "[64]",
        tensor("x", dtype, "[64, 300]", "randn", more="scale = 2")
        + tensor("y", dtype, "[64, 300]",
                 expected=f"{centered} / sqrt(mean({centered} * {centered}, axis=1, keepdims=True) + 1e-5)"),
        """
def k(x, y):
    i = tl.arange(0, 512)
    at = tl.program_id(0) * 300 + i
    v = tl.load(x + at, mask=i < 300, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / 300
    c = tl.where(i < 300, v - mean, 0.0)
    r = c * tl.rsqrt(tl.sum(c * c, 0) / 300 + 1e-5)
    tl.store(y + at, r.to(y.dtype.element_ty), mask=i < 300)
""",
        [
            ("mask value", "c = tl.where(i < 300, v - mean, 0.0)", "c = v - mean"),
            ("count", "tl.sum(c * c, 0) / 300", "tl.sum(c * c, 0) / 285"),
            ("count of the mean", "tl.sum(v, 0) / 300", "tl.sum(v, 0) / 512"),
        ],
    )


def stagnant_sum():
    """Sums of fp16 end at 32768 where 16 of them come to 2048 each: what follows is lost."""
    return Case(
        "sum of many",
        "[3]",
        tensor("x", "fp16", "[3, 80000]", "rand") + tensor("y", "fp32", "[3]", expected="sum(x, axis=1)"),
        """
def k(x, y):
    acc = tl.zeros([16], tl.float32)
    for s in range(0, 80000, 16):
        acc += tl.load(x + tl.program_id(0) * 80000 + s + tl.arange(0, 16))
    tl.store(y + tl.program_id(0), tl.sum(acc.to(tl.float32), 0))
""",
        [("accumulator", "tl.float32)\n    for", "tl.float16)\n    for"), ("count", "range(0, 80000, 16)", "range(16, 80000, 16)")],
    )


def running_sum(dtype):
    return Case(
        f"running sum in {dtype}",
        "[4]",
        tensor("x", dtype, "[4, 1000]", "rand") + tensor("y", dtype, "[4, 1000]", expected="cumsum(x, axis=1)"),
        """
def k(x, y):
    i = tl.arange(0, 1024)
    at = tl.program_id(0) * 1000 + i
    v = tl.load(x + at, mask=i < 1000, other=0.0)
    tl.store(y + at, tl.cumsum(v, 0), mask=i < 1000)
""",
        [("exclusive", "tl.cumsum(v, 0)", "tl.cumsum(v, 0) - v"), ("factor", "tl.cumsum(v, 0)", "tl.cumsum(v * 1.01, 0)")],
        wrongIsDoubted=True,
    )


def small_products():
    return Case(
        "product i8, sums of int32",
        "[1]",
        tensor("a", "i8", "[32, 64]", "randint", more="high = 10")
        + tensor("b", "i8", "[64, 32]", "randint", more="high = 10, seed = 1")
        + tensor("c", "i32", "[32, 32]", expected="a @ b"),
        """
def k(a, b, c):
    m = tl.arange(0, 32)
    acc = tl.zeros([32, 32], tl.int32)
    for s in range(0, 64, 32):
        v = tl.load(a + m[:, None] * 64 + (s + m)[None, :])
        w = tl.load(b + (s + m)[:, None] * 32 + m[None, :])
        acc += tl.dot(v, w)
    tl.store(c + m[:, None] * 32 + m[None, :], acc)
""",
        [
            ("accumulator", "acc += tl.dot(v, w)", "acc = (acc + tl.dot(v, w)).to(tl.int8).to(tl.int32)"),
            ("replaced", "acc += tl.dot", "acc = tl.dot"),
            ("loop ends early", "range(0, 64, 32)", "range(0, 64 - 32, 32)"),
        ],
    )


def plane():
    """Blocks of two axes: what goes along the wrong one, begins too late or lies too far apart."""
    return Case(
        "rows and columns",
        "[5, 3]",
        tensor("x", "fp32", "[70, 90]", "randn") + tensor("y", "fp32", "[70, 90]", expected="x * 2"),
        """
def k(x, y):
    r = tl.program_id(0) * 16 + tl.arange(0, 16)
    c = tl.program_id(1) * 32 + tl.arange(0, 32)
    at = r[:, None] * 90 + c[None, :]
    inside = (r[:, None] < 70) & (c[None, :] < 90)
    tl.store(y + at, 2 * tl.load(x + at, mask=inside), mask=inside)
""",
        [
            ("block", "tl.program_id(1) * 32", "tl.program_id(1) * 16"),
            ("axes", "tl.program_id(0) * 16", "tl.program_id(1) * 16"),
            ("stride", "r[:, None] * 90", "r[:, None] * 70"),
            ("return", "    tl.store(", "    return\n    tl.store("),
        ],
    )


def square_mean():
    return Case(
        "mean of a square block",
        "[1]",
        tensor("x", "fp32", "[64, 64]", "randn") + tensor("y", "fp32", "[64]", expected="mean(x, axis=1)"),
        """
def k(x, y):
    i = tl.arange(0, 64)
    v = tl.load(x + i[:, None] * 64 + i[None, :])
    tl.store(y + i, tl.sum(v, axis=1) / 64)
""",
        [("axis", "axis=1", "axis=0"), ("transposed", "i[:, None] * 64 + i[None, :]", "i[None, :] * 64 + i[:, None]")],
    )


CASES = [
    *(scale(dtype) for dtype in ("fp32", "fp16", "bf16", "fp8e4nv", "fp8e5")),
    *(softmax(dtype) for dtype in ("fp32", "fp16", "bf16")),
    rms_norm("fp32"),
    rms_norm("fp16"),
    rms_norm("bf16"),
    rms_norm("bf16", narrow=True),
    layer_norm("bf16"),
    layer_norm("fp32"),
    attention("fp32"),
    attention("fp16"),
    attention("bf16"),
    attention("fp16", "fp8e5"),
    causal_attention(),
    product("fp32"),
    product("fp32", "tf32"),
    product("fp16"),
    product("fp16", acc="float16"),
    product("bf16"),
    product("fp16", out="fp32"),
    product("fp16", out="fp8e5"),
    summed_product(),
    dequantized("fp16"),
    dequantized("bf16"),
    *(rotary(dtype) for dtype in ("fp32", "fp16", "bf16")),
    quantized("libdevice.rint(r)", "round(x / (max(abs(x), axis=1, keepdims=True) / 127))",
              [("rounding mode", "libdevice.rint(r)", "tl.floor(r)")]),
    quantized("tl.floor(r + 0.5)", "floor(x * 127 / max(abs(x), axis=1, keepdims=True) + 0.5)"),
    tied("i8"),
    tied("i32"),
    to_fp8("fp8e4nv"),
    to_fp8("fp8e5"),
    *(long_sum(dtype) for dtype in ("fp32", "fp16", "bf16")),
    narrow_sum(),
    narrow_columns("fp16"),
    unfilled("fp32"),
    unfilled("i32"),
    row_sum("bf16", "sum(x * x, axis=1)", SQUARES, [
        ("factor", SQUARES, f"{SQUARES} * 1.1"),
        ("count", SQUARES, "tl.sum(tl.where(i < 1848, v * v, 0.0), 0)"),
    ]),
    row_sum("bf16", "sum(abs(x), axis=1)", MAGNITUDES, [("factor", MAGNITUDES, f"{MAGNITUDES} * 1.05")]),
    row_sum("bf16", "mean(x, axis=1)", "tl.sum(v, 0) / 2048", [("count", "/ 2048", "/ 1848")]),
    row_sum("fp16", "sum(abs(x), axis=1)", MAGNITUDES, [
        ("factor", MAGNITUDES, f"{MAGNITUDES} * 1.01"),
        ("count", MAGNITUDES, "tl.sum(tl.where(i < 2028, tl.abs(v), 0.0), 0)"),
    ]),
    row_sum("fp16", "sum(abs(x), axis=1)", MAGNITUDES, [("factor", MAGNITUDES, f"{MAGNITUDES} * 1.02")], width=8192),
    stagnant_sum(),
    running_sum("fp16"),
    running_sum("bf16"),
    small_products(),
    plane(),
    square_mean(),
]
