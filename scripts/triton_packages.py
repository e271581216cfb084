# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel packages in Python, and packages whose machine code Triton compiles for the same launch."""

import importlib.util
import json
import struct

MAGIC = b"TSKERNEL"


# ---- packages ----

def read_package(path):
    data = path.read_bytes()
    assert data[:8] == MAGIC, f"{path} is not a kernel package"
    version, length = struct.unpack("<II", data[8:16])
    assert version == 1, f"{path} has format {version}"
    header = json.loads(data[16:16 + length])
    start = (16 + length + 15) // 16 * 16
    blobs = {b["name"]: data[start + b["offset"]:start + b["offset"] + b["size"]]
             for b in header.pop("blobs")}
    return header, blobs


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def write_package(path, header, blobs):
    body, listed = b"", []
    for name, data in blobs.items():
        body += b"\0" * (-len(body) % 16)
        listed.append({"name": name, "offset": len(body), "size": len(data), "fnv1a": fnv1a(data)})
        body += data
    text = json.dumps({**header, "blobs": listed}).encode()
    head = MAGIC + struct.pack("<II", 1, len(text)) + text
    path.write_bytes(head + b"\0" * (-len(head) % 16) + body)


# ---- Triton's kernel for the same launch ----

def load_module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def specialize(function, plan):
    """Signature, constants and hints as Triton derives them from the launch's values."""
    import triton.language as tl
    given = {arg["name"]: arg for arg in plan["args"]}
    names = dict(function.fn.__globals__, tl=tl)
    signature, constants, hints, order = {}, {}, {}, []
    for index, name in enumerate(function.arg_names):
        if name in given:
            arg = given[name]
            if "dtype" in arg:
                signature[name] = "*" + arg["dtype"]
                hints[(index,)] = [["tt.divisibility", 16]]
                order.append((name, signature[name]))
                continue
            value, kind = arg["value"], arg["type"]
            whole = isinstance(value, int) and not isinstance(value, bool)
            if whole and value == 1:
                signature[name] = "constexpr"
                constants[(index,)] = 1
                continue
            signature[name] = kind
            if whole and kind[0] in "iu" and value % 16 == 0:
                hints[(index,)] = [["tt.divisibility", 16]]
            order.append((name, kind))
        else:
            signature[name] = "constexpr"
            if name in plan["constexprs"]:
                constants[(index,)] = eval(plan["constexprs"][name], names)
            else:
                constants[(index,)] = function.signature.parameters[name].default
    return signature, constants, hints, order


def triton_package(header, example, capability, path):
    """Compiles with Triton and writes a package that launches its machine code."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    plan = header["plan"]
    function = getattr(load_module(example), plan["kernel"])
    signature, constants, hints, order = specialize(function, plan)
    options = {key: int(value) for key, value in plan["options"].items() if str(value).isdigit()}
    compiled = triton.compile(ASTSource(function, signature, constants, hints),
                              target=GPUTarget("cuda", capability, 32), options=options)
    metadata = compiled.metadata
    result = dict(header, symbol=metadata.name, target=f"cuda:{capability}",
                  num_warps=metadata.num_warps, num_ctas=getattr(metadata, "num_ctas", 1),
                  shared_bytes=metadata.shared,
                  global_scratch_bytes=getattr(metadata, "global_scratch_size", 0) or 0,
                  parameters=[{"name": name, "type": kind} for name, kind in order],
                  generator=f"triton {triton.__version__}")
    result.pop("registers", None)
    result.pop("spill_bytes", None)
    write_package(path, result, {"cubin": compiled.asm["cubin"]})
