# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of kernel packages against references: PyTorch's for the examples, NumPy's for a folder that has them."""

import math
import pathlib
import shutil
import sys

import numpy as np


def as_float64(array):
    """Elements of a `.npy` file; types that NumPy lacks are stored as raw bits in a named field."""
    if array.dtype.names == ("bf16",):
        array = (array["bf16"].astype(np.uint32) << 16).view(np.float32)
    elif array.dtype.names:
        import torch
        kind = {"fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2}[array.dtype.names[0]]
        bits = torch.from_numpy(np.ascontiguousarray(array[array.dtype.names[0]]))
        array = bits.view(kind).to(torch.float32).numpy()
    return array.astype(np.float64)


def load_array(path):
    return as_float64(np.load(path))


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


def check_outputs(label, found, problems):
    """The worst error in norm; wrong outputs go to `problems`."""
    for name, (error, allowed) in found.items():
        if not error <= allowed:
            problems.append(f"{label}: `{name}` is off by {error:.2g} in norm (allowed {allowed:g})")
    return max((error for error, _ in found.values()), default=None)


def torch_errors(plan, inputs, runs):
    tensors = [arg for arg in plan["args"] if "dtype" in arg]
    scalars = {arg["name"]: arg["value"] for arg in plan["args"] if "value" in arg and "dtype" not in arg}
    expected = references(plan["kernel"], {arg["name"]: load_array(inputs / f"{arg['name']}.npy") for arg in tensors}, scalars)
    # Products of fp16 blocks are summed in fp32: the inputs' type sets the precision.
    allowed = max(TOLERANCE.get(arg["dtype"], 0.1) for arg in tensors)
    return [{name: (norm_error(load_array(run / f"{name}.npy"), value), allowed) for name, value in expected.items()} for run in runs]


def reference_errors(folder, header, inputs, runs):
    """For each run, error in norm and what is allowed, by output; empty for a kernel without a reference."""
    plan, name = header["plan"], pathlib.Path(header["source_path"]).stem
    if not folder:
        return torch_errors(plan, inputs, runs)
    import launches
    from references import REFERENCES
    if name not in REFERENCES:
        return [{} for _ in runs]
    found = launches.errors(name, header["source_text"], {k: int(v) for k, v in plan["sizes"].items()}, inputs, *runs)
    return [{f"{output}_ptr": error for output, error in run.items()} for run in found]


def difference(path, other, convert):
    """Error in norm between two files of all elements, a part at a time; `convert` makes float64 or int64 of them."""
    actual, expected = np.load(path, mmap_mode="r").reshape(-1), np.load(other, mmap_mode="r").reshape(-1)
    squares, scale, step = 0.0, 0.0, 1 << 22
    for first in range(0, len(actual), step):
        a, b = (convert(np.asarray(x[first:first + step])).astype(np.float64) for x in (actual, expected))
        squares += np.square(a - b).sum()
        scale += np.square(b).sum()
    return math.sqrt(squares / (scale or 1.0)) if math.isfinite(squares) else math.inf


def against_triton(mine, theirs, changed, plan, found, convert):
    """Like `reference_errors`, of all elements that Triton's kernel wrote; twice what one may be off."""
    dtypes = {arg["name"]: arg["dtype"] for arg in plan["args"] if "dtype" in arg}
    allowed = {name: bound for name, (_, bound) in found.items()}
    return {name: (difference(mine / f"{name}.npy", theirs / f"{name}.npy", convert),
                   2 * allowed.get(name, TOLERANCE.get(dtypes[name], 0.1))) for name in changed}


def compare(references_folder, header, folder, changed):
    """What is wrong with the outputs in `folder`, and their worst errors; the folder is removed. `changed`: the outputs that
    Triton's kernel wrote, None without it."""
    problems, row = [], {}
    inputs, mine, theirs = folder / "inputs", folder / "ours", folder / "theirs"
    try:
        convert = as_float64
        if references_folder:
            sys.path.insert(0, str(references_folder))
            from launches import numbers as convert
        found = reference_errors(references_folder, header, inputs, [mine] if changed is None else [mine, theirs])
        row["error"] = check_outputs("tilescope", found[0], problems)
        if changed is not None:
            row["triton_error"] = check_outputs("triton", found[1], problems)
            both = against_triton(mine, theirs, changed, header["plan"], found[0], convert)
            row["against_triton"] = check_outputs("tilescope against triton", both, problems)
            row["error"] = row["against_triton"] if row["error"] is None else row["error"]
    except Exception as failure:  # told in the table, beside the others
        problems.append(f"{type(failure).__name__}: {failure}")
    shutil.rmtree(folder, ignore_errors=True)
    return row, problems
