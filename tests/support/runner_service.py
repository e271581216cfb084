# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks to `tilescope-runner serve`, in frames with a `Content-Length` before each."""

import json
import subprocess


class RunnerService:
    def __init__(self, runner):
        self.process = subprocess.Popen([runner, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        header = self.process.stdout.readline()
        assert header.startswith(b"Content-Length: "), header
        assert self.process.stdout.readline() == b"\r\n"
        return json.loads(self.process.stdout.read(int(header.split()[1])))

    def call(self, method, params):
        return self.ask({"id": 1, "method": method, "params": params})

    def ask(self, message):
        """Returns the answer; what is told until then is left out."""
        self.send(message)
        while True:
            reply = self.receive()
            if reply.get("method") not in ("progress", "partial"):
                return reply
