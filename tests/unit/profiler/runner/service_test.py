#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks to `tilescope-runner serve`, and checks the exit statuses of the other commands.

Usage: service_test.py RUNNER. Needs no GPU: where there is none, it checks that this is what is said.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
from runner_service import RunnerService  # noqa: E402


def run(runner, *arguments):
    return subprocess.run([runner, *arguments], capture_output=True, text=True, timeout=120)


def check_service(runner, broken):
    service = RunnerService(runner)
    reply = service.ask({"id": 1, "method": "run", "params": {"package": "/no/such.tskernel"}})
    assert reply["id"] == 1 and reply["error"]["code"] == "invalid_input", reply
    assert "/no/such.tskernel" in reply["error"]["message"], reply
    reply = service.ask({"id": "two", "method": "run", "params": {"package": broken}})
    assert reply["id"] == "two" and "kernel package" in reply["error"]["message"], reply
    reply = service.ask({"id": 3, "method": "run", "params": {"package_base64": "!"}})
    assert reply["error"]["code"] == "invalid_input", reply
    reply = service.ask({"id": 4, "method": "run", "params": {"package": 5}})
    assert "bad request" in reply["error"]["message"], reply
    for params in ({"counters": "all"}, {"counters": 2}, {"pc_samples": "yes"}):
        reply = service.ask({"id": 4, "method": "run", "params": {"package": broken, **params}})
        assert reply["error"]["code"] == "usage", reply
    for params, told in (({}, "protocol 1"), ({"protocol": 2}, "protocol 2"), ({"protocol": 1}, "`packages`"),
                         ({"protocol": 1, "packages": [broken]}, "kernel package"),
                         ({"protocol": 1, "packages_base64": ["!"]}, "not base64"),
                         ({"protocol": 1, "packages": "k"}, "bad request")):
        reply = service.ask({"id": 4, "method": "interleave", "params": params})
        assert told in reply["error"]["message"], reply
    reply = service.ask({"id": 5, "method": "dance"})
    assert reply["error"]["code"] == "usage", reply
    reply = service.ask({"id": 6})
    assert reply["error"]["code"] == "usage", reply
    reply = service.ask(b"{ nonsense")
    assert reply["id"] is None and reply["error"]["code"] == "usage", reply
    reply = service.ask({"id": 7, "method": "devices"})
    assert "result" in reply or reply["error"]["code"] == "environment", reply
    has_device = bool(reply.get("result", {}).get("devices"))
    # Sent together: one after the other is answered, and one that waits can be cancelled.
    service.send({"id": 8, "method": "devices"})
    service.send({"id": 9, "method": "devices"})
    service.send({"method": "cancel", "params": {"id": 9}})
    replies = {}
    while len(replies) < 2:
        reply = service.receive()
        replies[reply["id"]] = reply
    assert replies.keys() == {8, 9}, replies
    reply = service.ask({"id": 10, "method": "shutdown"})
    assert reply == {"id": 10, "result": None}, reply
    assert service.process.wait(timeout=20) == 0
    ended = RunnerService(runner)
    ended.process.stdin.close()
    assert ended.process.wait(timeout=20) == 0
    return has_device


def main():
    runner = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.tskernel")
        with open(broken, "wb") as file:
            file.write(b"TSKERNEL\x01\x00\x00\x00\xff\xff\x00\x00{}")
        has_device = check_service(runner, broken)
        result = run(runner, "run", broken)
        assert result.returncode == 1 and "kernel package" in result.stderr, result
    assert run(runner).returncode == 2
    assert run(runner, "dance").returncode == 2
    assert run(runner, "run").returncode == 2
    assert run(runner, "--help").returncode == 0
    result = run(runner, "devices", "--json")
    if has_device:
        assert json.loads(result.stdout)["devices"], result
    else:
        assert result.returncode == 3 and "hint: " in result.stderr, result
    print("the service answers, refuses and ends as it should")


if __name__ == "__main__":
    main()
