# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Triton's machine code for the cases of the conformance suite."""

import importlib.util
import sys

from suite.case import Tensor


def load_module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def specialize(function, case):
    """Signature, constants, hints and the order of the parameters, as Triton derives them from a launch."""
    signature, constants, hints, order = {}, {}, {}, []
    for index, name in enumerate(function.arg_names):
        if name in case.constexprs:
            signature[name], constants[(index,)] = "constexpr", case.constexprs[name]
            continue
        argument = case.args[name]
        if isinstance(argument, Tensor):
            signature[name] = "*" + argument.dtype.name
            hints[(index,)] = [["tt.divisibility", 16]]
        else:
            value, kind = argument if isinstance(argument, tuple) else (argument, "i32")
            if value == 1 and isinstance(value, int):
                signature[name], constants[(index,)] = "constexpr", 1
                continue
            signature[name] = kind
            if isinstance(value, int) and value % 16 == 0:
                hints[(index,)] = [["tt.divisibility", 16]]
        order.append([name, signature[name]])
    return signature, constants, hints, order


def source_of(module, case):
    """What Triton compiles, its options, and the parameters that remain."""
    from triton.compiler import ASTSource
    function = getattr(module, case.name)
    signature, constants, hints, order = specialize(function, case)
    return ASTSource(function, signature, constants, hints), dict(case.options), order


def open_backend(capability):
    """What Triton compiles with for a device: target, backend and a context with its dialects."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend
    target = GPUTarget("cuda", capability, 32)
    backend, context = make_backend(target), ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    return target, backend, context


def print_ttir(module, case, capability):
    """Triton's TTIR, after its own passes over it."""
    source, given, _ = source_of(module, case)
    target, backend, context = open_backend(capability)
    options = backend.parse_options(given)
    printed = source.make_ir(target, options, backend.get_codegen_implementation(options),
                             backend.get_module_map(), context)
    return str(backend.make_ttir(printed, {}, options, capability))


def compile_case(module, case, capability):
    """The code as `Device.run` takes it."""
    import triton
    from triton.backends.compiler import GPUTarget
    source, options, order = source_of(module, case)
    compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)
    facts = compiled.metadata
    return {"cubin": compiled.asm["cubin"], "symbol": facts.name, "warps": facts.num_warps, "shared": facts.shared,
            "scratch": getattr(facts, "global_scratch_size", 0) or 0, "ctas": 1,
            "grid": (list(case.grid) + [1, 1])[:3], "parameters": order}


def compile_ttir(path, case, parameters, capability):
    """The same from a file of TTIR with these parameters, through all of Triton's stages: `triton.compile` would leave
    out the passes over TTIR, without which block pointers are not lowered."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import Language
    target, backend, context = open_backend(capability)
    options = backend.parse_options(dict(case.options))
    stages, facts = {}, {"target": target, **options.__dict__}
    backend.add_stages(stages, options, Language.TRITON)
    code = ir.parse_mlir_module(str(path), context)
    code.context = context
    for lower in stages.values():
        code = lower(code, facts)
    return {"cubin": code, "symbol": facts["name"], "warps": facts["num_warps"], "shared": facts["shared"],
            "scratch": facts["global_scratch_size"] or 0, "ctas": 1, "grid": (list(case.grid) + [1, 1])[:3],
            "parameters": parameters}
