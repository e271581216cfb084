#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Sweeps over several GPUs of a machine, which tests/support/fake_runner.py stands in for.

Usage: gpus_test.py TILESCOPE
"""

import collections
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
sys.path.insert(0, str(SUPPORT.parent / "hostile"))
import texts  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
SWEEP = ["sweep", "k.py", "--over", "BLOCK=8,16,32,64,128,256,512,1024", "--over", "num_warps=1,2"]


class Machine:
    def __init__(self, **scenario):
        self.holder = tempfile.TemporaryDirectory(prefix="tilescope-gpus-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "k.py").write_text(texts.kernel())
        self.says(**scenario)

    def says(self, **scenario):
        self.scenario = {"time": "100 + abs(BLOCK - 64) + num_warps", **scenario, "log": str(self.folder / "log")}
        (self.folder / "scenario.json").write_text(json.dumps(self.scenario))

    def environment(self):
        return {**os.environ, "TILESCOPE_RUNNER": str(SUPPORT / "fake_runner.py"), "FAKE_RUNNER": str(self.folder / "scenario.json")}

    def ask(self, *arguments):
        return subprocess.run([TILESCOPE, *arguments], capture_output=True, text=True, timeout=300, cwd=self.folder,
                              env=self.environment())

    def sweep(self, *arguments, status=0):
        ending = self.ask(*SWEEP, *arguments, "--json")
        assert ending.returncode == status, (ending.returncode, ending.stderr)
        return json.loads(ending.stdout)


def gpus_of(sweep):
    return collections.Counter((point["gpu"], point["uuid"][-1]) for point in sweep["points"] if "gpu" in point)


def test_gpus_of_one_model_share_the_points():
    machine = Machine(devices=["NVIDIA H100"] * 2)
    sweep = machine.sweep("--on", "cuda:all", "-o", "out")
    assert len(sweep["points"]) == 16 and all(point["status"] in ("measured", "stopped early") for point in sweep["points"])
    shares = gpus_of(sweep)
    assert set(shares) == {(0, "0"), (1, "1")} and min(shares.values()) >= 2, shares
    assert {point["model"] for point in sweep["points"]} == {"NVIDIA H100"} and "models" not in sweep
    assert sweep["winner"]["values"] == {"BLOCK": "64", "num_warps": "1"}, sweep["winner"]
    # The best of all are measured once more on one GPU.
    best = sorted((point for point in sweep["points"]), key=lambda point: point["median_us"])[:2]
    assert len({point["gpu"] for point in best}) == 1, best
    rows = list(csv.DictReader(open(machine.folder / "out/points.csv")))
    assert {row["place"] for row in rows} == {"cuda:0", "cuda:1"} and all(row["uuid"].startswith("GPU-") for row in rows)
    text = machine.ask("sweep", "k.py", "--over", "BLOCK=8,16,32,64,128,256,512,1024", "--over", "num_warps=1,2", "--on", "cuda:0,1").stdout
    assert "NVIDIA H100 (2 GPUs)" in text, text


def test_models_are_never_ranked_together():
    machine = Machine(devices=["NVIDIA H100", "NVIDIA A100", "NVIDIA H100"],
                      time="(10 + BLOCK if device == 1 else 1000 - BLOCK / 2) + num_warps")
    sweep = machine.sweep("--on", "cuda:all", "-o", "out")
    assert sweep["models"] == ["NVIDIA H100", "NVIDIA A100"] and len(sweep["points"]) == 32 and "winner" not in sweep
    for point in sweep["points"]:
        assert (point["gpu"] == 1) == (point["model"] == "NVIDIA A100"), point
    assert sweep["winners"]["NVIDIA H100"]["values"] == {"BLOCK": "1024", "num_warps": "1"}, sweep["winners"]
    assert sweep["winners"]["NVIDIA A100"]["values"] == {"BLOCK": "8", "num_warps": "1"}, sweep["winners"]
    # Slow points of the slower model are not given up because of the faster one.
    measured = [point for point in sweep["points"] if point["model"] == "NVIDIA H100" and point["status"] == "measured"]
    assert len(measured) > 4
    page = (machine.folder / "out/report.html").read_text()
    assert page.count("<h2>") == 2 and page.count("Winner: BLOCK = ") == 2
    again = machine.sweep("--on", "cuda:all", "--resume", "out")
    assert again["winners"] == sweep["winners"]
    ending = machine.ask(*SWEEP, "--on", "cuda:all", "--resume", "out", "--write")
    assert ending.returncode == 1 and "each model of GPU has a winner of its own" in ending.stderr, ending.stderr
    ending = machine.ask(*SWEEP, "--on", "cuda:0,2", "--resume", "out")
    assert ending.returncode == 2 and "a sweep of something else" in ending.stderr, ending.stderr


def test_a_gpu_that_is_lost_leaves_its_points_to_the_others():
    machine = Machine(devices=["NVIDIA H100"] * 3, lost=[1])
    sweep = machine.sweep("--on", "cuda:all")
    assert {gpu for gpu, _ in gpus_of(sweep)} <= {0, 2} and len(sweep["points"]) == 16
    assert all("median_us" in point for point in sweep["points"])
    assert any("`cuda:1` was left out: the device is lost" in note for note in sweep["notes"]), sweep["notes"]
    machine.says(devices=["NVIDIA H100", "NVIDIA A100"], lost=[1])
    ending = machine.ask(*SWEEP, "--on", "cuda:all")
    assert ending.returncode == 3 and "the device is lost" in ending.stderr, ending.stderr


def test_a_killed_sweep_goes_on():
    machine = Machine(devices=["NVIDIA H100"] * 2, pause=1.0)
    process = subprocess.Popen([TILESCOPE, *SWEEP, "--on", "cuda:all", "-o", "out"], cwd=machine.folder,
                               env=machine.environment(), stdout=subprocess.DEVNULL)
    log = machine.folder / "out/points.jsonl"
    end = time.monotonic() + 60
    while time.monotonic() < end and not (log.exists() and '"measured"' in log.read_text()):
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = log.read_text()
    machine.says(devices=["NVIDIA H100"] * 2)
    sweep = machine.sweep("--on", "cuda:all", "--resume", "out")
    assert all("median_us" in point for point in sweep["points"]) and log.read_text().startswith(before)
    assert sweep["winner"]["values"] == {"BLOCK": "64", "num_warps": "1"}


def test_places_that_cannot_be():
    machine = Machine(devices=["NVIDIA H100"] * 2)
    for places, says in ((["cuda:0,5"], "`cuda` has no GPU 5: it has 2"), (["cuda:0", "cpu"], "the interpreter does not measure beside GPUs"),
                         (["cuda:0,x"], "`x` is not a device number"), (["cuda:0,"], "is not a place"), (["ssh:///all"], "is not a place")):
        ending = machine.ask(*SWEEP, *(word for place in places for word in ("--on", place)))
        assert ending.returncode in (2, 3) and says in ending.stderr, (places, ending.stderr)
    assert len(machine.sweep("--on", "cuda:0", "--on", "cuda:0", "--on", "cuda:0,1")["points"]) == 16
    machine.says(devices=[])
    ending = machine.ask(*SWEEP, "--on", "cuda:all")
    assert ending.returncode == 3 and "there is no GPU" in ending.stderr, ending.stderr


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 3 or any(word in name for word in sys.argv[2:])):
            begin = time.monotonic()
            test()
            print(f"{time.monotonic() - begin:6.1f} s  {name[5:].replace('_', ' ')}", flush=True)


if __name__ == "__main__":
    main()
