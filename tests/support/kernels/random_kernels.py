# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Writes random kernels that are valid, with a launch block each.

A kernel grows statement by statement over a pool of values, each known by shape, kind and exactness. A value is
exact when every correct compiler must give the same bits: integers, loaded data, what is selected from them.
Rounding may differ for the others, so nothing discontinuous (a comparison, a cast to an integer) is applied to
them, and their outputs are compared with a tolerance.
"""

import dataclasses
import math
import random

import random_steps

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float16", "bfloat16"]
SIGNATURE = {
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "float32": "fp32", "float16": "fp16", "bfloat16": "bf16",
}


@dataclasses.dataclass
class Value:
    text: str
    dtype: str
    shape: tuple
    exact: bool = True

    @property
    def is_int(self):
        return self.dtype not in FLOATS


@dataclasses.dataclass
class Output:
    name: str
    dtype: str
    shape: tuple
    exact: bool


class RandomKernel:
    """`text` is the file, `name` the kernel, `outputs` what it writes."""

    def __init__(self, seed, name="kernel", steps=None):
        self.random = random.Random(seed)
        self.name = name
        self.programs = self.random.choice([1, 2, 3])
        self.shape = self.random.choice([(32,), (64,), (128,), (256,), (16, 16), (16, 32), (32, 8), (4, 64),
                                         (32, 32), (64, 32), (64, 64)])
        self.size = math.prod(self.shape)
        self.num_warps = self.random.choice([1, 2, 4]) if self.size < 2048 else self.random.choice([4, 8])
        self.inputs, self.outputs, self.lines, self.helpers, self.values = [], [], [], [], []
        self.counter = 0
        self.indent = 1
        for _ in range(self.random.randint(1, 3)):
            self.add_input()
        for _ in range(steps or self.random.randint(4, 12)):
            self.random.choice(self.STEPS + random_steps.STEPS)(self)
        # The last value depends on most others.
        for value in self.values[-3:]:
            self.add_output(value)
        self.text = self.file_text()

    # ---- writing ----

    def emit(self, line):
        self.lines.append("    " * self.indent + line)

    def fresh(self, prefix="v"):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def define(self, text, dtype, shape, exact):
        name = self.fresh()
        self.emit(f"{name} = {text}")
        value = Value(name, dtype, shape, exact)
        self.values.append(value)
        return value

    # ---- choosing ----

    def pick(self, **wanted):
        """A value that fits, converted when none does."""
        kind, shape, exact = wanted.get("kind"), wanted.get("shape"), wanted.get("exact")
        fitting = [
            v for v in self.values
            if (kind is None or v.is_int == (kind == "int"))
            and (shape is None or v.shape == shape)
            and (not exact or v.exact)
        ]
        if fitting:
            return self.random.choice(fitting)
        source = self.random.choice([v for v in self.values if v.shape == self.shape and v.exact])
        return self.cast(source, "int32" if kind == "int" else "float32")

    def cast(self, value, dtype):
        if value.dtype == dtype:
            return value
        text = value.text
        if not value.is_int and dtype not in FLOATS:
            # Outside the type's range the result would be undefined, and negative is outside for unsigned.
            low = "0.0" if dtype.startswith("u") else "-100.0"
            text = f"tl.minimum(tl.maximum({text}.to(tl.float32), {low}), 100.0)"
        return Value(f"{text}.to(tl.{dtype})", dtype, value.shape, value.exact)

    # ---- statements ----

    def add_input(self):
        dtype = self.random.choice(INTS + FLOATS * 3)
        name = f"in{len(self.inputs)}_ptr"
        self.inputs.append((name, dtype))
        other = ", other=0" if self.random.random() < 0.5 else ""
        self.define(f"tl.load({name} + offs, mask=offs < n{other})", dtype, self.shape, True)

    def int_binary(self):
        dtype = self.random.choice(["int32", "int32", "int64", "uint32", "int16", "int8", "uint8"])
        a = self.cast(self.pick(exact=True, shape=self.shape), dtype).text
        b = self.cast(self.pick(exact=True, shape=self.shape), dtype).text
        form = self.random.choice([
            "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} & {b}", "{a} | {b}", "{a} ^ {b}", "{a} << ({b} & 7)",
            "{a} >> ({b} & 7)", "{a} // (({b} & 15) + 1)", "{a} % (({b} & 15) + 1)", "tl.minimum({a}, {b})",
            "tl.maximum({a}, {b})", "~{a}", "tl.where({a} < {b}, {a}, {b})", "tl.where({a} == {b}, {b}, {a})",
        ])
        # Everything above keeps the type: literals do not promote.
        self.define(form.format(a=a, b=b), dtype, self.shape, True)

    def mixed_ints(self):
        a, b = self.pick(kind="int", shape=self.shape), self.pick(kind="int", shape=self.shape)
        self.define(f"({a.text} {self.random.choice('+*&^')} {b.text}).to(tl.int32)", "int32", self.shape, True)

    def float_binary(self):
        dtype = self.random.choice(["float32", "float32", "float32", "float16", "bfloat16"])
        a = self.cast(self.pick(shape=self.shape), dtype)
        b = self.cast(self.pick(shape=self.shape), dtype)
        if self.random.random() < 0.5:
            form = self.random.choice(["tl.where({x} > {y}, {a}, {b})", "tl.where({x} != {y}, {b}, {a})"])
            x = self.cast(self.pick(exact=True, shape=self.shape), "float32").text
            y = self.cast(self.pick(exact=True, shape=self.shape), "float32").text
            text = form.format(a=a.text, b=b.text, x=x, y=y)
            self.define(text, dtype, self.shape, a.exact and b.exact)
            return
        form = self.random.choice([
            "{a} + {b}", "{a} - {b}", "{a} * 0.25 + {b}", "{a} * ({b} * 0.125)", "-{a} + 0.5",
            "({a} / (tl.abs({b}) + 1.0)).to(tl.{t})",
        ])
        self.define(f"({form.format(a=a.text, b=b.text, t=dtype)}).to(tl.{dtype})", dtype, self.shape, False)

    def float_function(self):
        x = self.cast(self.pick(shape=self.shape), "float32").text
        form = self.random.choice([
            "tl.exp(-tl.abs({x}))", "tl.sqrt(tl.abs({x}) + 0.5)", "tl.log(tl.abs({x}) + 1.5)", "tl.sigmoid({x})",
            "tl.sin({x} * 0.01)", "tl.exp2(tl.minimum({x}, 3.0))", "tl.erf({x})", "tl.rsqrt(tl.abs({x}) + 1.0)",
            "tl.fma({x}, 0.5, 0.25)",
        ])
        self.define(form.format(x=x), "float32", self.shape, False)

    def cast_step(self):
        value = self.pick(exact=True, shape=self.shape)
        result = self.cast(value, self.random.choice(INTS + FLOATS))
        self.define(result.text, result.dtype, result.shape, True)

    def reduction(self):
        axis = self.random.randrange(len(self.shape))
        kind = self.random.choice(["sum", "max", "min", "xor_sum", "argmax"])
        if kind == "sum" and self.random.random() < 0.5:
            value = self.cast(self.pick(shape=self.shape), "float32")
            scaled, exact, dtype = f"{value.text} * 0.01", False, "float32"
        else:
            value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
            scaled, exact, dtype = value.text, True, "int32"
        text = f"tl.{kind}({scaled}, axis={axis})"
        if len(self.shape) == 2:
            text += "[:, None]" if axis == 1 else "[None, :]"
        self.define(f"{text} + tl.zeros({list(self.shape)}, tl.{dtype})", dtype, self.shape, exact)

    def scan(self):
        axis = self.random.randrange(len(self.shape))
        reverse = self.random.choice(["", ", reverse=True"])
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        self.define(f"tl.cumsum({value.text}, axis={axis}{reverse})", "int32", self.shape, True)

    def custom_scan(self):
        name = self.fresh("combine")
        self.helpers.append(f"@triton.jit\ndef {name}(a, b):\n    return tl.maximum(a, b)\n")
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        self.define(f"tl.associative_scan({value.text}, 0, {name})", "int32", self.shape, True)

    def reshuffle(self):
        value = self.pick(shape=self.shape)
        if len(self.shape) == 1:
            half = self.shape[0] // 2
            form = self.random.choice([
                "tl.reshape(tl.trans(tl.reshape({x}, [2, {h}])), [{n}])", "tl.flip({x}, 0)",
                "tl.ravel(tl.reshape({x}, [{h}, 2]))",
            ])
            self.define(form.format(x=value.text, h=half, n=self.shape[0]), value.dtype, self.shape, value.exact)
        else:
            rows, columns = self.shape
            form = "tl.reshape(tl.trans({x}), [{r}, {c}])"
            self.define(form.format(x=value.text, r=rows, c=columns), value.dtype, self.shape, value.exact)

    def join_split(self):
        a = self.cast(self.pick(exact=True, shape=self.shape), "int32").text
        b = self.cast(self.pick(exact=True, shape=self.shape), "int32").text
        left, right = self.fresh(), self.fresh()
        self.emit(f"{left}, {right} = tl.split(tl.join({a}, {b}))")
        self.define(f"{left} - {right}", "int32", self.shape, True)

    def sort(self):
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        self.define(f"tl.sort({value.text})", "int32", self.shape, True)

    def gather(self):
        value = self.pick(exact=True, shape=self.shape)
        index = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        self.define(f"tl.gather({value.text}, {index.text} & {self.shape[0] - 1}, 0)", value.dtype, self.shape, True)

    def dot(self):
        if len(self.shape) != 2 or min(self.shape) < 16:
            return
        a = self.cast(self.pick(shape=self.shape), "float16").text
        b = self.cast(self.pick(shape=self.shape), "float16").text
        rows, columns = self.shape
        left = self.define(f"({a} * 0.125).to(tl.float16)", "float16", self.shape, False).text
        right = self.define(f"({b} * 0.125).to(tl.float16)", "float16", self.shape, False).text
        name = self.fresh("product")
        self.emit(f"{name} = tl.dot({left}, tl.trans({right}))")
        self.define(f"tl.sum({name}, axis=1)[:, None] + tl.zeros([{rows}, {columns}], tl.float32)", "float32",
                    self.shape, False)

    def loop(self):
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        name, index = self.fresh("acc"), self.fresh("i")
        self.emit(f"{name} = {value.text}")
        iterator = self.random.choice(["range(0, 3)", "range(n % 5)", "tl.static_range(2)", "range(7, 1, -2)"])
        self.emit(f"for {index} in {iterator}:")
        step = self.random.choice(["{a} * 3 + {i}", "({a} ^ {i}) - 1", "tl.where({a} > {i}, {a} - {i}, {a} + 7)"])
        self.emit(f"    {name} = {step.format(a=name, i=index)}")
        self.values.append(Value(name, "int32", self.shape))

    def float_loop(self):
        value = self.cast(self.pick(shape=self.shape), "float32")
        name, index = self.fresh("acc"), self.fresh("i")
        self.emit(f"{name} = {value.text}")
        self.emit(f"for {index} in range(0, n % 4 + 1):")
        self.emit(f"    {name} = {name} * 0.5 + {index}")
        self.values.append(Value(name, "float32", self.shape, False))

    def while_loop(self):
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32")
        name, count = self.fresh("acc"), self.fresh("count")
        self.emit(f"{name} = {value.text}")
        self.emit(f"{count} = pid")
        self.emit(f"while {count} < 5:")
        self.emit(f"    {name} += {count}")
        self.emit(f"    {count} += 2")
        self.values.append(Value(name, "int32", self.shape))

    def branch(self):
        a, b = self.pick(exact=True, shape=self.shape), self.pick(exact=True, shape=self.shape)
        name = self.fresh("chosen")
        condition = self.random.choice(["pid % 2 == 0", "n > 100", "(pid == 0) | (n < 3)"])
        self.emit(f"if {condition}:")
        self.emit(f"    {name} = {self.cast(a, 'int32').text} + 1")
        self.emit("else:")
        self.emit(f"    {name} = {self.cast(b, 'int32').text} * 2")
        self.values.append(Value(name, "int32", self.shape))

    def call(self):
        name = self.fresh("helper")
        form = self.random.choice(["return a - b * 2", "if a.dtype == tl.int32:\n        return a + b\n    else:\n        return b - a",
                                   "c = tl.maximum(a, b)\n    return tl.where(c > 3, c, a)"])
        self.helpers.append(f"@triton.jit\ndef {name}(a, b):\n    {form}\n")
        a = self.cast(self.pick(exact=True, shape=self.shape), "int32").text
        b = self.cast(self.pick(exact=True, shape=self.shape), "int32").text
        self.define(f"{name}({a}, {b})", "int32", self.shape, True)

    def atomic(self):
        value = self.cast(self.pick(exact=True, shape=self.shape), "int32").text
        name = self.new_output("int32", (16,), True)
        function = self.random.choice(["atomic_add", "atomic_max", "atomic_xor", "atomic_or"])
        self.emit(f"tl.{function}({name} + (offs & 15), {value}, mask=offs < n)")

    STEPS = [
        int_binary, int_binary, mixed_ints, float_binary, float_binary, float_function, cast_step, reduction, reduction,
        scan, custom_scan, reshuffle, join_split, sort, gather, dot, loop, float_loop, while_loop, branch, call, atomic,
    ]

    # ---- the file ----

    def new_output(self, dtype, shape, exact):
        """The name of a tensor to write to: of all `n` elements, when the shape is empty."""
        name = f"out{len(self.outputs)}_ptr"
        self.outputs.append(Output(name, dtype if dtype != "bfloat16" else "float32", shape, exact))
        return name

    def add_output(self, value):
        name = self.new_output(value.dtype, (), value.exact)
        self.emit(f"tl.store({name} + offs, {value.text}, mask=offs < n)")

    def file_text(self, with_header=True):
        size = self.size
        count = size * self.programs - self.random.choice([0, 0, 1, size // 3])
        block = [f'kernel = "{self.name}"', f"grid = [{self.programs}]", "[sizes]", f"n = {count}", "[args]"]
        for index, (name, dtype) in enumerate(self.inputs):
            init = '"randn"' if dtype in FLOATS else f'"randint", low = {0 if dtype[0] == "u" else -50}, high = 100'
            block.append(f'{name} = {{ dtype = "{SIGNATURE[dtype]}", shape = ["n"], init = {init}, seed = {index} }}')
        for output in self.outputs:
            shape = '["n"]' if not output.shape else str(list(output.shape))
            block.append(f'{output.name} = {{ dtype = "{SIGNATURE[output.dtype]}", shape = {shape}, init = "zeros" }}')
        block += ['n = "n"', "[options]", f"num_warps = {self.num_warps}"]
        names = [name for name, _ in self.inputs] + [output.name for output in self.outputs]
        lines = ["# /// tilescope", *(f"# {line}" for line in block), "# ///", ""]
        for helper in self.helpers:
            lines += [helper, ""]
        lines += ["@triton.jit", f"def {self.name}({', '.join(names)}, n):", "    pid = tl.program_id(0)"]
        if len(self.shape) == 1:
            lines.append(f"    offs = pid * {size} + tl.arange(0, {size})")
        else:
            rows, columns = self.shape
            lines.append(f"    offs = pid * {size} + tl.arange(0, {rows})[:, None] * {columns}"
                         f" + tl.arange(0, {columns})[None, :]")
        header = ["import triton", "import triton.language as tl", "from triton.language.extra import libdevice", ""]
        return "\n".join((header if with_header else []) + lines + self.lines) + "\n"
