# SPDX-License-Identifier: MIT
"""Derivatives of one step of a law along and against a direction, for automatic differentiation."""


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
