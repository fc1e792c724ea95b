# SPDX-License-Identifier: MIT
"""Bristle: friction and hysteresis.

    import bristle
    law = bristle.laws.LuGre(stiffness=1e5, viscous=0.4)
    body = bristle.mechanisms.DraggedMass(mass=1.0, spring=2.0, drag_velocity=0.1)
    run = bristle.simulate(law, body, end=40.0)
    run["position"], run.events, run.ledger

`bristle.laws`, `bristle.mechanisms` and `bristle.couplings` hold one class per law, mechanism and
coupling of the engine; `help()` on any of them shows its equations, units and bounds. Several
bodies and contacts make a `Machine`. Wrong input raises InvalidInput, a ValueError.
"""
from . import couplings, laws, mechanisms, systems
from ._core import HostFriction, InvalidInput, __version__
from .analysis import certify, indirect_force, linearise, spectrum
from .bifurcation import Bifurcation, bifurcation
from .catalogue import models
from .derivatives import host_jvp, host_vjp, jvp, vjp
from .element import FrictionElement
from .experiment import Experiment, experiments, reproduce, run_file
from .identify import (Comparison, Fit, MachineFit, compare, cross_validate_machine, excite, fit,
                       fit_joints, fit_machine)
from .loops import (butterfly, errors, loop, loops, maps, path_displacements, path_forces,
                    read_table)
from .machine import Machine, MachineBuilder
from .own_law import OwnCoupling, OwnLaw, OwnLinkage
from .part import Part
from .result import Result
from .rolling import ContactPatch
from .run import Run
from .signals import Signal
from .simulate import simulate
from .sweep import Sweep, SweepResult, merge_sweeps, read_sweep, sweep

__all__ = ["Bifurcation", "Comparison", "ContactPatch", "Experiment", "Fit", "FrictionElement",
           "HostFriction", "InvalidInput", "Machine", "MachineBuilder", "MachineFit",
           "OwnCoupling", "OwnLaw", "OwnLinkage", "Part", "Result", "Run", "Signal", "Sweep",
           "SweepResult", "__version__", "bifurcation", "butterfly", "certify", "compare",
           "couplings", "cross_validate_machine", "errors", "excite", "experiments", "fit",
           "fit_joints", "fit_machine", "host_jvp", "host_vjp", "indirect_force", "jvp", "laws",
           "linearise", "loop", "loops", "maps", "mechanisms", "merge_sweeps", "models",
           "path_displacements", "path_forces", "read_sweep", "read_table", "reproduce", "run_file",
           "simulate", "spectrum", "sweep", "systems", "vjp"]
