#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tilescope-runner on a real device: a good kernel, one that faults, one that never ends, one that wants too much memory.

Usage: runner_gpu_test.py RUNNER. Exits with 77 (skipped) and the reason where there is no GPU.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
from gpu_check import write_package  # noqa: E402
from runner_service import RunnerService  # noqa: E402

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry {name}(
  .param .u64 x, .param .u64 out, .param .u32 n, .param .u64 scratch, .param .u64 profile)
{{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;
  {body}
  ret;
}}
"""
# out[i] = 2 x[i] for i < n, one element for each thread.
DOUBLE = """
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4]; add.f32 %f2, %f1, %f1; st.global.f32 [%rd5], %f2;
DONE:
"""
FAULT = "mov.u64 %rd1, 64; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1;"
HANG = "LOOP: ld.param.u64 %rd1, [x]; ld.volatile.global.u32 %r1, [%rd1]; bra LOOP;"


def package(folder, name, body, elements=100000):
    plan = {"kernel": name, "name": "", "grid": [(elements + 127) // 128, 1, 1], "constexprs": {}, "options": {},
            "sizes": {}, "sweep": {}, "bytes": 8 * elements,
            "args": [{"name": "x", "dtype": "fp32", "shape": [elements], "init": "randn", "seed": 3},
                     {"name": "out", "dtype": "fp32", "shape": [elements + 5], "init": "poison"},
                     {"name": "n", "type": "i32", "value": min(elements, 2**31 - 1)}]}
    header = {"symbol": name, "target": "cuda:80", "num_warps": 4, "num_ctas": 1, "shared_bytes": 0,
              "parameters": [{"name": "x", "type": "*fp32"}, {"name": "out", "type": "*fp32"}, {"name": "n", "type": "i32"}],
              "plan": plan}
    path = folder / f"{name}.tskernel"
    write_package(path, header, {"ptx": HEAD.format(name=name, body=body).encode()})
    return path


class Service(RunnerService):
    def run(self, path, **params):
        return self.call("run", {"package": str(path), **params})


def check_good(runner, path, folder):
    result = subprocess.run([runner, "run", str(path), "--json", "--dump", str(folder / "out"),
                             "--dump-inputs", str(folder / "in")], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    measurement = json.loads(result.stdout)
    x, out = np.load(folder / "in/x.npy"), np.load(folder / "out/out.npy")
    assert np.array_equal(out[:-5], 2 * x), "wrong outputs"
    assert np.isnan(out[-5:]).all(), "written beyond the end"
    assert measurement["time_us"]["n"] >= 30 and 0 < measurement["time_us"]["median"] < 1000, measurement
    assert measurement["registers"] > 0 and measurement["occupancy"]["warps_per_sm"] > 0, measurement
    assert measurement["kernel"] == "double_it" and measurement["gb_per_s"] > 0, measurement
    print(f"{measurement['device']}: {measurement['time_us']['median']:.2f} us by {measurement['time_source']}, "
          f"copy {measurement.get('copy_gb_per_s', 0):.0f} GB/s")


def check_profile(service, path):
    """The counters of a kernel whose traffic is known, and samples of it. Where the machine refuses, it says why."""
    measurement = service.run(path, counters="full", pc_samples=True)["result"]
    for refusal in measurement.get("refusals", []):
        assert refusal["kind"] != "other" and refusal["reason"], refusal
        print(f"not checked: {refusal['rung']}: {refusal['reason']}")
    if counters := measurement.get("counters"):
        values = counters["values"]
        sectors = 100000 * 4 // 32
        assert values["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == sectors, values
        assert values["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] == sectors, values
        assert values["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] == 100000, values
        assert counters["passes"] > 2 and len(values) > 80, counters
    if samples := measurement.get("pc_samples"):
        assert samples["total"] > 1000 and samples["dropped"] < samples["total"] / 10, samples
        assert sum(row[2] for row in samples["stalls"]) > 0 and all(row[0] % 16 == 0 for row in samples["stalls"]), samples
    quick = service.run(path, counters="quick")["result"]
    assert quick.get("refusals") or quick["counters"]["passes"] <= 2, quick
    conditions = measurement.get("conditions")
    assert conditions is None or conditions["sm_clock_mhz"][1] > 0, measurement


def main():
    runner = sys.argv[1]
    devices = subprocess.run([runner, "devices"], capture_output=True, text=True)
    if devices.returncode == 3:
        print("skipped: " + devices.stderr.strip())
        return 77
    assert devices.returncode == 0, devices.stderr
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        good = package(folder, "double_it", DOUBLE)
        check_good(runner, good, folder)
        service = Service(runner)
        assert "result" in service.run(good)
        check_profile(service, good)
        fault = service.run(package(folder, "fault_it", FAULT))["error"]["message"]
        assert "`fault_it`" in fault and "CUDA_ERROR_ILLEGAL_ADDRESS" in fault, fault
        assert "result" in service.run(good)
        hang = service.run(package(folder, "hang_it", HANG), time_limit_s=2)["error"]["message"]
        assert "`hang_it`" in hang and "did not finish within 2 s" in hang, hang
        assert "result" in service.run(good)
        large = service.run(package(folder, "fill_it", DOUBLE, 250_000_000_000))["error"]["message"]
        assert "`fill_it`" in large and "CUDA_ERROR_OUT_OF_MEMORY" in large, large
        warm = service.run(good, cold_l2=False, samples=True)["result"]
        assert warm["cold_l2"] is False and len(warm["time_us"]["samples"]) == warm["time_us"]["n"], warm
        service.process.stdin.close()
        assert service.process.wait(timeout=20) == 0
    print("good, faulting, endless and oversized kernels end as they should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
