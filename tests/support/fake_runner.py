#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for `tilescope-runner serve`, and for `ssh` to a machine that has one.

What it does is a JSON document, the file that FAKE_RUNNER names:

    {"package": "FILE",                  keeps the package of `run` there
     "devices": ["Fake GPU"],            names for `devices`, and of the device that measures
     "capability": [9, 0],               of these devices
     "capabilities": {"host": …},        more fields of the answer to `capabilities`
     "by_task": [{}, …],                 more of the scenario, by the number of Slurm's task
     "first_uuid": 2,                    of the UUIDs of the devices; 0
     "lost": [1],                        devices on which every measurement fails
     "outputs": {"x_ptr": [1.0, 2.0]},   fp32 vectors that `run` returns; a number may be its bits, "0x7fc5a5a5"
     "result": {"time_us": …},           more fields of the measurement
     "console": ["printed"],             lines beside the answer
     "error": {"code": …},               in place of an answer
     "exit": 255,                        ends before any answer with this status
     "silent": true,                     never answers
     "alive": 3,                         says that it lives for so many seconds before it answers
     "steps_us": [2.5, 1.5],             of the steps of `model`, whose tensors are all ones
     "tensors": {"output_0": 0.5},       others of them
     "model_error": {"code": …},         in place of the answer to `model`
     "time": "100 + BLOCK / 8",          µs of a package that `interleave` measures, over the names of its plan:
                                         sizes, constexprs, options, and `kernel`, `symbol`, `target` and `device`
     "refuse": "BLOCK > 512",            packages that cannot be launched
     "fault": "num_warps == 8",          packages that fail on the device
     "hang": "num_warps == 16",          packages whose launch ends with the process that makes it
     "pause": 0.5,                       seconds that `interleave` takes
     "protocol": 2,                      of the answer to `interleave`
     "steps": [["counters", 7, 19]],     parts of a profile and how far each is, told before the answer
     "partial": true,                    tells what there is and dies in place of the answer; "alive": and goes on
     "log": "FILE"}                      gets a line with the arguments, and one per request with the
                                         names of its parameters; "end" when the input ends

Runs with the interpreter's standard library alone."""

import base64
import json
import math
import os
import signal
import struct
import sys
import time


def npy(values, shape=None):
    shape = [len(values)] if shape is None else shape
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % "".join("%d, " % extent for extent in shape)
    header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
    words = [int(value, 16) if isinstance(value, str) else struct.unpack("<I", struct.pack("<f", value))[0]
             for value in values]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
            struct.pack("<%dI" % len(words), *words))


def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def receive():
    header = sys.stdin.buffer.readline()
    if not header:
        return None
    sys.stdin.buffer.readline()
    return json.loads(sys.stdin.buffer.read(int(header.split()[1])))


def uuid(scenario, device):
    return "GPU-00000000-0000-0000-0000-%012d" % (device + scenario.get("first_uuid", 0))


def devices(scenario):
    major, minor = scenario.get("capability", [9, 0])
    return [{"ordinal": i, "name": name, "uuid": uuid(scenario, i), "compute_major": major, "compute_minor": minor}
            for i, name in enumerate(scenario.get("devices", ["Fake GPU"]))]


def measurement(scenario, params):
    device = params.get("device", 0)
    names = scenario.get("devices", ["Fake GPU"])
    name = names[device] if device < len(names) else names[0]
    result = {"device": name, "device_info": {"ordinal": device, "uuid": uuid(scenario, device)}, "kernel": "k", "grid": [1, 1, 1],
              "launches": 1, "outputs": []}
    result.update(scenario.get("result", {}))
    for name, values in scenario.get("outputs", {}).items():
        output = {"name": name, "dtype": "fp32", "shape": [len(values)], "changed": True}
        if "dump" in params:
            with open(os.path.join(params["dump"], name + ".npy"), "wb") as file:
                file.write(npy(values))
        if params.get("return_outputs"):
            output["npy_base64"] = base64.b64encode(npy(values)).decode()
        result["outputs"].append(output)
    return result


def header_of(package):
    length = struct.unpack("<I", package[12:16])[0]
    return json.loads(package[16:16 + length])


def model(scenario, params):
    """The answer to `model`, for fp32 tensors alone."""
    if "package" in params:
        with open(params["package"], "rb") as file:
            header = header_of(file.read())
    else:
        header = header_of(base64.b64decode(params["package_base64"]))
    shapes = {"output_%d" % i: output["shape"] for i, output in enumerate(header["outputs"])}
    steps = []
    for number, step in enumerate(header["steps"]):
        us = scenario.get("steps_us", [])
        steps.append({"node": step["node"], "kernel": step["kernel"]["symbol"], **({"us": us[number % len(us)]} if us else {})})
        arguments = {each["name"]: each for each in step["kernel"]["plan"]["args"]}
        if params.get("results"):
            shapes.update({"step_%d_%s" % (number, each["argument"]): arguments[each["argument"]]["shape"]
                           for each in step["tensors"] if each["is_written"]})
    tensors = []
    for name, shape in shapes.items():
        file_bytes = npy([scenario.get("tensors", {}).get(name, 1.0)] * math.prod(shape), shape)
        if "dump" in params:
            with open(os.path.join(params["dump"], name + ".npy"), "wb") as file:
                file.write(file_bytes)
        if params.get("return_tensors"):
            tensors.append({"name": name, "npy_base64": base64.b64encode(file_bytes).decode()})
    return {"device": scenario.get("devices", ["Fake GPU"])[0], "device_info": devices(scenario)[0], "prepare_us": 1500.0, "first_us": 900.0,
            "edges": len(steps) - 1, "steps": steps, "tensors": tensors, **scenario.get("result", {})}


def names_of(package):
    """What a package says of itself, for the expressions of a scenario."""
    header = header_of(package)
    plan = header["plan"]
    names = {"kernel": plan["kernel"], "symbol": header["symbol"], "target": header["target"]}
    for part in ("sizes", "constexprs", "options"):
        for name, value in plan[part].items():
            try:
                names[name] = int(value)
            except ValueError:
                names[name] = value
    names.setdefault("num_warps", header["num_warps"])
    return names


def interleaved(scenario, params):
    """The answer to `interleave`: rounds of times that scatter by 0.4 %, the same for each request."""
    def holds(condition, names):
        return condition in scenario and eval(scenario[condition], {}, dict(names))

    def send_progress(state, symbol):
        send({"method": "progress", "params": {"progress": state, "kernel": symbol}})

    if params["protocol"] != 1:
        return {"error": {"code": "usage", "message": "another protocol"}}
    if params.get("device", 0) in scenario.get("lost", []):
        return {"error": {"code": "environment", "message": "the device is lost"}}
    kernels = []
    for package in params["packages_base64"]:
        names = {**names_of(base64.b64decode(package)), "device": params.get("device", 0)}
        send_progress("prepare", names["symbol"])
        if holds("refuse", names):
            kernels.append({"error": {"code": "invalid_input", "message": "needs more shared memory"}})
            continue
        send_progress("launch", names["symbol"])
        if holds("hang", names):
            return {"error": {"code": "invalid_input", "message": "kernel `%s`: did not finish" % names["symbol"]}}
        if holds("fault", names):
            kernels.append({"error": {"code": "invalid_input", "message": "ILLEGAL_ADDRESS"}})
            return {"result": {"protocol": 1, "kernels": kernels, "fault": len(kernels) - 1}}
        median = eval(scenario["time"], {}, dict(names))
        rounds = [[median * (1 + ((7 * launch + 3 * number) % 9 - 4) / 1000)
                   for launch in range(params["launches_per_round"])] for number in range(min(params["rounds"], 20))]
        samples = sorted(time for times in rounds for time in times)
        result = measurement(scenario, {"device": params.get("device", 0)})
        result.update({"kernel": names["symbol"], "registers": 32, "bytes": 1000000.0,
                       "gb_per_s": 1000.0 / median, "time_us": {
            "median": samples[len(samples) // 2], "min": samples[0], "max": samples[-1], "n": len(samples), "spread": 0.001}})
        kernels.append({"measurement": result, "rounds": rounds, "stopped_early": False})
    send_progress("measure", "")
    end = time.monotonic() + scenario.get("pause", 0)
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 1))
        send_progress("alive", "")
    return {"result": {"protocol": scenario.get("protocol", 1), "kernels": kernels}}


def answer(scenario, request):
    if scenario.get("error"):
        return {"error": scenario["error"]}
    if request["method"] == "devices":
        return {"result": {"devices": devices(scenario)}}
    if request["method"] == "capabilities":
        return {"result": {"host": "far", "system": "Linux", "devices": devices(scenario), **scenario.get("capabilities", {})}}
    if request["method"] == "interleave":
        return interleaved(scenario, request["params"])
    if request["method"] == "model" and "model_error" in scenario:
        return {"error": scenario["model_error"]}
    if request["method"] == "model":
        return {"result": model(scenario, request["params"])}
    return {"result": measurement(scenario, request.get("params", {}))}


def main():
    if sys.argv[1:] == ["--help"]:
        return
    with open(os.environ["FAKE_RUNNER"]) as file:
        scenario = json.load(file)
    if "by_task" in scenario:
        tasks = scenario["by_task"]
        scenario = {**scenario, **tasks[int(os.environ.get("SLURM_ARRAY_TASK_ID", 0)) % len(tasks)]}

    def log(line):
        if "log" in scenario:
            with open(scenario["log"], "a") as file:
                file.write(line + "\n")

    log("%d %s" % (os.getpid(), " ".join(sys.argv[1:])))
    for line in scenario.get("console", []):
        print(line, file=sys.stderr, flush=True)
    if "exit" in scenario:
        sys.exit(scenario["exit"])
    if os.path.basename(sys.argv[0]) == "ssh":
        print("tilescope-far-end", flush=True)
    while (request := receive()) is not None:
        log("%s %s" % (request["method"], ",".join(sorted(request.get("params", {})))))
        if "package" in scenario and request["method"] == "run":
            with open(scenario["package"], "wb") as file:
                file.write(base64.b64decode(request["params"]["package_base64"]))
        while scenario.get("silent") and request["method"] == "run":
            time.sleep(0.05)
        if scenario.get("partial") == "alive":
            send({"method": "partial", "params": {"id": request["id"], "result": measurement(scenario, request.get("params", {}))}})
        for _ in range(scenario.get("alive", 0) if request["method"] == "run" else 0):
            send({"method": "progress", "params": {"id": request["id"], "progress": "alive"}})
            time.sleep(1)
        for part, step, steps in scenario.get("steps", []) if request["method"] == "run" else []:
            send({"method": "progress", "params": {"id": request["id"], "progress": "measure", "part": part,
                                                   "step": step, "steps": steps}})
        if scenario.get("partial") is True and request["method"] == "run":
            send({"method": "partial", "params": {"id": request["id"],
                                                  "result": measurement(scenario, request.get("params", {}))}})
            os.kill(os.getpid(), signal.SIGKILL)
        send({"id": request["id"], **answer(scenario, request)})
    log("end")


if __name__ == "__main__":
    main()
