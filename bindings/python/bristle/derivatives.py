# SPDX-License-Identifier: MIT
"""Derivatives of one step along and against a direction, for automatic differentiation.

jvp() and vjp() are those of a law, host_jvp() and host_vjp() those of a HostFriction.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._described import _number, _numbers, _require


def jvp(law, z, v, dt, z_tangent, v_tangent, *, position=0.0,
        load=1.0) -> tuple[Any, Any, Any, Any]:
    """(state, force, state_tangent, force_tangent) of `law.step(z, v, dt)`: forward mode.

    Tangents are directional derivatives: of the results, in the direction of the tangents of z and
    v. The derivatives are exact.
    """
    _require(law, _core.Law, "jvp() takes one of bristle.laws")
    state, force, zz, zv, fz, fv = law.slopes(z, v, dt, position=position, load=load)
    z_tangent = _numbers(z_tangent, "z_tangent")
    v_tangent = _numbers(v_tangent, "v_tangent")
    return state, force, zz * z_tangent + zv * v_tangent, fz * z_tangent + fv * v_tangent


def vjp(law, z, v, dt, *, position=0.0,
        load=1.0) -> tuple[Any, Any, Callable[[Any, Any], tuple[Any, Any]]]:
    """(state, force, pullback) of `law.step(z, v, dt)`: reverse mode.

    `pullback(state_gradient, force_gradient)` returns the gradients (z, v) of a number whose
    gradients with respect to state and force are given.
    """
    _require(law, _core.Law, "vjp() takes one of bristle.laws")
    state, force, zz, zv, fz, fv = law.slopes(z, v, dt, position=position, load=load)

    def pullback(state_gradient, force_gradient):
        state_gradient = _numbers(state_gradient, "state_gradient")
        force_gradient = _numbers(force_gradient, "force_gradient")
        return (zz * state_gradient + fz * force_gradient,
                zv * state_gradient + fv * force_gradient)

    return state, force, pullback


def host_jvp(host, delassus, h, v_free_tangent) -> tuple[np.ndarray, np.ndarray]:
    """(velocity_tangent, force_tangent) of `host.step(v_free, delassus, h)`: forward mode.

    Call it after that step and before commit(). The derivatives are exact; a contact that sticks
    keeps its velocity of zero.
    """
    matrix, slips, tangents = _linearised(host, delassus, h)
    tangent = _answer(v_free_tangent, "v_free_tangent", tangents)
    unknown = _solve(matrix, tangent)
    return np.where(slips, unknown, 0.0), np.where(slips, tangents * unknown, unknown)


def host_vjp(host, delassus, h) -> Callable[[Any, Any], np.ndarray]:
    """The pullback of `host.step(v_free, delassus, h)`: reverse mode.

    `pullback(velocity_gradient, force_gradient)` returns the gradient with respect to v_free of a
    number whose gradients with respect to velocities and forces are given. Call host_vjp() after
    that step and before commit().
    """
    matrix, slips, tangents = _linearised(host, delassus, h)

    def pullback(velocity_gradient, force_gradient):
        velocity = _answer(velocity_gradient, "velocity_gradient", tangents)
        force = _answer(force_gradient, "force_gradient", tangents)
        right = np.where(slips, velocity + tangents * force, force)
        return _solve(np.swapaxes(matrix, -1, -2), right)

    return pullback


def _answer(value, what, like):
    """Numbers of the shape of an answer of the host; one stands for all."""
    value = np.asarray(_numbers(value, what), dtype=float)
    if value.shape not in ((), like.shape):
        raise _core.InvalidInput(f"{what} has the shape {value.shape}, it must have {like.shape}")
    return np.broadcast_to(value, like.shape)


def _solve(matrix, right):
    try:
        return np.linalg.solve(matrix, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        raise _core.InvalidInput("delassus: contacts that stick are redundant, so the forces and "
                                 "their derivatives are not unique") from None


def _linearised(host, delassus, h):
    """The step v + h W F(v) = v_free, linearised: a column per contact, of its velocity where it
    slips and of its force where it sticks."""
    _require(host, _core.HostFriction, "a HostFriction is needed")
    tangents = np.asarray(host.tangents)
    slips = np.isfinite(tangents)
    tangents = np.where(slips, tangents, 0.0)
    answers = _number(h, "h") * np.asarray(_numbers(delassus, "delassus"), dtype=float)
    contacts = tangents.shape[-1]
    if answers.shape not in ((contacts, contacts), (*tangents.shape, contacts)):
        raise _core.InvalidInput(f"delassus has the shape {answers.shape}, it must have "
                                 f"{(*tangents.shape, contacts)}")
    slipping = np.eye(contacts) + answers * tangents[..., None, :]
    matrix = np.where(slips[..., None, :], slipping, answers)
    return matrix, slips, tangents
