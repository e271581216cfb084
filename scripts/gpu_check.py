#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs kernel packages on this machine's GPU, beside Triton's own kernels of the same source.

For each package (`tilescope package FILE -o NAME.tskernel`):
  1. tilescope-runner runs it and writes inputs and outputs;
  2. Triton compiles the same function of the same example file for the same signature, constants and
     options; its machine code goes into a package of its own and is run by the same runner: same inputs, same
     launches, same clock;
  3. both outputs are compared with a float64 PyTorch reference, and with the interpreter's outputs where
     they are given (`--interpreter DIR`, holding NAME/<argument>.npy as `tilescope run --on cpu --dump DIR/NAME` writes them).

Runs alternate between the two, so that both see the same clocks and temperatures. The exit status is 1
when an output is wrong or a run fails; times never fail the check.

Needs: python3 with torch, triton and numpy; the program tilescope-runner. No other part of Tilescope.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

import numpy as np

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


# ---- references ----

def load_array(path):
    """A `.npy` file as float64; types that NumPy lacks are stored as raw bits in a named field."""
    array = np.load(path)
    if array.dtype.names == ("bf16",):
        array = (array["bf16"].astype(np.uint32) << 16).view(np.float32)
    elif array.dtype.names:
        import torch
        kind = {"fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2}[array.dtype.names[0]]
        bits = torch.from_numpy(np.ascontiguousarray(array[array.dtype.names[0]]))
        array = bits.view(kind).to(torch.float32).numpy()
    return array.astype(np.float64)


def references(kernel, inputs, scalars):
    """Expected outputs by argument name, in float64; empty for a kernel that has no PyTorch counterpart."""
    import torch
    get = lambda name: torch.from_numpy(inputs[name])
    if kernel == "vector_add":
        return {"out_ptr": get("x_ptr") + get("y_ptr")}
    if kernel == "fused_softmax":
        return {"out_ptr": torch.softmax(get("in_ptr"), dim=-1)}
    if kernel == "layer_norm":
        x = get("x_ptr")
        return {"out_ptr": torch.nn.functional.layer_norm(
            x, x.shape[-1:], get("weight_ptr"), get("bias_ptr"), scalars["eps"])}
    if kernel == "gelu_kernel":
        return {"out_ptr": torch.nn.functional.gelu(get("x_ptr"))}
    if kernel == "row_sum_atomic":
        return {"sum_ptr": get("x_ptr").sum(dim=1)}
    if kernel == "transpose":
        return {"out_ptr": get("in_ptr").T.contiguous()}
    if kernel == "matmul":
        return {"c_ptr": get("a_ptr") @ get("b_ptr")}
    if kernel == "cumsum":
        return {"out_ptr": torch.cumsum(get("x_ptr"), dim=-1)}
    return {}


def norm_error(actual, expected):
    """Norm of the difference over the norm of the reference; infinite for NaN anywhere."""
    expected = np.asarray(expected)
    if actual.shape != expected.shape or not np.all(np.isfinite(actual)):
        return float("inf")
    scale = np.linalg.norm(expected.ravel())
    return float(np.linalg.norm((actual - expected).ravel()) / (scale or 1.0))


TOLERANCE = {"fp64": 1e-12, "fp32": 2e-6, "fp16": 1e-3, "bf16": 8e-3}


# ---- runs ----

def cupti_folder():
    """Where Python packages brought a CUPTI along, for machines without the CUDA Toolkit."""
    for entry in sys.path:
        for pattern in ("nvidia/*/lib/libcupti.so.1[23]", "triton/backends/nvidia/lib/cupti/libcupti.so.1[23]"):
            found = sorted(pathlib.Path(entry or ".").glob(pattern)) if os.path.isdir(entry or ".") else []
            if found:
                return str(found[-1].parent)
    return None


class Runner:
    def __init__(self, program, device, time_limit):
        self.program, self.device, self.time_limit = program, device, time_limit
        self.environment = dict(os.environ)
        folder = cupti_folder()
        if folder:
            # Behind the system's own: a CUPTI that fits the driver is better.
            paths = [self.environment.get("LD_LIBRARY_PATH", ""), folder]
            self.environment["LD_LIBRARY_PATH"] = ":".join(p for p in paths if p)

    def run(self, package, *options):
        command = [self.program, "run", str(package), "--json", "--device", str(self.device),
                   "--time-limit", str(self.time_limit), *map(str, options)]
        result = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if result.returncode != 0:
            raise RuntimeError(result.stderr.strip() or f"exit status {result.returncode}")
        return json.loads(result.stdout)


def outputs_of(folder, plan):
    return {arg["name"]: load_array(folder / f"{arg['name']}.npy")
            for arg in plan["args"] if "dtype" in arg}


def check_outputs(label, plan, inputs, outputs, expected, problems):
    """The worst error in norm against the reference; wrong outputs go to `problems`."""
    worst = None
    dtypes = {arg["name"]: arg["dtype"] for arg in plan["args"] if "dtype" in arg}
    for name, reference in expected.items():
        error = norm_error(outputs[name], reference)
        # Products of fp16 blocks are summed in fp32: the inputs' type sets the precision.
        tolerance = max(TOLERANCE.get(kind, 0.1) for kind in dtypes.values())
        if not error <= tolerance:
            problems.append(f"{label}: `{name}` is off by {error:.2g} in norm (allowed {tolerance:g})")
        worst = max(error, worst or 0.0)
    return worst


def check_package(path, arguments, runner, folder):
    header, _ = read_package(path)
    plan, problems = header["plan"], []
    row = {"name": path.stem, "kernel": plan["kernel"], "sizes": plan.get("sizes", {}), "problems": problems}
    mine, inputs_folder, theirs = folder / "ours", folder / "inputs", folder / "theirs"
    compare = []
    if arguments.interpreter and (arguments.interpreter / path.stem).is_dir():
        compare = ["--compare", arguments.interpreter / path.stem]
    rounds = {"tilescope": [runner.run(path, "--dump", mine, "--dump-inputs", inputs_folder, *compare)]}
    for output in rounds["tilescope"][0]["outputs"]:
        if output.get("mismatches"):
            problems.append(f"`{output['name']}` differs from the interpreter in {output['mismatches']} "
                            f"elements, first at {output['first_mismatch']}")
    row["interpreter"] = bool(compare) and not problems
    inputs = outputs_of(inputs_folder, plan)
    scalars = {arg["name"]: arg["value"] for arg in plan["args"] if "value" in arg and "dtype" not in arg}
    expected = references(plan["kernel"], inputs, scalars)
    row["error"] = check_outputs("tilescope", plan, inputs, outputs_of(mine, plan), expected, problems)
    info = rounds["tilescope"][0]["device_info"]
    triton_path = folder / "triton.tskernel"
    example = arguments.examples / pathlib.Path(header["source_path"]).name
    if not example.is_file():
        problems.append(f"no example file {example} to compile with Triton")
    else:
        triton_package(header, example, info["compute_major"] * 10 + info["compute_minor"], triton_path)
        rounds["triton"] = [runner.run(triton_path, "--dump", theirs)]
        row["triton_error"] = check_outputs("triton", plan, inputs, outputs_of(theirs, plan), expected, problems)
        if not expected:
            reference = outputs_of(theirs, plan)
            changed = [o["name"] for o in rounds["triton"][0]["outputs"] if o["changed"]]
            row["error"] = check_outputs("tilescope against triton", plan, inputs, outputs_of(mine, plan),
                                         {name: reference[name] for name in changed}, problems)
    for _ in range(arguments.rounds - 1):
        for which in rounds:
            rounds[which].append(runner.run(path if which == "tilescope" else triton_path))
    for which, runs in rounds.items():
        row[which] = {
            "time_us": statistics.median(r["time_us"]["median"] for r in runs),
            "source": runs[0]["time_source"],
            "registers": runs[0].get("registers"),
            "shared_bytes": runs[0].get("shared_bytes"),
            "gb_per_s": statistics.median(r["gb_per_s"] for r in runs) if "gb_per_s" in runs[0] else None,
            "tflop_per_s": statistics.median(r["tflop_per_s"] for r in runs) if "tflop_per_s" in runs[0] else None,
        }
    row["device"] = rounds["tilescope"][0]["device"]
    row["copy_gb_per_s"] = rounds["tilescope"][0].get("copy_gb_per_s")
    return row


def number(value, form):
    return "" if value is None else format(value, form)


def markdown(rows):
    lines = ["| kernel | sizes | Tilescope µs | Triton µs | ratio | GB/s | registers | error in norm | interpreter |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    for row in rows:
        mine, theirs = row.get("tilescope", {}), row.get("triton", {})
        ratio = mine["time_us"] / theirs["time_us"] if mine and theirs else None
        sizes = ", ".join(f"{k}={v}" for k, v in row["sizes"].items())
        registers = f"{mine.get('registers', '')} / {theirs.get('registers', '')}"
        verdict = "equal" if row.get("interpreter") else ""
        if row["problems"]:
            verdict = "WRONG: see below"
        lines.append(f"| {row['kernel']} | {sizes} | {number(mine.get('time_us'), '.2f')} | "
                     f"{number(theirs.get('time_us'), '.2f')} | {number(ratio, '.3f')} | "
                     f"{number(mine.get('gb_per_s'), '.0f')} | {registers} | "
                     f"{number(row.get('error'), '.1e')} | {verdict} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=pathlib.Path, help="folder of .tskernel files, or one file")
    parser.add_argument("--runner", default="tilescope-runner", help="the program tilescope-runner")
    parser.add_argument("--examples", type=pathlib.Path, required=True, help="folder of the kernels' source files")
    parser.add_argument("--interpreter", type=pathlib.Path, help="folder of the interpreter's outputs, one folder per package")
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3, help="alternating runs of each; medians are shown")
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--json", type=pathlib.Path, help="write everything here as well")
    parser.add_argument("--triton-only", type=pathlib.Path, metavar="DIR",
                        help="only compile with Triton and write its packages there; needs no GPU")
    parser.add_argument("--capability", type=int, default=90, help="compute capability for --triton-only")
    arguments = parser.parse_args()
    paths = [arguments.packages] if arguments.packages.is_file() else sorted(arguments.packages.glob("*.tskernel"))
    if not paths:
        parser.error(f"no .tskernel in {arguments.packages}")
    if arguments.triton_only:
        arguments.triton_only.mkdir(parents=True, exist_ok=True)
        for path in paths:
            header, _ = read_package(path)
            example = arguments.examples / pathlib.Path(header["source_path"]).name
            triton_package(header, example, arguments.capability, arguments.triton_only / path.name)
        return 0
    runner, rows = Runner(arguments.runner, arguments.device, arguments.time_limit), []
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows.append(check_package(path, arguments, runner, pathlib.Path(folder)))
            except Exception as failure:  # one kernel's failure must not hide the others' results
                rows.append({"name": path.stem, "kernel": path.stem, "sizes": {}, "problems": [f"{type(failure).__name__}: {failure}"]})
        print(f"{path.stem}: {'; '.join(rows[-1]['problems']) or 'ok'}", file=sys.stderr, flush=True)
    device = next((row["device"] for row in rows if "device" in row), "no device")
    copy = next((row["copy_gb_per_s"] for row in rows if row.get("copy_gb_per_s")), None)
    sources = sorted({row[w]["source"] for row in rows for w in ("tilescope", "triton") if w in row})
    print(f"{device}, copy {number(copy, '.0f')} GB/s, clock: {', '.join(sources)}\n")
    print(markdown(rows))
    for row in rows:
        for problem in row["problems"]:
            print(f"\n{row['name']}: {problem}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
