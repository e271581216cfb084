#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""`tilescope-runner serve-model` and `tilescope model serve`: the Open Inference Protocol over sockets, with right, wrong and hostile requests.

Usage: serve_test.py TILESCOPE RUNNER [--emulated FOLDER | --cuda]. Without either there is no driver: what needs one is left out.
"""

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support" / "models"))
import onnx_writer as onnx  # noqa: E402

TILESCOPE, RUNNER = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
EMULATED = str(pathlib.Path(sys.argv[sys.argv.index("--emulated") + 1]).resolve()) if "--emulated" in sys.argv else None
HAS_DEVICE = EMULATED is not None or "--cuda" in sys.argv
ROWS, COLUMNS = 4, 16
X = np.linspace(-2, 2, ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
K = np.arange(ROWS, dtype=np.int64).reshape(ROWS, 1)
LENGTH = "Inference-Header-Content-Length"


def expected():
    return np.tanh(X) + K.astype(np.float32), np.broadcast_to(K > 1, (ROWS, 1))


def export(folder):
    nodes = [onnx.node("Tanh", ["x"], ["t"], "tanh"), onnx.node("Cast", ["k"], ["c"], "cast", to=onnx.FLOAT),
             onnx.node("Add", ["t", "c"], ["y"], "sum"), onnx.node("Greater", ["k", "one"], ["large"], "greater")]
    (folder / "small model.onnx").write_bytes(onnx.model(
        nodes, [onnx.tensor_type("x", [ROWS, COLUMNS]), onnx.tensor_type("k", [ROWS, 1], onnx.INT64)],
        [onnx.tensor_type("y", [ROWS, COLUMNS]), onnx.tensor_type("large", [ROWS, 1], onnx.BOOL)],
        [onnx.tensor("one", [], [1], onnx.INT64)]))
    subprocess.run([TILESCOPE, "model", "export", "small model.onnx", "--ptx", "-o", "deployed"], cwd=folder, check=True, timeout=300)


class Server:
    """The program, and its port."""

    def __init__(self, folder, *options, program=(RUNNER, "serve-model"), **variables):
        environment = {**os.environ, **({"LD_LIBRARY_PATH": EMULATED} if EMULATED else {}), **variables}
        self.process = subprocess.Popen([*program, str(folder), "--http", "127.0.0.1:0", *options], env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert "` is served at http://127.0.0.1:" in line, (line, self.process.stderr.read() if not line else "")
        self.port = int(line.split("127.0.0.1:")[1].split("/")[0])
        for _ in range(600):
            if "it is being loaded" not in json.dumps(self.ask("GET", "/v2/health/ready")[1]):
                break
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=30)
        self.errors = self.process.stderr.read()
        assert status == 0, (status, self.errors)

    def raw(self, method, path, body=b"", headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        return reply, reply.read()

    def ask(self, method, path, document=None):
        reply, body = self.raw(method, path, json.dumps(document).encode() if document is not None else b"")
        return reply.status, json.loads(body)

    def infer(self, document):
        return self.ask("POST", INFER, document)

    def send(self, data, patience=10):
        """All that comes back for some bytes, until the connection ends."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as connection:
            try:
                connection.sendall(data)
            except ConnectionError:
                pass
            got = b""
            try:
                while more := connection.recv(65536):
                    got += more
            except (ConnectionError, TimeoutError):
                pass
            return got


MODEL = "/v2/models/small%20model"
INFER = MODEL + "/infer"


def request(**changes):
    return {"id": "seven", "inputs": [
        {"name": "x", "shape": [ROWS, COLUMNS], "datatype": "FP32", "data": X.tolist(), **changes.pop("x", {})},
        {"name": "k", "shape": [ROWS, 1], "datatype": "INT64", "data": K.reshape(-1).tolist(), **changes.pop("k", {})}], **changes}


def test_it_says_what_it_is(server):
    assert server.ask("GET", "/v2/health/live") == (200, {"live": True})
    status, about = server.ask("GET", "/v2")
    assert status == 200 and about["name"] == "tilescope-runner" and about["extensions"] == ["binary_tensor_data", "model_configuration", "statistics"], about
    for path in (MODEL, MODEL + "/", MODEL + "/versions/1", MODEL + "?a=b"):
        status, model = server.ask("GET", path)
        assert status == 200, (path, model)
        assert model == {"name": "small model", "versions": ["1"], "platform": "tilescope",
                         "inputs": [{"name": "x", "datatype": "FP32", "shape": [ROWS, COLUMNS]}, {"name": "k", "datatype": "INT64", "shape": [ROWS, 1]}],
                         "outputs": [{"name": "y", "datatype": "FP32", "shape": [ROWS, COLUMNS]}, {"name": "large", "datatype": "BOOL", "shape": [ROWS, 1]}]}, model
    reply, body = server.raw("HEAD", "/v2")
    assert reply.status == 200 and body == b"" and int(reply.headers["Content-Length"]) > 0, reply.headers


def test_its_configuration_has_types_and_shapes(server):
    status, config = server.ask("GET", MODEL + "/config")
    assert status == 200 and config["max_batch_size"] == 0 and config["backend"] == "tilescope", config
    assert config["input"] == [{"name": "x", "data_type": "TYPE_FP32", "dims": [ROWS, COLUMNS]},
                               {"name": "k", "data_type": "TYPE_INT64", "dims": [ROWS, 1]}], config
    assert [each["data_type"] for each in config["output"]] == ["TYPE_FP32", "TYPE_BOOL"], config


def check_statistics(server):
    """What was inferred before, and one inference more."""
    def statistics(path=MODEL + "/stats"):
        status, told = server.ask("GET", path)
        assert status == 200, told
        [only] = told["model_stats"]
        return only

    before = statistics()
    assert server.infer(request())[0] == 200
    after = statistics("/v2/models/stats")
    assert after["inference_count"] == before["inference_count"] + 1 and after["name"] == "small model", (before, after)
    success, compute = after["inference_stats"]["success"], after["inference_stats"]["compute_infer"]
    assert success["count"] == compute["count"] == after["inference_count"] and success["ns"] >= compute["ns"] > 0, after
    assert abs(after["last_inference"] / 1000 - time.time()) < 60, after


def test_its_statistics_count_inferences(server):
    if HAS_DEVICE:
        check_statistics(server)


def test_readiness_has_a_reason(server):
    status, ready = server.ask("GET", MODEL + "/ready")
    if HAS_DEVICE:
        assert (status, ready) == (200, {"name": "small model", "ready": True}), ready
        return
    assert status == 400 and ready["ready"] is False and "no NVIDIA driver is there" in ready["error"], ready
    status, refused = server.infer(request())
    assert status == 503 and "the model is not ready: no NVIDIA driver is there" in refused["error"], refused


def test_inference_with_json(server):
    if not HAS_DEVICE:
        return
    status, answer = server.infer(request())
    assert status == 200 and answer["id"] == "seven" and answer["model_name"] == "small model", answer
    y, large = answer["outputs"]
    assert y["name"] == "y" and y["shape"] == [ROWS, COLUMNS] and y["datatype"] == "FP32", y
    assert np.allclose(np.array(y["data"]).reshape(ROWS, COLUMNS), expected()[0], atol=1e-5), y
    assert large["data"] == [False, False, True, True], large
    status, answer = server.infer(request(outputs=[{"name": "large"}]))
    assert [each["name"] for each in answer["outputs"]] == ["large"], answer


def test_inference_with_bytes(server):
    if not HAS_DEVICE:
        return
    document = json.dumps({"inputs": [
        {"name": "k", "shape": [ROWS, 1], "datatype": "INT64", "parameters": {"binary_data_size": K.nbytes}},
        {"name": "x", "shape": [ROWS, COLUMNS], "datatype": "FP32", "parameters": {"binary_data_size": X.nbytes}}],
        "outputs": [{"name": "large", "parameters": {"binary_data": True}}, {"name": "y", "parameters": {"binary_data": True}}]}).encode()
    reply, body = server.raw("POST", INFER, document + K.tobytes() + X.tobytes(), {LENGTH: str(len(document))})
    assert reply.status == 200 and reply.headers["Content-Type"] == "application/octet-stream", body
    length = int(reply.headers[LENGTH])
    outputs = json.loads(body[:length])["outputs"]
    assert [each["parameters"]["binary_data_size"] for each in outputs] == [ROWS, X.nbytes], outputs
    assert list(body[length:length + ROWS]) == [0, 0, 1, 1], body[length:]
    assert np.allclose(np.frombuffer(body[length + ROWS:], np.float32).reshape(X.shape), expected()[0], atol=1e-5)


def test_many_at_once(server):
    if not HAS_DEVICE:
        return
    statuses = []
    threads = [threading.Thread(target=lambda: statuses.append(server.infer(request())[0])) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 24, statuses


def test_what_does_not_fit_is_told(server):
    cases = [(request(inputs=[]), "input `x` is missing"), ({}, "inputs"), ([], "is not an object"), ({"inputs": 7}, "`inputs` is not a list"),
             (request(x={"shape": [ROWS]}), "`x` has the shape [4,16], and the request says [4]"), (request(x={"shape": [-1, 2]}), "has the shape"),
             (request(x={"shape": [1e30]}), "is not an integer"), (request(x={"datatype": "FP64"}), "`x` is FP32, and the request says `FP64`"),
             (request(x={"name": "z"}), "the model has no input `z`"), (request(k={"name": "x", "shape": [ROWS, COLUMNS], "datatype": "FP32", "data": X.tolist()}), "there twice"),
             (request(x={"data": [1, 2]}), "`x` has 2 elements, and its shape 64"), (request(x={"data": [0] * 65}), "more elements"),
             (request(x={"data": ["a"] * 64}), 'cannot hold `"a"`'), (request(x={"data": [1e60] * 64}), "cannot hold `1e+60`"),
             (request(k={"data": [1.5] * 4}), "cannot hold `1.5`"), (request(k={"data": [1 << 63] * 4}), "cannot hold"),
             (request(k={"data": [None] * 4}), "cannot hold `null`"), (request(x={"parameters": 7}), "`parameters` is not an object"),
             (request(x={"parameters": {"binary_data_size": 256}}), "0 bytes left behind its JSON"),
             (request(x={"parameters": {"binary_data_size": 255}}), "takes 256 bytes"), (request(x={"parameters": {"binary_data_size": -1}}), "not an integer"),
             (request(x={"parameters": {"shared_memory_region": "r"}}), "shared memory is not supported"),
             (request(outputs=[{"name": "z"}]), "the model has no output `z`"), (request(outputs=[{"name": "y"}] * 2), "asked for twice"),
             (request(outputs=[{"name": "y", "parameters": {"classification": 3}}]), "classification is not supported"), (request(outputs=7), "`outputs` is not a list")]
    for document, says in cases:
        status, refused = server.infer(document)
        assert status == 400 and says in refused["error"], (says, status, refused)


def test_wrong_bodies_are_told(server):
    whole = json.dumps(request()).encode()
    cases = [(b"", {}, "not JSON"), (b"{", {}, "not JSON"), (whole[:-20], {}, "not JSON"), (b"[" * 100000, {}, "not JSON"), (b"\xff\xfe", {}, "not JSON"),
             (whole, {LENGTH: "x"}, "is not a number"), (whole, {LENGTH: "-1"}, "is not a number"), (whole, {LENGTH: str(1 << 70)}, "is not a number"),
             (whole, {LENGTH: str(len(whole) + 1)}, "the JSON would end behind the request"), (whole + b"more", {LENGTH: str(len(whole))}, "that no input takes")]
    for body, headers, says in cases:
        reply, told = server.raw("POST", INFER, body, headers)
        assert reply.status == 400 and says in json.loads(told)["error"], (says, reply.status, told)
    reply, told = server.raw("POST", INFER, whole, {"Content-Encoding": "gzip"})
    assert reply.status == 415, told


def test_wrong_addresses_are_told(server):
    for method, path, status in [("GET", "/", 404), ("GET", "/v2/models/other", 404), ("GET", MODEL + "/versions/2", 404), ("GET", MODEL + "/nothing", 404),
                                 ("GET", "/v2/models", 404), ("GET", "/v2/../etc/passwd", 404), ("GET", "/v2/%zz", 404), ("GET", INFER, 405), ("POST", "/v2", 405),
                                 ("DELETE", MODEL, 405), ("POST", "/v2/models/other/infer", 404), ("GET", "/" + "a" * 8000, 404), ("GET", "/v2/%", 404)]:
        reply, told = server.raw(method, path)
        assert reply.status == status and "error" in json.loads(told), (method, path, reply.status, told)


def test_hostile_connections_end_in_clear_errors(server):
    head = f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\n".encode()
    for data, status in [(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"400"), (b"GET\r\n\r\n", b"400"), (b"GET / HTTP/9.9\r\n\r\n", b"400"),
                         (head + b"Content-Length: 99999999999\r\n\r\n", b"413"), (head + b"Content-Length: -1\r\n\r\n", b"400"),
                         (head + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400"), (head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", b"400"),
                         (head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"), (head + b"Transfer-Encoding: chunked\r\n\r\n" + b"100000\r\n" + b" " * 0x100000 + b"\r\n100000\r\n" + b" " * 0x100000, b"413"),
                         (head + b"X: " + b"a" * 20000 + b"\r\n\r\n", b"431"), (b"GET /v2 HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"),
                         (b"GET /v2 HTTP/1.1\r\nHost: 10.0.0.1:80\r\n\r\n", b"421")]:
        got = server.send(data)
        assert got.startswith(b"HTTP/1.1 " + status), (data[:80], got[:200])
        assert json.loads(got.split(b"\r\n\r\n", 1)[1])["error"], got
    # One that ends in the middle is not answered.
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head + b"Content-Length: 100\r\n\r\n{")
    # Two requests in one piece are answered in order, with or without a host.
    got = server.send(b"GET /v2/health/live HTTP/1.1\r\nHost: [::1]:9\r\n\r\nGET /v2/health/live HTTP/1.0\r\n\r\n")
    assert got.count(b'{"live":true}') == 2, got
    assert server.ask("GET", "/v2/health/live")[0] == 200


def test_a_large_request_is_asked_for_before_it_is_sent(server):
    body = json.dumps(request()).encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(12) in (b"HTTP/1.1 200", b"HTTP/1.1 503")


def test_idle_connections_have_an_end(server):
    idle = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(64)]
    time.sleep(0.2)
    got = server.send(b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert got.startswith(b"HTTP/1.1 503") and b"too many connections" in got, got
    for connection in idle:
        connection.close()
    time.sleep(0.2)
    assert server.ask("GET", "/v2")[0] == 200


def test_a_model_that_is_ended_comes_back(server):
    if not HAS_DEVICE:
        return
    children = pathlib.Path(f"/proc/{server.process.pid}/task").glob("*/children")
    [child] = [int(pid) for file in children for pid in file.read_text().split()]
    os.kill(child, signal.SIGKILL)
    status, told = server.infer(request())
    assert status == 500 and "the inference was ended by the signal Killed" in told["error"], (status, told)
    for _ in range(200):
        if server.ask("GET", MODEL + "/ready")[0] == 200:
            break
        time.sleep(0.05)
    status, told = server.infer(request())
    assert status == 200, (status, told)


def test_what_takes_too_long_is_stopped(folder):
    if not HAS_DEVICE:
        return
    with Server(folder / "deployed", "--time-limit", "0.001", "--name", "short") as server:
        status, told = server.ask("POST", "/v2/models/short/infer", request())
        assert status == 504 and "the inference took too long, and was stopped" in told["error"], (status, told)


def test_the_processor_serves_a_model_without_an_export(folder):
    with Server(folder / "small model.onnx", "--on", "cpu", program=(TILESCOPE, "model", "serve")) as server:
        status, ready = server.ask("GET", MODEL + "/ready")
        assert (status, ready) == (200, {"name": "small model", "ready": True}), ready
        status, answer = server.infer(request())
        assert status == 200, answer
        for output, wanted in zip(answer["outputs"], expected(), strict=True):
            assert output["shape"] == list(wanted.shape), output
            assert np.allclose(np.array(output["data"]).reshape(wanted.shape), wanted, atol=1e-5), output
        refused = server.infer(request(x={"shape": [1, 1]}))
        assert refused[0] == 400 and "the model is served for one shape" in refused[1]["error"], refused
        check_statistics(server)
    assert "`small model` is ready on CPU (native code)" in server.errors, server.errors
    for arguments, status, says in [(["gone.onnx"], 1, "gone.onnx"), (["small model.onnx", "--http", "8000"], 2, "is not an address with a port"),
                                    (["small model.onnx", "--on", "cuda"], 2, "--on")]:
        done = subprocess.run([TILESCOPE, "model", "serve", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == status and says in done.stderr, (arguments, done)


def write_open_model(folder):
    (folder / "open.onnx").write_bytes(onnx.model(
        [onnx.node("Tanh", ["x"], ["t"], "tanh"), onnx.node("MatMul", ["t", "w"], ["y"], "product")],
        [onnx.tensor_type("x", ["rows", COLUMNS])], [onnx.tensor_type("y", ["rows", COLUMNS])],
        [onnx.tensor("w", [COLUMNS, COLUMNS], raw=np.eye(COLUMNS, dtype=np.float32).tobytes())]))


def test_the_processor_serves_several_shapes(folder):
    write_open_model(folder)
    with Server(folder / "open.onnx", "--dim", "rows=1,4", program=(TILESCOPE, "model", "serve")) as server:
        assert server.ask("GET", "/v2/models/open")[1]["inputs"][0]["shape"] == [-1, COLUMNS]
        for rows in (4, 1, 4, 2):
            x = np.linspace(-2, 2, rows * COLUMNS, dtype=np.float32).reshape(rows, COLUMNS)
            status, answer = server.ask("POST", "/v2/models/open/infer",
                                        {"inputs": [{"name": "x", "shape": list(x.shape), "datatype": "FP32", "data": x.tolist()}]})
            if rows == 2:
                assert status == 400 and "`x` [1,16]; `x` [4,16]" in answer["error"], answer
            else:
                assert status == 200 and np.allclose(np.array(answer["outputs"][0]["data"]).reshape(x.shape), np.tanh(x), atol=1e-5), answer


def test_a_requests_shape_chooses_the_set(folder):
    write_open_model(folder)
    subprocess.run([TILESCOPE, "model", "export", "open.onnx", "--dim", "rows=1,4,9", "--ptx", "-o", "open"], cwd=folder, check=True, timeout=300)
    with Server(folder / "open") as server:
        status, about = server.ask("GET", "/v2/models/open")
        assert status == 200 and about["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, COLUMNS]}], about
        assert about["outputs"] == [{"name": "y", "datatype": "FP32", "shape": [-1, COLUMNS]}], about
        assert server.ask("GET", "/v2/models/open/config")[1]["output"][0]["dims"] == [-1, COLUMNS]

        def infer(x):
            return server.ask("POST", "/v2/models/open/infer", {"inputs": [{"name": "x", "shape": list(x.shape), "datatype": "FP32", "data": x.tolist()}]})

        for rows in (4, 9, 1, 4) if HAS_DEVICE else ():
            x = np.linspace(-2, 2, rows * COLUMNS, dtype=np.float32).reshape(rows, COLUMNS)
            status, answer = infer(x)
            assert status == 200 and answer["outputs"][0]["shape"] == [rows, COLUMNS], answer
            assert np.allclose(np.array(answer["outputs"][0]["data"]).reshape(x.shape), np.tanh(x), atol=1e-3), (rows, answer)
        for shape in ((5, COLUMNS), (0, COLUMNS), (4,)):
            status, refused = infer(np.zeros(shape, np.float32))
            assert status == 400 and refused["error"].endswith("and the model is served for `x` [1,16]; `x` [4,16]; `x` [9,16]"), refused
        assert "the request is for `x` [4], and" in refused["error"], refused
        assert server.ask("POST", "/v2/models/open/infer", {"inputs": []}) == (400, {"error": "input `x` is missing"})


def test_what_cannot_be_served_is_told(folder):
    for arguments, status, says in [(["nowhere"], 1, "nowhere/model.plan`: No such file"), (["deployed", "--http", "8000"], 2, "`8000` is not an address with a port"),
                                    (["deployed", "--http", "example.org:80"], 2, "is not an address"), (["deployed", "--http", "127.0.0.1:65536"], 2, "is not an address"),
                                    (["deployed", "--http", "192.0.2.1:0"], 3, "cannot listen at 192.0.2.1")]:
        done = subprocess.run([RUNNER, "serve-model", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == status and says in done.stderr, (arguments, done)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        export(folder)
        with Server(folder / "deployed") as server:
            for test_name, test in list(globals().items()):
                if test_name.startswith("test_"):
                    test(folder if test.__code__.co_varnames[0] == "folder" else server)
                    print(f"passed: {test_name}", flush=True)


if __name__ == "__main__":
    main()
