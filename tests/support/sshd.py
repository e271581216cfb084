# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""A real sshd on loopback, with its own keys, port and configuration, and a client that knows it.

    with Sshd(environment={"FAKE_RUNNER": …}) as far:
        subprocess.run([...], env=far.environment())   # `ssh far` reaches it

The home of the far end is a folder of its own: `far.home`. Nothing outside the fixture's folder is written. `missing()`
says why there can be none here.
"""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin")


def missing():
    for program in ("sshd", "ssh", "ssh-keygen"):
        if not find(program):
            return f"there is no {program} (Debian: openssh-server, openssh-client)"
    return ""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(pid):
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in text.read_text().split()] if text.exists() else []


class Sshd:
    def __init__(self, environment=None, path=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilescope-sshd-"))
        self.home = self.folder / "home"
        self.bin = self.folder / "bin"
        self.far_bin = self.folder / "far-bin"
        for folder in (self.home, self.bin, self.far_bin):
            folder.mkdir()
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.port = free_port()
        self.far = {"HOME": str(self.home), "PATH": f"{self.far_bin}:{path or os.environ['PATH']}", **(environment or {})}
        self.process = None

    def __enter__(self):
        for name in ("host", "user", "stranger"):
            subprocess.run([find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        public = (self.folder / "host.pub").read_text().split()
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {public[0]} {public[1]}\n")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        set_env = " ".join(f'"{name}={value}"' for name, value in self.far.items())
        (self.folder / "sshd_config").write_text(f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.folder}/host
AuthorizedKeysFile {self.folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PidFile none
PrintMotd no
SetEnv {set_env}
""")
        self.write_client()
        self.start()
        return self

    def write_client(self, key="user", more=""):
        """The client's configuration, and an `ssh` on the PATH that reads it."""
        config = self.folder / "config"
        config.write_text(f"""Host far
  HostName 127.0.0.1
  Port {self.port}
  User {self.user}
  IdentityFile {self.folder}/{key}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile {self.folder}/known
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
{more}""")
        wrapper = self.bin / "ssh"
        wrapper.write_text(f'#!/bin/sh\nexec {find("ssh")} -F {config} "$@"\n')
        wrapper.chmod(0o755)
        (self.folder / "near-home" / ".ssh").mkdir(parents=True, exist_ok=True)
        shutil.copy(config, self.folder / "near-home" / ".ssh" / "config")

    def start(self):
        self.process = subprocess.Popen([find("sshd"), "-D", "-e", "-f", str(self.folder / "sshd_config")],
                                        stderr=open(self.folder / "sshd.log", "ab"))
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("sshd does not start: " + self.log())

    def log(self):
        return (self.folder / "sshd.log").read_text(errors="replace")

    def environment(self, **more):
        return {**os.environ, "HOME": str(self.folder / "near-home"), "PATH": f"{self.bin}:{os.environ['PATH']}", **more}

    def connections(self):
        return children(self.process.pid)

    def cut(self):
        """Ends every connection as a broken network does: what runs at the far end is not told."""
        for pid in self.connections():
            for inner in (pid, *children(pid)):
                try:
                    if pathlib.Path(f"/proc/{inner}/comm").read_text().startswith("sshd"):
                        os.kill(inner, signal.SIGKILL)
                except (ProcessLookupError, FileNotFoundError):
                    pass

    def runners(self):
        folder = self.home / ".cache" / "tilescope" / "runners"
        return sorted(folder.glob("*/tilescope-runner")) if folder.exists() else []

    def far_program(self, name, text):
        """A program that comes first on the far end's PATH."""
        program = self.far_bin / name
        program.write_text(text)
        program.chmod(0o755)

    def stop(self):
        if self.process:
            self.cut()
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
