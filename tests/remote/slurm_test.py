#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Sweeps over a real Slurm on this machine (tests/support/slurm.py), with tests/support/fake_runner.py in place of GPUs.

Usage: slurm_test.py TILESCOPE. Without Slurm it says so and is skipped (status 77).
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
sys.path.insert(0, str(SUPPORT))
sys.path.insert(0, str(SUPPORT.parent / "hostile"))
import slurm  # noqa: E402
import texts  # noqa: E402

TILESCOPE = str(pathlib.Path(sys.argv[1]).resolve())
SWEEP = ["sweep", "k.py", "--over", "BLOCK=8,16,32,64,128,256,512,1024", "--over", "n=1000,2000", "--jobs", "1"]


class Site:
    """A folder that all nodes see, and a cluster."""

    def __init__(self, cluster, **scenario):
        self.cluster = cluster
        self.holder = tempfile.TemporaryDirectory(prefix="tilescope-site-")
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "k.py").write_text(texts.kernel())
        self.says(**scenario)

    def says(self, **scenario):
        fresh = self.folder / "scenario.new"
        fresh.write_text(json.dumps({"time": "100 + abs(BLOCK - 64) + n / 1000", **scenario}))
        fresh.rename(self.folder / "scenario.json")

    def ask(self, *arguments, **more):
        environment = self.cluster.environment(TILESCOPE_RUNNER=str(SUPPORT / "fake_runner.py"),
                                               FAKE_RUNNER=str(self.folder / "scenario.json"), **more)
        return subprocess.run([TILESCOPE, *arguments], capture_output=True, text=True, timeout=300, cwd=self.folder, env=environment)

    def submit(self, options):
        ending = self.ask(*SWEEP, "--slurm", options, "-o", "out", "--json")
        assert ending.returncode == 0, ending.stderr
        return json.loads(ending.stdout)

    def gather(self, *arguments, options="partition=gpu", status=0):
        ending = self.ask(*SWEEP, "--slurm", options, "--resume", "out", *arguments, "--json")
        assert ending.returncode == status, (ending.returncode, ending.stdout, ending.stderr)
        return json.loads(ending.stdout)

    def log(self, task):
        path = self.folder / f"out/tasks/{task // 1000:03}/{task:06}.jsonl"
        return path.read_text() if path.exists() else ""

    def wait_for(self, holds, what):
        self.cluster.wait_until(holds, what + f"\n{self.cluster.queue()}\n" + "\n".join(self.log(task) for task in range(4)), 120)

    def jobs(self):
        lines = (self.folder / "out/tasks.jsonl").read_text().splitlines()
        return [json.loads(line)["job"] for line in lines if '"job"' in line]

    def wait_until_empty(self):
        self.wait_for(lambda: not self.cluster.queue().strip(), "the queue does not become empty")


def test_tasks_share_the_points_and_results_merge_by_model(cluster):
    site = Site(cluster, by_task=[{"devices": ["NVIDIA H100"], "first_uuid": 1},
                                  {"devices": ["NVIDIA A100"], "first_uuid": 2, "time": "50 + BLOCK"}])
    told = site.submit("partition=gpu,gres=gpu:1,array=4")
    assert told["tasks"]["total"] == 4 and told["points"] == 16 and len(told["jobs"]) == 1, told
    script = (site.folder / "out/job.sh").read_text()
    assert "#SBATCH --partition=gpu\n" in script and "#SBATCH --gres=gpu:1\n" in script and "--array" not in script, script
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["done"] == 4 and sweep["tasks"]["lost"] == [], sweep["tasks"]
    assert len(sweep["points"]) == 16 and all("median_us" in point for point in sweep["points"]), sweep
    assert sorted(sweep["models"]) == ["NVIDIA A100", "NVIDIA H100"] and "winner" not in sweep
    # A task has points of one size. Tasks 0 and 2 were on one model, 1 and 3 on the other.
    for point in sweep["points"]:
        first = int(point["values"]["BLOCK"]) <= 64
        assert point["model"] == ("NVIDIA H100" if first else "NVIDIA A100") and point["uuid"][-1] == ("1" if first else "2"), point
    assert sweep["winners"]["NVIDIA H100"]["values"] == {"BLOCK": "64"}, sweep["winners"]
    assert sweep["winners"]["NVIDIA A100"]["values"] == {"BLOCK": "128"}, sweep["winners"]
    rows = list(csv.DictReader(open(site.folder / "out/points.csv")))
    assert len(rows) == 16 and {row["model"] for row in rows} == set(sweep["models"])
    page = (site.folder / "out/report.html").read_text()
    assert "NVIDIA H100" in page and "NVIDIA A100" in page
    text = site.ask(*SWEEP, "--slurm", "", "--resume", "out", "--resubmit").stdout
    assert "tasks     4: 4 done\n" in text and "submits them again" not in text, text


def test_a_killed_task_is_lost_and_goes_on(cluster):
    site = Site(cluster, devices=["NVIDIA H100"], pause=30)
    site.submit("partition=gpu,array=2")
    # It has compiled, and measures.
    site.wait_for(lambda: site.log(0).count('"compiled"') == 8 and site.log(1).count('"compiled"') == 8, "the tasks do not compile")
    [job] = site.jobs()
    state = site.gather()["tasks"]
    assert (state["running"], state["num_lost"], state["done"]) == (2, 0, 0), state
    cluster.run("scancel", "--signal=KILL", "--full", f"{job}_1")
    site.wait_for(lambda: len(cluster.queue().splitlines()) == 1, "the task does not end")
    before = site.log(1)
    sweep = site.gather()
    assert sweep["tasks"]["lost"] == [1] and sweep["tasks"]["running"] == 1, sweep["tasks"]
    text = site.ask(*SWEEP, "--slurm", "partition=gpu", "--resume", "out").stdout
    assert "1 running, 1 lost" in text and "lost      1\n" in text and "`--resubmit` submits them again" in text, text
    site.says(devices=["NVIDIA H100"])
    sweep = site.gather("--resubmit")
    assert sweep["tasks"]["resubmitted"] == 1
    site.wait_for(lambda: '"done"' in site.log(1), "the task does not run again")
    assert site.log(1).startswith(before) and site.log(1).count('"task"') == 2
    cluster.run("scancel", f"{job}_0")
    site.wait_until_empty()
    assert site.gather("--resubmit")["tasks"]["resubmitted"] == 1
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["done"] == 2 and all("median_us" in point for point in sweep["points"]), sweep["tasks"]
    assert sweep["winner"]["values"] == {"BLOCK": "64"}, sweep["winner"]


def test_a_controller_that_is_restarted(cluster):
    site = Site(cluster, devices=["NVIDIA H100"], pause=20)
    site.submit("partition=gpu,array=3,running=2")
    site.wait_for(lambda: '"task"' in site.log(1), "the tasks do not begin")
    # Slurm keeps what it has on the disk some seconds behind.
    begun, kept = time.time(), cluster.folder / "state/job_state"
    site.wait_for(lambda: kept.exists() and kept.stat().st_mtime > begun, "the controller does not write its state")
    cluster.end("slurmctld", kill=True)
    ending = site.ask(*SWEEP, "--slurm", "partition=gpu", "--resume", "out", "--resubmit")
    assert ending.returncode == 3 and "squeue" in ending.stderr and "what Slurm has is not known" in ending.stdout, (ending.stdout, ending.stderr)
    ending = site.ask(*SWEEP, "--slurm", "partition=gpu", "-o", "other")
    assert ending.returncode == 3, ending.stdout
    cluster.start_controller()
    cluster.wait_until(lambda: "_" not in cluster.run("sinfo", "-h", "-o", "%T", check=False) and cluster.queue().strip(), "the controller does not come back")
    state = site.gather()["tasks"]
    assert state["num_lost"] == 0 and state["done"] + state["running"] + state["waiting"] == 3, state
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["done"] == 3 and sweep["winner"]["values"] == {"BLOCK": "64"}, sweep["tasks"]


def test_a_slow_task_is_named_and_submitted_again(cluster):
    site = Site(cluster, devices=["NVIDIA H100"], by_task=[{}, {"pause": 600}])
    site.submit("partition=gpu,array=2")
    site.wait_for(lambda: '"done"' in site.log(0), "the quick task does not end")
    site.wait_for(lambda: site.log(1).count('"compiled"') == 8, "the slow task does not begin")
    time.sleep(3)
    assert site.gather()["tasks"]["num_slow"] == 0
    sweep = site.gather(options="partition=gpu,slow=2")
    assert sweep["tasks"]["slow"] == [1] and sweep["tasks"]["num_lost"] == 0, sweep["tasks"]
    text = site.ask(*SWEEP, "--slurm", "slow=2", "--resume", "out").stdout
    assert "slow      1: running for more than 2 s; the median is " in text, text
    site.says(devices=["NVIDIA H100"])
    assert site.gather("--resubmit", options="slow=2")["tasks"]["resubmitted"] == 1
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["done"] == 2 and sweep["winner"]["values"] == {"BLOCK": "64"}, sweep["tasks"]


def test_why_a_task_failed_is_told(cluster):
    site = Site(cluster, devices=[], error={"code": "environment", "message": "there is no driver on this node"})
    site.submit("array=2")
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["lost"] == [0, 1], sweep["tasks"]
    text = site.ask(*SWEEP, "--slurm", "array=2", "--resume", "out").stdout
    assert "task 0: there is no driver on this node" in text, text
    # A log that was damaged is named, and the task begins anew.
    (site.folder / "out/tasks/000/000000.jsonl").write_text("nonsense\n")
    site.says(devices=["NVIDIA H100"])
    sweep = site.gather("--resubmit")
    assert any("000000.jsonl" in note for note in sweep["notes"]), sweep["notes"]
    site.wait_until_empty()
    assert site.gather()["tasks"]["done"] == 2
    (site.folder / "k.py").write_text(texts.kernel() + "# changed\n")
    ending = site.ask(*SWEEP, "--slurm", "array=2", "--resume", "out")
    assert ending.returncode == 2 and "a sweep of something else" in ending.stderr, ending.stderr


def test_arrays_are_no_longer_than_slurm_takes(cluster):
    site = Site(cluster, devices=["NVIDIA H100"])
    told = site.submit("array=16")
    assert len(told["jobs"]) == 3, told
    site.wait_until_empty()
    sweep = site.gather()
    assert sweep["tasks"]["done"] == 16 and len(sweep["points"]) == 16, sweep["tasks"]


def test_what_cannot_be(cluster):
    site = Site(cluster, devices=["NVIDIA H100"])
    for options, says in (("partition=none", "sbatch"), ("array=0", "`array=0`"), ("colour=red", "there is no option `colour`"),
                          ("partition=a b", "no value that sbatch takes"), ("partition", "no value"), ("array=x", "`array=x`")):
        ending = site.ask(*SWEEP, "--slurm", options, "-o", "out-" + options.replace("/", ""))
        assert ending.returncode in (2, 3) and says in ending.stderr, (options, ending.stderr)
    ending = site.ask(*SWEEP, "--slurm", "array=2")
    assert ending.returncode == 2 and "needs a folder" in ending.stderr, ending.stderr
    ending = site.ask(*SWEEP, "--slurm", "array=2", "--resume", "nowhere")
    assert ending.returncode != 0 and "holds no sweep of Slurm" in ending.stderr, ending.stderr
    ending = site.ask(*SWEEP, "--slurm", "array=2", "-o", "away", PATH=str(site.folder))
    assert ending.returncode == 3 and "there is no `scontrol`" in ending.stderr, ending.stderr


def main():
    if why := slurm.missing():
        print("skipped:", why)
        return 77
    chosen = sys.argv[2:]
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_") and (not chosen or any(word in name for word in chosen))]
    for array_size in (7, 1001):
        mine = [(name, test) for name, test in tests if (array_size == 7) == ("arrays" in name)]
        if not mine:
            continue
        with slurm.Slurm(array_size=array_size) as cluster:
            for name, test in mine:
                begin = time.monotonic()
                test(cluster)
                print(f"{time.monotonic() - begin:6.1f} s  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
