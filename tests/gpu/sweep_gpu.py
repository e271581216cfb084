#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep over configurations beside Triton's autotuner, on a GPU.

Usage: sweep_gpu.py RUNNER FOLDER OUT.json

FOLDER holds for each kernel a folder with `sweep.json` ({"file": an example, "grid": a Python expression, "configs": [{name:
value}]}) and a package `N.tskernel` for each configuration that compiles. For each kernel, the packages are measured as
`tilescope sweep` does it, Triton tunes the same function over the same list, and then four kernels are measured against
each other: this compiler's and Triton's, each with its own winner and with the other one's. Needs Python with torch and
triton.
"""

import base64
import json
import math
import pathlib
import statistics
import sys
import time

import torch
import triton

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "support"), str(pathlib.Path(__file__).resolve().parent)]
from runner_service import RunnerService  # noqa: E402
from triton_packages import load_module, read_package, triton_package  # noqa: E402

OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "i32": torch.int32}


def measure(service, packages, **more):
    """Medians in µs by key, and the whole answer."""
    keys = list(packages)
    reply = service.call("interleave", {"protocol": 1, "time_limit_s": 30, **more, "packages_base64": [
        base64.b64encode(packages[key]).decode() for key in keys]})
    assert "result" in reply, reply
    result = reply["result"]
    assert "fault" not in result, result["kernels"][result["fault"]]
    medians = {key: statistics.median(t for r in kernel["rounds"] for t in r)
               for key, kernel in zip(keys, result["kernels"]) if "error" not in kernel}
    return medians, dict(zip(keys, result["kernels"]))


def sweep(service, packages):
    """As app/commands/SweepRun: all in a few rounds, then the best against each other."""
    medians, kernels = measure(service, packages, rounds=30, launches_per_round=3, hopeless=1.5)
    best = sorted((key for key in medians if not kernels[key]["stopped_early"]), key=medians.get)
    finalists = [key for key in best if medians[key] <= 1.1 * medians[best[0]]][:6]
    if len(finalists) > 1:
        final, answers = measure(service, {key: packages[key] for key in finalists})
        medians.update(final)
        kernels.update(answers)
    return medians, kernels, min(medians, key=medians.get)


def tune(function, plan, grid, configs):
    """Triton's choice: its index in the list, and all its times in µs."""
    tuned = [triton.Config({k: v for k, v in c.items() if k not in OPTIONS},
                           **{k: v for k, v in c.items() if k in OPTIONS}) for c in configs]
    tuner = triton.autotune(configs=tuned, key=[])(function)
    values = {}
    for arg in plan["args"]:
        if "dtype" in arg:
            values[arg["name"]] = torch.randn(arg["shape"], device="cuda").to(TYPES[arg["dtype"]])
        else:
            values[arg["name"]] = arg["value"]
    fixed = {name: eval(value) for name, value in plan["constexprs"].items() if name not in configs[0]}
    sizes = {name: int(value) for name, value in plan["sizes"].items()}

    def extents(meta):
        return (eval(grid, {"cdiv": triton.cdiv}, {**sizes, **meta}),)
    tuner[extents](**values, **fixed)
    torch.cuda.synchronize()
    times = {tuned.index(config): (t[0] if isinstance(t, (list, tuple)) else t) * 1000
             for config, t in (tuner.configs_timings or {}).items()}
    return tuned.index(tuner.best_config), {i: t for i, t in times.items() if math.isfinite(t)}


def by_triton(path, example, target):
    """The package of Triton's machine code for the launch of ours; nothing where it does not compile."""
    header, _ = read_package(path)
    out = path.with_suffix(".triton")
    triton_package(header, example, target, out)
    return out.read_bytes()


def main():
    service, folder = RunnerService(sys.argv[1]), pathlib.Path(sys.argv[2])
    capability = torch.cuda.get_device_capability()
    target = capability[0] * 10 + capability[1]
    results = {"device": torch.cuda.get_device_name(), "triton": triton.__version__}
    for path in sorted(folder.glob("*/sweep.json")):
        spec = json.loads(path.read_text())
        packages = {int(p.stem): p.read_bytes() for p in path.parent.glob("*.tskernel")}
        example = ROOT / spec["file"]
        header, _ = read_package(next(path.parent.glob("*.tskernel")))
        begin = time.time()
        medians, kernels, ours = sweep(service, packages)
        swept = time.time()
        theirs, triton_us = tune(getattr(load_module(example), header["plan"]["kernel"]), header["plan"], spec["grid"],
                                 spec["configs"])
        tuned = time.time()
        final = {"ours, our winner": packages[ours]}
        if theirs in packages:
            final["ours, Triton's winner"] = packages[theirs]
        for name, index in (("Triton's, its winner", theirs), ("Triton's, our winner", ours)):
            if (path.parent / f"{index}.tskernel").exists():
                final[name] = by_triton(path.parent / f"{index}.tskernel", example, target)
        together, _ = measure(service, final)
        results[path.parent.name] = {"configs": spec["configs"], "ours_us": medians, "ours": ours, "triton": theirs,
                                     "triton_us": triton_us, "together_us": together, "kernels": kernels}
        print(f"{path.parent.name}: {len(packages)} of {len(spec['configs'])} compile, sweep {swept - begin:.1f} s, "
              f"Triton's tuner {tuned - swept:.1f} s")
        print("  our winner", spec["configs"][ours], "Triton's", spec["configs"][theirs])
        print("  together", {name: round(us, 2) for name, us in together.items()})
        print("  ours", {k: round(v, 1) for k, v in sorted(medians.items())}, "Triton's tuner",
              {k: round(v, 1) for k, v in sorted(triton_us.items())}, flush=True)
        pathlib.Path(sys.argv[3]).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
