# SPDX-License-Identifier: MIT
"""The subcommands of the command `bristle`, and what does the same in Python.

`python3 -m bristle.commands` prints the list; the table of docs/tasks/python.md is made from it.
"""

# Each subcommand with its calls; a subcommand without one has the reason in their place.
COUNTERPARTS = {
    "new": "writes a commented file to begin from; `Machine` builds one in Python",
    "models": ("models",),
    "run": ("run_file", "Experiment.write"),
    "sweep": ("sweep", "Sweep", "read_sweep"),
    "sweep merge": ("merge_sweeps",),
    "loop": ("loop", "loops", "maps", "systems.fit", "systems.fit_relays"),
    "invert": ("systems.from_toml", "systems.PrandtlIshlinskii.inverse",
               "systems.PrandtlIshlinskii.round_trip", "systems.PrandtlIshlinskii.to_toml",
               "path_displacements"),
    "butterfly": ("butterfly",),
    "errors": ("errors",),
    "spectrum": ("spectrum",),
    "indirect": ("indirect_force",),
    "bifurcation": ("bifurcation",),
    "fit": ("fit", "fit_joints", "fit_machine", "cross_validate_machine"),
    "compare": ("compare",),
    "part show": ("Part.read", "Part.parameters"),
    "part check": ("Part.check",),
    "part diff": ("Part.diff",),
    "excite": ("excite",),
    "reproduce": ("reproduce", "experiments"),
    "completion": "completes words of the shell; Python completes its own",
}


def rows():
    """The rows of the table, as Markdown."""
    for name, calls in COUNTERPARTS.items():
        text = calls if isinstance(calls, str) else ", ".join(f"`{call}`" for call in calls)
        yield f"| `bristle {name}` | {text} |"


if __name__ == "__main__":
    print("\n".join(rows()))
