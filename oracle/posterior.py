# SPDX-License-Identifier: MIT
"""The posterior of a Stribeck curve by emcee, an ensemble sampler of others.

Forces at 400 velocities with normal noise of unknown size. The parameters are searched as the
engine searches them (logarithms, and the excess of the static over the Coulomb force), with flat
priors there; the size of the noise is integrated out with the prior 1 / sigma.
"""

import math
import sys

import numpy as np
from common import Group, Number

group = Group(
    "posterior",
    source="F = sign(v) (Fc + (Fs - Fc) exp(-(v / vs)^2)) + viscous v with normal noise",
    method="affine invariant ensemble sampler (emcee), 64 walkers; errors from its autocorrelation",
)
TRUTH = dict(coulomb_force=1.0, static_force=1.5, stribeck_velocity=0.002, viscous=4.0)
NOISE = 0.002


def curve(coulomb, excess, velocity_scale, viscous, v):
    fall = excess * np.exp(-((v / velocity_scale) ** 2))
    return np.sign(v) * (coulomb + fall) + viscous * v


def data():
    """200 speeds in either direction, and noise by Box and Muller from a linear congruence."""
    v = np.array([side * 1e-4 * 1.03**k for k in range(1, 201) for side in (1.0, -1.0)])
    state = 1

    def unit():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((state >> 11) + 0.5) * 2.0**-53

    noise = [math.sqrt(-2 * math.log(unit())) * math.cos(2 * math.pi * unit()) for _ in v]
    t = TRUTH
    force = curve(
        t["coulomb_force"], t["static_force"] - t["coulomb_force"], t["stribeck_velocity"],
        t["viscous"], v,
    )
    return v, force + NOISE * np.array(noise)


@group.add(quick=False)
def stribeck():
    """Means and standard deviations of the parameters, and the largest correlation."""
    import emcee

    v, force = data()

    def log_posterior(u):
        coulomb, excess = np.exp(u[:, 0:1]), u[:, 1:2]
        scale, viscous = np.exp(u[:, 2:3]), np.exp(u[:, 3:4])
        misfit = force - curve(coulomb, excess, scale, viscous, v[None, :])
        value = -0.5 * len(v) * np.log(np.sum(misfit**2, axis=1))
        return np.where(u[:, 1] > 0, value, -np.inf)

    walkers, steps, burn = 64, 20000, 1000
    rng = np.random.default_rng(1)
    start = np.array([0.0, 0.5, math.log(0.002), math.log(4.0)])
    sampler = emcee.EnsembleSampler(walkers, 4, log_posterior, vectorize=True)
    sampler.random_state = np.random.RandomState(1).get_state()
    sampler.run_mcmc(start + 1e-4 * rng.standard_normal((walkers, 4)), steps)
    chain = sampler.get_chain(discard=burn, flat=True)
    independent = len(chain) / float(max(sampler.get_autocorr_time(discard=burn)))
    values = {
        "coulomb_force": np.exp(chain[:, 0]),
        "static_force": np.exp(chain[:, 0]) + chain[:, 1],
        "stribeck_velocity": np.exp(chain[:, 2]),
        "viscous": np.exp(chain[:, 3]),
    }
    for name, x in values.items():
        deviation = x.std()
        # Five standard errors; that of a deviation of n numbers is deviation / sqrt(2 n).
        yield Number(f"stribeck.{name}.mean", x.mean(), 5 * deviation / math.sqrt(independent),
                     f"mean of {name}, SI units")
        yield Number(f"stribeck.{name}.deviation", deviation,
                     5 * deviation / math.sqrt(2 * independent),
                     f"standard deviation of {name}, SI units")
    pair = np.corrcoef(values["coulomb_force"], values["viscous"])[0, 1]
    yield Number("stribeck.correlation", pair, 5 * (1 - pair**2) / math.sqrt(independent),
                 "correlation of coulomb_force and viscous")


if __name__ == "__main__":
    try:
        import emcee  # noqa: F401
    except ImportError:
        if "--quick" not in sys.argv[1:]:
            sys.exit(77)
    group.main()
