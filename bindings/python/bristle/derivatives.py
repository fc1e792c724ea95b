# SPDX-License-Identifier: MIT
"""Derivatives of one step along and against a direction, for automatic differentiation.

jvp() and vjp() are those of a law, host_jvp() and host_vjp() those of a HostFriction.
"""
import numpy as np


def jvp(law, z, v, dt, z_tangent, v_tangent, *, position=0.0, load=1.0):
    """(state, force, state_tangent, force_tangent) of `law.step(z, v, dt)`: forward mode.

    Tangents are directional derivatives: of the results, in the direction of the tangents of z and
    v. The derivatives are exact.
    """
    state, force, zz, zv, fz, fv = law.slopes(z, v, dt, position=position, load=load)
    return state, force, zz * z_tangent + zv * v_tangent, fz * z_tangent + fv * v_tangent


def vjp(law, z, v, dt, *, position=0.0, load=1.0):
    """(state, force, pullback) of `law.step(z, v, dt)`: reverse mode.

    `pullback(state_gradient, force_gradient)` returns the gradients (z, v) of a number whose
    gradients with respect to state and force are given.
    """
    state, force, zz, zv, fz, fv = law.slopes(z, v, dt, position=position, load=load)

    def pullback(state_gradient, force_gradient):
        return (zz * state_gradient + fz * force_gradient,
                zv * state_gradient + fv * force_gradient)

    return state, force, pullback


def host_jvp(host, delassus, h, v_free_tangent):
    """(velocity_tangent, force_tangent) of `host.step(v_free, delassus, h)`: forward mode.

    Call it after that step and before commit(). The derivatives are exact; a contact that sticks
    keeps its velocity of zero.
    """
    matrix, slips, tangents = _linearised(host, delassus, h)
    unknown = np.linalg.solve(matrix, np.asarray(v_free_tangent, dtype=float)[..., None])[..., 0]
    return np.where(slips, unknown, 0.0), np.where(slips, tangents * unknown, unknown)


def host_vjp(host, delassus, h):
    """The pullback of `host.step(v_free, delassus, h)`: reverse mode.

    `pullback(velocity_gradient, force_gradient)` returns the gradient with respect to v_free of a
    number whose gradients with respect to velocities and forces are given. Call host_vjp() after
    that step and before commit().
    """
    matrix, slips, tangents = _linearised(host, delassus, h)

    def pullback(velocity_gradient, force_gradient):
        velocity, force = np.asarray(velocity_gradient), np.asarray(force_gradient)
        right = np.where(slips, velocity + tangents * force, force)
        return np.linalg.solve(np.swapaxes(matrix, -1, -2), right[..., None])[..., 0]

    return pullback


def _linearised(host, delassus, h):
    """The step v + h W F(v) = v_free, linearised: a column per contact, of its velocity where it
    slips and of its force where it sticks."""
    tangents = np.asarray(host.tangents)
    slips = np.isfinite(tangents)
    tangents = np.where(slips, tangents, 0.0)
    answers = h * np.asarray(delassus, dtype=float)
    matrix = np.where(slips[..., None, :], np.eye(tangents.shape[-1]) + answers * tangents[..., None, :],
                      answers)
    return matrix, slips, tangents
