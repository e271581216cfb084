# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""A real Slurm on this machine: munged, slurmctld and slurmd with their own folders, keys and ports.

    with Slurm() as cluster:
        subprocess.run(["sbatch", …], env=cluster.environment())

`missing()` says why there can be none here.
"""

import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    for program in PROGRAMS:
        if not find(program):
            return f"there is no {program} (Debian: slurm-wlm, munge)"
    return ""


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class Slurm:
    def __init__(self, processors=4, gpus=4, array_size=1001):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilescope-slurm-"))
        self.folder.chmod(0o755)
        self.host = socket.gethostname().split(".")[0]
        self.processes = {}
        user = pwd.getpwuid(os.getuid()).pw_name
        control, daemon = free_ports(2)
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)
        (self.folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={self.host}(127.0.0.1)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.folder}/munge/socket
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={control}
SlurmdPort={daemon}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,default_queue_depth=1000
MaxArraySize={array_size}
MaxJobCount=100000
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldTimeout=10
SlurmdTimeout=30
MinJobAge=60
KillWait=2
GresTypes=gpu
NodeName={self.host} NodeAddr=127.0.0.1 CPUs={processors} Gres=gpu:{gpus} State=UNKNOWN
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        for number in range(gpus):
            (self.folder / f"gpu{number}").touch()
        (self.folder / "gres.conf").write_text(f"Name=gpu File={self.folder}/gpu[0-{gpus - 1}]\n")

    def environment(self, **more):
        return {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), **more}

    def run(self, *command, check=True):
        return subprocess.run(command, env=self.environment(), capture_output=True, text=True, timeout=60, check=check).stdout

    def begin(self, name, *command):
        self.processes[name] = subprocess.Popen(command, env=self.environment(), stdin=subprocess.DEVNULL,
                                                stdout=open(self.folder / f"{name}.out", "ab"), stderr=subprocess.STDOUT)

    def end(self, name, kill=False):
        process = self.processes.pop(name)
        process.kill() if kill else process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def start_controller(self):
        self.begin("slurmctld", find("slurmctld"), "-D")

    def wait_until(self, holds, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return
            time.sleep(0.1)
        logs = "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")))
        raise RuntimeError(f"{what}\n{logs}")

    def __enter__(self):
        socket_path = self.folder / "munge" / "socket"
        self.begin("munged", find("munged"), "-F", "-S", str(socket_path), "--key-file", str(self.folder / "munge.key"),
                   "--pid-file", str(self.folder / "munge" / "pid"), "--log-file", str(self.folder / "munge" / "log"),
                   "--seed-file", str(self.folder / "munge" / "seed"), "--force")
        self.wait_until(socket_path.exists, "munged does not start")
        self.start_controller()
        self.begin("slurmd", find("slurmd"), "-D", "-N", self.host)
        self.wait_until(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False), "the node does not become idle")
        return self

    def queue(self):
        return self.run("squeue", "-h", "-r", "-o", "%A %K %T", check=False)

    def __exit__(self, *_):
        subprocess.run([find("scancel"), "--user", pwd.getpwuid(os.getuid()).pw_name], env=self.environment(), capture_output=True, timeout=60)
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.processes:
                self.end(name)
        shutil.rmtree(self.folder, ignore_errors=True)
