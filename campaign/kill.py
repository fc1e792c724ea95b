#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills running commands with SIGKILL and looks at what they leave.

Three times each: `bristle run --out`, `bristle reproduce` and `bristle sweep` are killed in the
middle, then run again. What must hold: after a kill the result directory is either the one from before, whole, or not
there; the run that follows takes over whatever lock is left, ends with code 0, and its results are
those of a run that was never disturbed; nothing temporary stays behind.

    campaign/kill.py build/bristle [--seed N] [--times N]
"""
import argparse
import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXPERIMENTS = os.path.join(HERE, "..", "experiments")
SLOW = """title = "a run that takes a while"
[model]
name = "lugre"
[mechanism]
name = "dragged_mass"
[solve]
end = 4000.0
samples = 40001
tolerance = 1e-10
"""
SWEEP = ["--set", "solve.end=40", "--set", "solve.samples=401", "--vary", "mechanism.spring=1:3:800",
         "--quantity", "max_force"]


def files_below(folder):
    found = []
    for path, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in names]
    return sorted(found)


def data_of(folder):
    """The files whose content does not depend on the clock."""
    return [f for f in files_below(folder) if f.endswith((".csv", ".toml", ".h5"))]


def differences(first, second):
    """The names of what the two folders do not have in common."""
    names = set(data_of(first)), set(data_of(second))
    odd = sorted(names[0] ^ names[1])
    _, different, missing = filecmp.cmpfiles(first, second, names[0] & names[1], shallow=False)
    return odd + different + missing if names[0] else ["everything"]


def whole(folder):
    """Every table ends with a line end and every JSON file can be read."""
    for name in files_below(folder):
        path = os.path.join(folder, name)
        if name.endswith(".json"):
            with open(path) as file:
                json.load(file)
        elif name.endswith(".csv"):
            with open(path, "rb") as file:
                text = file.read()
            if not text.endswith(b"\n"):
                return False
            widths = {line.count(b",") for line in text.splitlines()}
            if len(widths) != 1:
                return False
    return True


def kill_in_the_middle(command, after):
    """Starts a command in a group of its own and ends the whole group; True if it was running."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        process.wait(timeout=after)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def trial(name, command, fresh, out, times, chance):
    """Runs `command` undisturbed, then `times` times killed and run again. Lists what is wrong.

    The options `fresh` make the command that is killed do all of its work again."""
    wrong, killed = [], 0
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    long = time.monotonic() - began
    reference = out + ".reference"
    shutil.copytree(out, reference)
    before = set(os.listdir(os.path.dirname(out)))
    for number in range(times):
        # The first kill meets no earlier results, the others do.
        if number == 0:
            shutil.rmtree(out)
        after = long * chance.uniform(0.1, 0.95)
        # A command that was faster than before is met earlier the next time.
        while not kill_in_the_middle(command + fresh, after):
            after *= 0.7
            if number == 0:
                shutil.rmtree(out)
        killed += 1
        if os.path.isdir(out) and not whole(out):
            wrong.append(f"{name}: a file is half written after a kill at {after:.2f} s")
        again = subprocess.run(command, capture_output=True, text=True)
        if again.returncode != 0:
            wrong.append(f"{name}: the run after a kill ends with {again.returncode}: {again.stderr.strip()}")
        elif other := differences(out, reference):
            wrong.append(f"{name}: after a kill at {after:.2f} s these differ: {', '.join(other[:5])}")
        left = set(os.listdir(os.path.dirname(out))) - before
        if left:
            wrong.append(f"{name}: left behind: {', '.join(sorted(left))}")
    print(f"{name:10} {times} runs, {killed} killed between 10 % and 95 % of {long:.1f} s, "
          f"{len(wrong)} wrong", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default="build/bristle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", default="")
    a = parser.parse_args()
    chance = random.Random(a.seed)
    print(f"kill: seed {a.seed}, {a.times} kills of each command")
    program = os.path.abspath(a.program)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="bristle-kill-") as scratch:
        slow = os.path.join(scratch, "slow.toml")
        with open(slow, "w") as file:
            file.write(SLOW)
        out = os.path.join(scratch, "run", "out")
        os.makedirs(os.path.dirname(out))
        wrong += trial("run", [program, "run", slow, "--out", out, "--no-figures"], [], out,
                       a.times, chance)
        out = os.path.join(scratch, "reproduce", "out")
        os.makedirs(os.path.dirname(out))
        names = sorted(os.listdir(EXPERIMENTS))
        keys = [n[:-5] for n in names if n.startswith("p_") and n.endswith(".toml")]
        wrong += trial("reproduce", [program, "reproduce", *keys, "--no-figures", "--experiments", EXPERIMENTS, "--out", out],
                       ["--fresh"], out, a.times, chance)
        out = os.path.join(scratch, "sweep", "out")
        os.makedirs(os.path.dirname(out))
        wrong += trial("sweep", [program, "sweep", slow, "--out", out, "--no-figures", *SWEEP], [], out,
                       a.times, chance)
    for line in wrong:
        print("  " + line)
    if a.json:
        with open(a.json, "w") as file:
            json.dump({"campaign": "kill", "seed": a.seed, "times": a.times, "wrong": wrong}, file, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
