# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Statements of random kernels that reach further into the language: products, memory in every form, atomics, 8-bit
floats, tuples, control flow. Each takes the kernel (random_kernels.RandomKernel) and grows it.

Products, sums and atomics of floats are of small integers where the result is compared bit for bit: no order of
summation can change it.
"""

ITEM_BYTES = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int64": 8, "uint64": 8,
              "float64": 8}


def exact(kernel, dtype="int32"):
    """An exact value of the kernel's shape, as text."""
    return kernel.cast(kernel.pick(exact=True, shape=kernel.shape), dtype).text


def small(kernel, dtype, mask=3):
    """Whole numbers from 0 to `mask` in any type."""
    return f"({exact(kernel)} & {mask}).to(tl.{dtype})"


def spread(kernel, text, dtype, is_exact, shape=None):
    """Defines a value of the kernel's shape from one that broadcasts to it."""
    kernel.define(f"({text} + tl.zeros({list(shape or kernel.shape)}, tl.{dtype})).to(tl.{dtype})", dtype,
                  kernel.shape, is_exact)


# ---- products ----

def product(kernel):
    """`tl.dot` of every type of factors."""
    if len(kernel.shape) != 2 or kernel.shape[0] < 16 or kernel.shape[1] < 16:
        return
    rows, columns = kernel.shape
    choices = ["float16", "bfloat16", "float32"] + (["int8", "float8e5", "float8e4nv"] if columns >= 32 else [])
    dtype = kernel.random.choice(choices)
    left, right, name = kernel.fresh("left"), kernel.fresh("right"), kernel.fresh("product")
    wide = "float32" if "8e" in dtype else dtype
    for side in (left, right):
        kernel.emit(f"{side} = {small(kernel, wide)}" + (f".to(tl.{dtype})" if wide != dtype else ""))
    out = "int32" if dtype == "int8" else "float32"
    hint = kernel.random.choice(["", ", input_precision='ieee'", ", input_precision='tf32x3'"])
    kernel.emit(f"{name} = tl.zeros([{rows}, {rows}], tl.{out})")
    call = f"tl.dot({left}, tl.trans({right}), {name}, out_dtype=tl.{out}{hint if dtype == 'float32' else ''})"
    if kernel.random.random() < 0.5:
        kernel.emit(f"for {kernel.fresh('i')} in range(n % 3 + 1):")
        kernel.emit(f"    {name} = {call}")
    else:
        kernel.emit(f"{name} += {call}")
    axis = kernel.random.randrange(2)
    spread(kernel, f"tl.sum({name}, {axis})[:, None]", out, True)


def pipelined_product(kernel):
    """A product whose factors come from memory, step by step."""
    if len(kernel.shape) != 2 or kernel.shape[0] < 16 or kernel.shape[1] < 16:
        return
    halves = [name for name, dtype in kernel.inputs if dtype in ("float16", "bfloat16", "float32")]
    if not halves:
        return
    rows, columns = kernel.shape
    depth = kernel.random.choice([16, 32, 64])
    a = kernel.random.choice(halves)
    b = kernel.random.choice([name for name in halves if dict(kernel.inputs)[name] == dict(kernel.inputs)[a]])
    name, index, k, left, right = (kernel.fresh(p) for p in ("product", "i", "k", "left", "right"))
    kernel.emit(f"{k} = tl.arange(0, {depth})")
    kernel.emit(f"{name} = tl.zeros([{rows}, {columns}], tl.float32)")
    kernel.emit(f"for {index} in tl.range(0, 3, num_stages={kernel.random.choice([1, 2, 3, 4])}):")
    kernel.emit(f"    {left} = tl.arange(0, {rows})[:, None] * {3 * depth} + {index} * {depth} + {k}[None, :]")
    kernel.emit(f"    {right} = ({index} * {depth} + {k}[:, None]) * {columns} + tl.arange(0, {columns})[None, :]")
    kernel.emit(f"    {name} = tl.dot(tl.load({a} + {left}, mask={left} < n, other=0.0),"
                f" tl.load({b} + {right}, mask={right} < n, other=0.0), {name})")
    kernel.define(f"{name} * 0.125", "float32", kernel.shape, False)


def batched_product(kernel):
    size = kernel.size
    if size < 512 or size % 512:
        return
    name = kernel.fresh("product")
    shape = f"[{size // 256}, 16, 16]"
    factors = (f"tl.reshape({small(kernel, 'float16')}, {shape})" for _ in range(2))
    kernel.emit(f"{name} = tl.dot({', '.join(factors)})")
    kernel.define(f"tl.reshape({name}, {list(kernel.shape)})", "float32", kernel.shape, True)


# ---- memory ----

def window(kernel):
    """How the flat arguments look to a block pointer or descriptor: extents, strides, offsets, block."""
    if len(kernel.shape) == 1:
        return ["n"], ["1"], [f"pid * {kernel.size}"], list(kernel.shape)
    rows, columns = kernel.shape
    return [f"n // {columns}", str(columns)], [str(columns), "1"], [f"pid * {rows}", "0"], [rows, columns]


def block_pointer(kernel):
    name, dtype = kernel.random.choice(kernel.inputs)
    extents, strides, offsets, block = window(kernel)
    shift = kernel.random.choice([0, 0, -3, 5])
    pointer, target = kernel.fresh("block"), kernel.fresh("block")
    order = list(range(len(block)))[::-1]
    make = "tl.make_block_ptr({0}, ({1},), ({2},), ({3},), ({4},), {5})"
    texts = [", ".join(map(str, part)) for part in (extents, strides, offsets, block)]
    kernel.emit(f"{pointer} = {make.format(name, *texts, tuple(order))}")
    kernel.emit(f"{pointer} = tl.advance({pointer}, ({', '.join([str(shift)] + ['0'] * (len(block) - 1))},))")
    dimensions = tuple(range(len(block)))
    value = kernel.define(f"tl.load({pointer}, boundary_check={dimensions}, padding_option='zero')", dtype,
                          kernel.shape, True)
    if kernel.random.random() < 0.5:
        out = kernel.new_output(dtype, (), True)
        kernel.emit(f"{target} = {make.format(out, *texts, tuple(order))}")
        kernel.emit(f"tl.store({target}, {value.text}.to({target}.dtype.element_ty), boundary_check={dimensions})")


def descriptor(kernel):
    name, dtype = kernel.random.choice(kernel.inputs)
    extents, strides, offsets, block = window(kernel)
    if block[-1] * ITEM_BYTES.get(dtype, 4) < 16 or (len(block) == 2 and min(block) > 256) or max(block) > 256:
        return
    lists = [f"[{', '.join(map(str, part))}]" for part in (extents, strides, block)]
    source = kernel.fresh("desc")
    kernel.emit(f"{source} = tl.make_tensor_descriptor({name}, {', '.join(lists)})")
    value = kernel.define(f"{source}.load([{', '.join(offsets)}])", dtype, kernel.shape, True)
    if dtype == "bfloat16" or kernel.random.random() < 0.5:
        return
    out, target = kernel.new_output(dtype, (), True), kernel.fresh("desc")
    kernel.emit(f"{target} = tl.make_tensor_descriptor({out}, {', '.join(lists)})")
    kernel.emit(f"{target}.store([{', '.join(offsets)}], {value.text})")


def descriptor_reduction(kernel):
    """All programs add to one block."""
    if max(kernel.shape) > 256 or kernel.shape[-1] * 4 < 16:
        return
    value = exact(kernel)
    out, target = kernel.new_output("int32", (kernel.size,), True), kernel.fresh("desc")
    block = list(kernel.shape)
    strides = [1] if len(block) == 1 else [block[1], 1]
    kernel.emit(f"{target} = tl.make_tensor_descriptor({out}, {block}, {strides}, {block})")
    offsets = ", ".join("0" for _ in block)
    kernel.emit(f"{target}.atomic_{kernel.random.choice(['add', 'max', 'xor'])}([{offsets}], {value})")


def descriptor_gather(kernel):
    name, dtype = kernel.random.choice(kernel.inputs)
    if len(kernel.shape) != 2 or kernel.shape[0] < 8 or kernel.shape[1] * ITEM_BYTES.get(dtype, 4) < 32:
        return
    rows, columns = kernel.shape
    source = kernel.fresh("desc")
    kernel.emit(f"{source} = tl.make_tensor_descriptor({name}, [n // {columns}, {columns}], [{columns}, 1],"
                f" [1, {columns}])")
    index = f"(tl.arange(0, {rows}) * 5 + pid) % ({rows} + 3)"
    kernel.define(f"{source}.gather({index}, 0)", dtype, kernel.shape, True)


def hinted_load(kernel):
    name, dtype = kernel.random.choice(kernel.inputs)
    hint = kernel.random.choice(["cache_modifier='.cg'", "eviction_policy='evict_last'", "volatile=True"])
    index = kernel.random.choice(["offs", "(n - 1 - offs)", "(offs * 3) % n", f"tl.multiple_of(offs, {[1] * len(kernel.shape)})"])
    # In bounds although it may be negative: where the mask is off, nothing is read.
    kernel.define(f"tl.load({name} + {index}, mask=offs < n, other=1, {hint})", dtype, kernel.shape, True)


# ---- atomics ----

def atomic_float(kernel):
    out = kernel.new_output("float32", (8,), True)
    kernel.emit(f"tl.atomic_{kernel.random.choice(['add', 'max', 'min'])}({out} + (offs & 7),"
                f" {small(kernel, 'float32', 15)}, mask=offs < n, sem='relaxed')")


def atomic_wide(kernel):
    dtype = kernel.random.choice(["int64", "uint64", "uint32"])
    out = kernel.new_output(dtype, (8,), True)
    function = kernel.random.choice(["add", "max", "min", "and", "or", "xor"])
    scope = kernel.random.choice(["gpu", "sys"])
    kernel.emit(f"tl.atomic_{function}({out} + (offs % 8), {exact(kernel, dtype)}, mask=offs < n, scope='{scope}')")


def atomic_old_value(kernel):
    """Every element has its own place, so that what was there is known."""
    out = kernel.new_output("int32", (), True)
    value = exact(kernel)
    kernel.emit(f"tl.atomic_add({out} + offs, {value}, mask=offs < n)")
    name = kernel.fresh("old")
    kernel.emit(f"{name} = tl.atomic_xchg({out} + offs, {exact(kernel)}, mask=offs < n, sem='acquire')")
    kernel.define(f"tl.where(offs < n, {name}, 0)", "int32", kernel.shape, True)


def lock(kernel):
    """Programs one after another, by compare-and-swap; what they add does not depend on their order."""
    key, total = kernel.new_output("int32", (1,), True), kernel.new_output("int32", (1,), True)
    kernel.emit(f"while tl.atomic_cas({key}, 0, 1) == 1:")
    kernel.emit("    pass")
    kernel.emit(f"tl.store({total}, tl.load({total}, volatile=True) + tl.sum({flat(kernel, exact(kernel))}))")
    kernel.emit("tl.debug_barrier()")
    kernel.emit(f"tl.atomic_xchg({key}, 0)")


# ---- element types ----

def small_float(kernel):
    """To 8 bits and back, by rounding."""
    dtype = kernel.random.choice(["float8e5", "float8e4nv", "float8e4b15"])
    limit = {"float8e5": 4000.0, "float8e4nv": 400.0, "float8e4b15": 1.5}[dtype]
    value = f"tl.clamp({exact(kernel, 'float32')} * {limit / 64}, -{limit}, {limit})"
    kernel.define(f"{value}.to(tl.{dtype}).to(tl.float32)", "float32", kernel.shape, True)


def wide(kernel):
    form = kernel.random.choice([
        "{a} * {b} + (1 << 40)", "({a} << 33) ^ {b}", "{a} - ({b} << 20)", "{a} // (({b} & 1023) + 1)",
        "tl.umulhi({a}, {b})", "tl.where({a} < {b}, {a}, {b})",
    ])
    dtype = kernel.random.choice(["int64", "uint64"])
    text = form.format(a=exact(kernel, dtype), b=exact(kernel, dtype))
    kernel.define(f"({text}).to(tl.{dtype})", dtype, kernel.shape, True)


def double(kernel):
    a, b = exact(kernel, "float32"), exact(kernel, "float32")
    form = kernel.random.choice(["{a} + {b}", "{a} * {b}", "tl.where({a} > {b}, {a} - {b}, -{a})"])
    text = form.format(a=f"{a}.to(tl.float64)", b=f"{b}.to(tl.float64)")
    kernel.define(f"({text}).to(tl.float32)", "float32", kernel.shape, False)


def bits(kernel):
    form = kernel.random.choice([
        "{x}.to(tl.float32, bitcast=True).to(tl.int32, bitcast=True)", "libdevice.popc({x})", "libdevice.clz({x})",
        "libdevice.brev({x})", "libdevice.mulhi({x}, {y})", "libdevice.byte_perm({x}, {y}, 0x3210 + ({y} & 7))",
        "tl.inline_asm_elementwise('lop3.b32 $0, $1, $2, $2, 0x6a;', '=r,r,r', [{x}, {y}], tl.int32, True, 1)",
    ])
    kernel.define(form.format(x=exact(kernel), y=exact(kernel)), "int32", kernel.shape, True)


def random_bits(kernel):
    form = kernel.random.choice(["tl.randint(n, {x})", "tl.randint4x(7, {x})[2]", "tl.randint(n, {x}, n_rounds=4)"])
    kernel.define(f"{form.format(x=exact(kernel))}.to(tl.int32, bitcast=True)", "int32", kernel.shape, True)


# ---- reductions, scans, shapes ----

def flat(kernel, text):
    return text if len(kernel.shape) == 1 else f"tl.ravel({text})"


def along(kernel, axis, text):
    """A reduction along the axis, so that it broadcasts again."""
    if len(kernel.shape) == 1:
        return text
    return f"{text}[:, None]" if axis == 1 else f"{text}[None, :]"


def indexed_reduction(kernel):
    axis = kernel.random.randrange(len(kernel.shape))
    value, index = kernel.fresh("best"), kernel.fresh("where")
    side = kernel.random.choice(["max", "min"])
    kernel.emit(f"{value}, {index} = tl.{side}({exact(kernel)}, {axis}, return_indices=True)")
    spread(kernel, along(kernel, axis, f"({value} * 3 + {index})"), "int32", True)


def custom_reduction(kernel):
    name = kernel.fresh("combine")
    axis = kernel.random.randrange(len(kernel.shape))
    kernel.helpers.append(f"@triton.jit\ndef {name}(a, b, c, d):\n    return tl.maximum(a, c), b + d\n")
    high, total = kernel.fresh("high"), kernel.fresh("total")
    kernel.emit(f"{high}, {total} = tl.reduce(({exact(kernel)}, {exact(kernel)}), {axis}, {name})")
    spread(kernel, along(kernel, axis, f"({high} ^ {total})"), "int32", True)


def ordered_scan(kernel):
    """An operation that does not commute, from either end."""
    name = kernel.fresh("combine")
    kernel.helpers.append(f"@triton.jit\ndef {name}(a, b, c, d):\n    return a * c, b * c + d\n")
    axis = kernel.random.randrange(len(kernel.shape))
    slope, offset = kernel.fresh("slope"), kernel.fresh("offset")
    reverse = kernel.random.choice(["", ", reverse=True"])
    kernel.emit(f"{slope}, {offset} = tl.associative_scan(({exact(kernel)}, {exact(kernel)}), {axis}, {name}{reverse})")
    kernel.define(f"{slope} - {offset}", "int32", kernel.shape, True)


def histogram(kernel):
    bins = kernel.random.choice([16, 32])
    values = flat(kernel, exact(kernel))
    name = kernel.fresh("histogram")
    kernel.emit(f"{name} = tl.histogram({values} & {bins - 1}, {bins})")
    spread(kernel, f"tl.sum({name} * (tl.arange(0, {bins}) * 3 + 1))", "int32", True)


def best_few(kernel):
    name = kernel.fresh("best")
    kernel.emit(f"{name} = tl.topk({exact(kernel)}, 4)")
    spread(kernel, along(kernel, 1, f"tl.xor_sum({name}, {len(kernel.shape) - 1})"), "int32", True)


def long_way_round(kernel):
    """Three dimensions and back."""
    value = kernel.pick(exact=True, shape=kernel.shape)
    size = kernel.size
    kernel.define(f"tl.reshape(tl.permute(tl.reshape({value.text}, [2, {size // 8}, 4]), (2, 0, 1)),"
                  f" {list(kernel.shape)})", value.dtype, kernel.shape, True)


def interleaved(kernel):
    a, b = exact(kernel), exact(kernel)
    last = len(kernel.shape) - 1
    kernel.define(f"tl.max(tl.reshape(tl.interleave({a}, {b}), {[*kernel.shape, 2]}), {last + 1})", "int32",
                  kernel.shape, True)


# ---- control ----

def elementwise_map(kernel):
    name = kernel.fresh("choose")
    kernel.helpers.append(f"@triton.jit\ndef {name}(a, b):\n    if a > b:\n        return a - b\n"
                          "    else:\n        return b * 2\n")
    kernel.define(f"tl.map_elementwise({name}, {exact(kernel)}, {exact(kernel)})", "int32", kernel.shape, True)


def nested_loops(kernel):
    """Two values are carried, one of them a tuple."""
    pair, i, j = kernel.fresh("pair"), kernel.fresh("i"), kernel.fresh("j")
    kernel.emit(f"{pair} = ({exact(kernel)}, {exact(kernel)})")
    kernel.emit(f"for {i} in range(pid, 4):")
    kernel.emit(f"    for {j} in tl.range(0, {i} + 1, loop_unroll_factor={kernel.random.choice([1, 2, 4])}):")
    kernel.emit(f"        {pair} = ({pair}[1] + {j}, {pair}[0] ^ {i})")
    kernel.define(f"{pair}[0] - {pair}[1]", "int32", kernel.shape, True)


def conditional_store(kernel):
    out = kernel.new_output("int32", (), True)
    value = exact(kernel)
    kernel.emit(f"if tl.max({flat(kernel, value)}, 0) > {kernel.random.choice([0, 50, 90])}:")
    kernel.emit(f"    tl.store({out} + offs, {value}, mask=offs < n)")
    kernel.emit("elif pid == 1:")
    kernel.emit(f"    tl.store({out} + offs, 7, mask=offs < n)")


def recursion(kernel):
    name = kernel.fresh("fold")
    kernel.helpers.append(f"@triton.jit\ndef {name}(x, depth: tl.constexpr):\n    if depth == 0:\n        return x\n"
                          f"    else:\n        return {name}(x * 2 + depth, depth - 1)\n")
    kernel.define(f"{name}({exact(kernel)}, {kernel.random.randint(1, 4)})", "int32", kernel.shape, True)


def apart(kernel):
    """A function that stays one; it takes scalars."""
    name, scalar = kernel.fresh("apart"), kernel.fresh("scalar")
    kernel.helpers.append(f"@triton.jit(noinline=True)\ndef {name}(a, b):\n    return a * 3 - b\n")
    kernel.emit(f"{scalar} = {name}(pid, n) if n > 40 else {name}(n, pid)")
    kernel.define(f"{exact(kernel)} + {scalar}", "int32", kernel.shape, True)


STEPS = [
    product, product, pipelined_product, batched_product, block_pointer, block_pointer, descriptor, descriptor_reduction,
    descriptor_gather, hinted_load, atomic_float, atomic_wide, atomic_old_value, lock, small_float, wide, wide, double,
    bits, bits, random_bits, indexed_reduction, custom_reduction, ordered_scan, histogram, best_few, long_way_round,
    interleaved, elementwise_map, nested_loops, conditional_store, recursion, apart,
]
