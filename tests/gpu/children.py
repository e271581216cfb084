# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Child processes that survive what they do: one that dies or hangs is recorded, and a new one takes up the rest.

A child prints one line of JSON for each thing begun ({"begun", "part"}) and done ({"done", "part", …}), and for each
item that it is through with ({"finished"}). It is told what to leave out: finished items, and `ITEM/PART` of what
ended a child before it.
"""

import json
import os
import subprocess
import sys
import threading
import time


def say(**fields):
    print(json.dumps(fields), flush=True)


class Children:
    """Runs `script MODE arguments… --file FILE --skip …` for a file until all in it is done. `take` gets every fact;
    a child that says nothing for `patience` seconds is ended."""

    def __init__(self, script, arguments, scratch, deadline):
        self.script, self.arguments, self.scratch, self.deadline = script, arguments, scratch, deadline

    def run(self, mode, file, take, patience):
        skip = []
        while time.monotonic() < self.deadline:
            words = self.scratch / f"{file}.{mode}.txt"
            with words.open("w") as errors:
                child = subprocess.Popen(
                    [sys.executable, self.script, mode, *self.arguments, "--file", file, "--scratch", self.scratch,
                     "--skip", *skip], stdout=subprocess.PIPE, stderr=errors, text=True,
                    env={**os.environ, "TRITON_CACHE_DIR": str(self.scratch / "cache"), "OMP_NUM_THREADS": "1"})
            watch = Watch(child, patience, self.deadline)
            begun = self.listen(child, watch, skip, take)
            status = child.wait()
            watch.stop()
            said = words.read_text(errors="replace").strip()
            if status == 0 and begun is None:
                return
            if begun is None:
                take({"lost": file, "error": said[-400:]})
                return
            item = f"{begun['begun']}/{begun['part']}"
            if item not in skip:
                reason = "hung" if watch.fired else f"the process died with {status}: {said[-200:]}"
                take({"done": begun["begun"], "part": begun["part"], "verdict": reason})
                skip.append(item)

    @staticmethod
    def listen(child, watch, skip, take):
        """Passes on what the child says; returns the work that it had begun and not finished at its end."""
        begun = None
        for line in child.stdout:
            watch.alive()
            try:
                fact = json.loads(line)
            except json.JSONDecodeError:
                continue
            if "begun" in fact:
                begun = fact
            elif "finished" in fact:
                skip.append(fact["finished"])
            else:
                if fact.get("poisoned"):
                    skip.append(f"{fact['done']}/{fact['part']}")
                elif "done" in fact:
                    begun = None
                take(fact)
        return begun


class Watch:
    """Ends a child that says nothing for too long."""

    def __init__(self, child, patience, deadline):
        self.child, self.patience, self.deadline, self.fired = child, patience, deadline, False
        self.last, self.stopped = time.monotonic(), threading.Event()
        threading.Thread(target=self.loop, daemon=True).start()

    def alive(self):
        self.last = time.monotonic()

    def loop(self):
        while not self.stopped.wait(0.5):
            now = time.monotonic()
            if now - self.last > self.patience or now > self.deadline:
                self.fired = True
                self.child.kill()
                return

    def stop(self):
        self.stopped.set()
