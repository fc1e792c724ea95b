/* SPDX-License-Identifier: MIT
 *
 * Two rotors on a shaft: the motor in a bearing with a LuGre bristle, the load on Coulomb friction.
 *
 *   J1 w1' = A sin(w t) - k (q1 - q2) - c (w1 - w2) - F,   J2 w2' = k (q1 - q2) + c (w1 - w2) - G
 *   z' = w1 - |w1| s0 z / g(w1),   F = s0 z + s1 z',   g = Fc + (Fs - Fc) exp(-(w1/vs)^2)
 *   |G| <= Gc while w2 = 0, else G = Gc sign(w2)
 *
 * Corners of |w1|, reversals, stops and break-aways of the load are located, so that each flight is
 * smooth. The bristle is stiff (1e5 1/s), so that there are many steps: their rounding errors count,
 * and numbers have 64 bits. */
#define REAL long double
#include "flight.h"

typedef struct {
  REAL j1, j2, spring, damper, s0, s1, fc, fs, vs, gc, amplitude, frequency, tolerance;
} Problem;

typedef struct {
  Problem p;
  REAL way;  /* of the motor, 1 or -1 */
  REAL load; /* of the load: 1 or -1, 0 in stick */
} Drive;

enum { Q2, W2, Q1, W1, Z, WORK_IN, MOTOR, LOAD, ALL };

static REAL pull(const Problem* p, const REAL* y) {
  return p->spring * (y[Q1] - y[Q2]) + p->damper * (y[W1] - y[W2]);
}
static void rates(const Flight* f, REAL t, const REAL* y, REAL* dy) {
  const Drive* d = f->problem;
  const Problem* p = &d->p;
  const REAL u = y[W1] / p->vs, g = p->fc + (p->fs - p->fc) * exp(-u * u);
  const REAL torque = p->amplitude * sin(p->frequency * t), shaft = pull(p, y);
  dy[Z] = y[W1] - d->way * y[W1] * p->s0 * y[Z] / g;
  const REAL friction = p->s0 * y[Z] + p->s1 * dy[Z];
  dy[Q1] = y[W1];
  dy[W1] = (torque - shaft - friction) / p->j1;
  dy[Q2] = d->load == 0.0 ? 0.0 : y[W2];
  dy[W2] = d->load == 0.0 ? 0.0 : (shaft - d->load * p->gc) / p->j2;
  dy[WORK_IN] = torque * y[W1];
  dy[MOTOR] = friction * y[W1];
  dy[LOAD] = d->load * p->gc * y[W2];
}
static REAL margin(const Flight* f, int i, REAL t, const REAL* y) {
  (void)t;
  const Drive* d = f->problem;
  if (i == 1) return d->way * y[W1];
  if (d->load == 0.0) return d->p.gc - fabs(pull(&d->p, y)); /* of both 0 and 2 */
  return i == 0 ? d->load * y[W2] : 1.0;
}

/* Rows of all states at the times; the times of the events of the load go to events, with the mode
 * after each of them to modes. Returns how many there are. */
int drive(const double* numbers, const double* times, int samples, double* rows, double* events,
          double* modes, int room) {
  Drive d = {{0}, 1.0, 0.0};
  REAL* const fields = (REAL*)&d.p;
  for (size_t i = 0; i < sizeof(Problem) / sizeof(REAL); ++i) fields[i] = numbers[i];
  const Problem* p = &d.p;
  Flight f = {ALL, 3, rates, margin, &d, 1.0, {1e-3, 1e-3, 1e-3, 1e-3, 1e-6, 1e-3, 1e-3, 1e-3},
              p->tolerance, 1e-4, 1e-5, -1};
  REAL t = 0.0, y[ALL] = {0};
  int found = 0;
  for (int k = 0; k < samples; ++k) {
    for (;;) {
      const int event = fly(&f, &t, y, times[k]);
      if (event < 0) break;
      f.step = fmin(f.step, 1e-5);
      f.disarmed = -1;
      if (event == 1) {
        y[W1] = 0.0;
        d.way = -d.way;
        continue;
      }
      /* The load breaks away, stops, or turns where the shaft is stronger than its friction. */
      y[W2] = 0.0;
      const REAL shaft = pull(p, y);
      d.load = d.load == 0.0 || fabs(shaft) > p->gc ? (shaft > 0.0 ? 1.0 : -1.0) : 0.0;
      f.direction = d.load == 0.0 ? 1.0 : d.load;
      if (found < room) events[found] = (double)t, modes[found++] = (double)d.load;
    }
    for (int i = 0; i < ALL; ++i) rows[ALL * k + i] = (double)y[i];
  }
  return found;
}
