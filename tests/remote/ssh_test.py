#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Runs on another machine, over a real sshd on loopback: tests/support/sshd.py.

Usage: ssh_test.py TILESCOPE RUNNER. Without OpenSSH it says so and is skipped (status 77).
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
sys.path.insert(0, str(SUPPORT))
sys.path.insert(0, str(SUPPORT.parent / "hostile"))
import sanitizers  # noqa: E402
import sshd  # noqa: E402
import texts  # noqa: E402

SLOW_LINK = pathlib.Path(__file__).with_name("slow_link.py")
TILESCOPE, RUNNER = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
RUN = ["run", "k.py", "--on", "ssh://far", "--target", "cuda:90", "--json"]


class Far(sshd.Sshd):
    """A far end whose runner is tests/support/fake_runner.py."""

    def __init__(self, scenario=None, environment=None):
        super().__init__()
        self.far.update({"FAKE_RUNNER": str(self.folder / "scenario.json"), **(environment or {})})
        self.runner = self.folder / "runner.py"
        shutil.copy(SUPPORT / "fake_runner.py", self.runner)
        self.runner.chmod(0o755)
        (self.folder / "k.py").write_text(texts.kernel())
        self.says({"outputs": {"y_ptr": [2.0] * 8}, **(scenario or {})})

    def says(self, scenario):
        self.scenario = {**scenario, "log": str(self.folder / "log")}
        (self.folder / "scenario.json").write_text(json.dumps(self.scenario))

    def requests(self, method="run"):
        log = self.folder / "log"
        return [line for line in log.read_text().splitlines() if line.startswith(method)] if log.exists() else []

    def ask(self, *arguments, runner=None, **more):
        return subprocess.run([TILESCOPE, *arguments], capture_output=True, text=True, timeout=120, cwd=self.folder,
                              env=self.environment(TILESCOPE_RUNNER=str(runner or self.runner), **more))


def check(ending, status, *says):
    text = ending.stdout + ending.stderr
    assert ending.returncode == status, (ending.returncode, text)
    for words in says:
        assert words in text, (words, text)
    return ending


def test_hosts_are_those_of_the_configuration():
    with Far() as far:
        (far.folder / "near-home/.ssh/more").write_text("Host=gpu1 gpu2 *.example !x\n\tHostName \"10.0.0.1\"\n  user me # mine\n")
        with open(far.folder / "near-home/.ssh/config", "a") as file:
            file.write("Include more\nMatch host gpu2\n  User other\n")
        hosts = {host["name"]: host for host in json.loads(far.ask("hosts", "--json").stdout)["hosts"]}
        assert list(hosts) == ["far", "gpu1", "gpu2"], hosts
        assert hosts["gpu1"]["host_name"] == "10.0.0.1" and hosts["gpu2"]["user"] == "me", hosts
        # Files that include each other end.
        (far.folder / "near-home/.ssh/more").write_text("Include more\n" * 20 + "Host gpu3\n")
        assert [host["name"] for host in json.loads(far.ask("hosts", "--json").stdout)["hosts"]] == ["far", "gpu3"]
        assert f"ssh://far  127.0.0.1:{far.port}  as {far.user}" in far.ask("hosts").stdout


def test_the_runner_is_copied_once_and_old_ones_go():
    with Far() as far:
        first = check(far.ask(*RUN), 0, "copying the runner to `far`")
        assert json.loads(first.stdout)["outputs"][0]["name"] == "y_ptr"
        [copied] = far.runners()
        assert copied.read_bytes() == far.runner.read_bytes() and copied.stat().st_mode & 0o077 == 0
        second = check(far.ask(*RUN), 0)
        assert "copying" not in second.stderr and far.runners() == [copied], second.stderr
        for number in range(4):
            with open(far.runner, "a") as file:
                file.write(f"# {number}\n")
            time.sleep(1.1)
            check(far.ask(*RUN), 0, "copying the runner")
        assert len(far.runners()) == 3 and copied not in far.runners()
        assert not list((far.home / ".cache").rglob("copy.*"))


def test_what_a_login_prints_is_no_answer():
    with Far() as far:
        (far.folder / "sshd_config").open("a").write(
            "ForceCommand echo 'Welcome to the cluster'; echo 'Content-Length: 5'; eval \"$SSH_ORIGINAL_COMMAND\"\n")
        far.stop()
        far.start()
        check(far.ask(*RUN), 0)
        check(far.ask(*RUN), 0)


def test_capabilities_are_reported():
    with Far({"devices": ["NVIDIA H100", "NVIDIA A100"]}) as far:
        gpus = json.loads(check(far.ask("gpus", "--on", "ssh://far", "--json"), 0).stdout)
        devices = gpus["machines"][0]["devices"]
        assert [device["name"] for device in devices] == ["NVIDIA H100", "NVIDIA A100"], gpus
        assert devices[1]["uuid"].startswith("GPU-"), gpus
        far.says({"devices": ["NVIDIA H100"], "capabilities": {
            "host": "node1", "system": "Linux 6.1 x86_64", "load": 0.5, "driver_release": "570.86.15",
            "cupti": {"folder": "/opt/cuda/lib"}, "refusals": [{"rung": "counters", "kind": "not_permitted", "reason": "only administrators",
                                                                "cure": "a setting"}]}})
        check(far.ask("gpus", "--on", "ssh://far"), 0, "node1: Linux 6.1 x86_64, load 0.50", "driver    570.86.15",
              "CUPTI     /opt/cuda/lib", "counters  only administrators; a setting", "GPU 0", "NVIDIA H100")


def test_a_machine_without_cuda_says_so():
    with Far() as far:
        ending = check(far.ask("gpus", "--on", "ssh://far", runner=RUNNER), 3, "copying the runner", "libcuda", "no GPU")
        assert os.uname().nodename in ending.stdout, ending.stdout
        check(far.ask(*RUN, runner=RUNNER), 3, "NVIDIA GPU with its driver")


def test_a_host_that_is_unknown():
    with Far() as far:
        far.write_client(more="Host farm1\n  HostName 127.0.0.1\n")
        check(far.ask("gpus", "--on", "ssh://far9.invalid"), 3, "ssh failed to reach `far9.invalid`", "tilescope hosts")
        check(far.ask("gpus", "--on", "ssh://fram1"), 3, "ssh failed to reach `fram1`", "did you mean `farm1`?")
        check(far.ask("gpus", "--on", "ssh://me@"), 3, "ssh failed to reach `me@`")


def test_a_key_that_is_refused():
    with Far() as far:
        far.write_client(key="stranger")
        check(far.ask(*RUN), 3, "ssh failed to reach `far`", "Permission denied", "accepts none of your keys")
        (far.folder / "known").write_text("")
        check(far.ask(*RUN), 3, "Host key verification failed", "to be accepted")


@contextlib.contextmanager
def cutting(far, times):
    """Cuts the connection as often as a request has reached the runner."""
    done = threading.Event()

    def work():
        for number in range(times):
            while len(far.requests()) <= number and not done.is_set():
                time.sleep(0.02)
            time.sleep(0.3)
            far.cut()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_connection_that_is_cut_is_made_again():
    with Far({"alive": 2}) as far:
        check(far.ask(*RUN[:-1], "--json"), 0)
        (far.folder / "log").unlink()
        with cutting(far, 1):
            check(far.ask(*RUN), 0, "the connection to `far` was cut", "connecting again (1 of 3)")
        assert len(far.requests()) == 2, far.requests()


def test_a_connection_that_is_cut_always_is_given_up():
    with Far({"alive": 3}) as far:
        with cutting(far, 4):
            check(far.ask(*RUN), 3, "connecting again (3 of 3)", "was cut", "4 times")


def test_parts_of_a_profile_stay_when_the_connection_does_not():
    counters = {"chip": "GH100", "values": {}}
    with Far({"result": {"time_us": {"median": 12.5, "min": 12, "max": 13, "n": 30}, "counters": counters},
              "partial": "alive", "alive": 3}) as far:
        with cutting(far, 4):
            ending = check(far.ask("profile", *RUN[1:], "--samples"), 0, "connecting again (3 of 3)")
        profile = json.loads(ending.stdout)
        assert profile["time_us"]["median"] == 12.5 and profile["counters"]["chip"] == "GH100", profile
        [refusal] = profile["refusals"]
        assert refusal["kind"] == "interrupted" and "was cut" in refusal["reason"], profile


def test_a_machine_that_goes_away_is_named():
    with Far({"alive": 3}) as far:
        def leave():
            while not far.requests():
                time.sleep(0.02)
            far.stop()
        thread = threading.Thread(target=leave)
        thread.start()
        check(far.ask(*RUN), 3, "connecting again (3 of 3)", "ssh failed to reach `far`", "Connection refused")
        thread.join()


def test_a_full_disk_is_named():
    with Far() as far:
        far.far_program("cat", "#!/bin/sh\nhead -c 1000\necho 'cat: write error: No space left on device' >&2\nexit 1\n")
        check(far.ask(*RUN), 3, "could not be copied to `far`", "No space left on device", "MB in ~/.cache/tilescope")
        (far.far_bin / "cat").unlink()
        assert far.runners() == [] and not list((far.home / ".cache").rglob("copy.*"))
        small = far.home / ".cache"
        if os.getuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True).returncode == 0:
            try:
                check(far.ask(*RUN, runner=RUNNER), 3, "could not be copied to `far`", "No space left on device")
                assert not list(small.rglob("copy.*"))
            finally:
                subprocess.run(["umount", small], check=True)
        check(far.ask(*RUN), 0)


def test_another_kind_of_machine():
    with Far() as far:
        far.far_program("uname", "#!/bin/sh\ncase $1 in -m) echo aarch64;; *) echo Linux;; esac\n")
        check(far.ask(*RUN, runner=RUNNER), 3, "`far` is aarch64 with Linux, and the runner here is for x86_64")
        assert far.runners() == []
        far.far_program("tilescope-runner", f"#!/bin/sh\nexec {far.runner} \"$@\"\n")
        check(far.ask(*RUN, runner=RUNNER), 0, "its own `tilescope-runner` is used")


def test_a_runner_that_does_not_start():
    with Far() as far:
        far.runner.write_text("#!/bin/sh\necho \"version GLIBC_2.36 not found\" >&2\nexit 1\n")
        check(far.ask(*RUN), 3, "the runner does not start on `far`: version GLIBC_2.36 not found", "glibc 2.36")
        assert far.runners() == []


def test_a_cut_while_the_runner_is_copied():
    with Far() as far:
        far.write_client(more=f"  ProxyCommand {sys.executable} {SLOW_LINK} %h %p 400000\n")

        def cut():
            while not list(far.home.rglob("copy.*")):
                time.sleep(0.02)
            time.sleep(1)
            far.cut()
        thread = threading.Thread(target=cut)
        thread.start()
        check(far.ask(*RUN, runner=RUNNER), 3, "was cut while the runner was copied, after", "copies it again")
        thread.join()
        end = time.monotonic() + 10
        while list(far.home.rglob("copy.*")) and time.monotonic() < end:
            time.sleep(0.05)
        assert far.runners() == [] and not list(far.home.rglob("copy.*"))


def test_a_slow_link_takes_its_time():
    with Far() as far:
        check(far.ask("gpus", "--on", "ssh://far", runner=RUNNER), 3)
        (far.folder / "k.py").write_text(texts.changed("n = 8", "n = 400000"))
        (far.folder / "in").mkdir()
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (400000,), }"
        header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
        (far.folder / "in/x_ptr.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() +
                                                  os.urandom(1600000))
        far.write_client(more=f"  Compression no\n  ProxyCommand {sys.executable} {SLOW_LINK} %h %p 250000\n")
        limit = str(5 * sanitizers.patience(TILESCOPE))
        begin = time.monotonic()
        # What the far end has is no driver: that it says so shows that all of the request arrived.
        check(far.ask(*RUN, "--inputs", "in", "--time-limit", limit, runner=RUNNER), 3, "NVIDIA GPU with its driver")
        assert time.monotonic() - begin > 7, "the link was not slow"


def main():
    if why := sshd.missing():
        print("skipped:", why)
        return 77
    chosen = sys.argv[3:]
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not chosen or any(word in name for word in chosen)):
            begin = time.monotonic()
            test()
            print(f"{time.monotonic() - begin:6.1f} s  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
