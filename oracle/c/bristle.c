/* SPDX-License-Identifier: MIT
 *
 * A mass on one bristle: every sign change of the velocity, where |v| has its corner, and every
 * edge of a sawtooth is located, so that each flight is smooth.
 *
 *   mass v' = hold - F,   hold = K (vp t - x)  or  A sin(w t) - K x
 *   LuGre type   z' = v - |v| s0 z / g,              F = s0 z + s1 z' + s2 v
 *   elasto-plastic   z' = v - alpha |v| s0 z / g with alpha = 0 for |z| <= z_ba = fraction a / s0
 * or z against v, 1 for |z| >= z_ss = g / s0, and between them (1 + sin(pi (|z| - (z_ss + z_ba) /
 * 2) / (z_ss - z_ba))) / 2 FrBD type    z' = (g v - s0 |v| z) / (s1 |v| + g),   F = s0 z + s1 z' g
 * = a + b exp(-(v/vs)^2) + c |v|,  a + b sech(v/vs)  or  a + b mod(sign(v) x, vs) / vs */
#include "flight.h"

typedef struct {
  double type, curve; /* LuGre 0, FrBD 1, elasto-plastic 2; exponential 0, sech 1, sawtooth 2 */
  double s0, s1, s2, a, b, c, vs;                 /* of the bristle and of its curve */
  double mass, spring, tow, amplitude, frequency; /* of the body; tow > 0 drags it */
  double fraction, tolerance, level; /* level: upward crossings of this velocity are noted */
} Problem;

typedef struct {
  Problem p;
  double cell; /* number of the tooth along the motion */
} Ride;

enum { X, V, Z, WORK_IN, FRICTION_WORK, ALL };

static double hold(const Problem* p, double t, double x) {
  return p->tow > 0.0 ? p->spring * (p->tow * t - x)
                      : p->amplitude * sin(p->frequency * t) - p->spring * x;
}
/* The plastic part of the flow, 1 unless the bristle is elasto-plastic. */
static double plastic(const Flight* f, double z, double steady) {
  const Problem* p = &((const Ride*)f->problem)->p;
  const double elastic = p->fraction * p->a / p->s0, bent = f->direction * z;
  if (p->type != 2.0 || bent >= steady) return 1.0;
  if (bent <= elastic) return 0.0;
  const double pi = 3.14159265358979323846;
  return 0.5 * (1.0 + sin(pi * (bent - 0.5 * (steady + elastic)) / (steady - elastic)));
}
static double force(const Flight* f, const double* y, double* rate) {
  const Ride* r = f->problem;
  const Problem* p = &r->p;
  const double speed = f->direction * y[V], u = y[V] / p->vs;
  double g = p->a + p->c * speed;
  if (p->curve == 0.0) g += p->b * exp(-u * u);
  else if (p->curve == 1.0) g += p->b / cosh(u);
  else g += p->b * (f->direction * y[X] / p->vs - r->cell);
  *rate = p->type == 1.0 ? (g * y[V] - p->s0 * speed * y[Z]) / (p->s1 * speed + g)
                         : y[V] - plastic(f, y[Z], g / p->s0) * p->s0 * speed * y[Z] / g;
  return p->s0 * y[Z] + p->s1 * *rate + p->s2 * y[V];
}
static void rates(const Flight* f, double t, const double* y, double* dy) {
  const Problem* p = &((const Ride*)f->problem)->p;
  const double friction = force(f, y, &dy[Z]), pull = hold(p, t, y[X]);
  dy[X] = y[V];
  dy[V] = (pull - friction) / p->mass;
  dy[WORK_IN] = p->tow > 0.0 ? pull * p->tow : p->amplitude * sin(p->frequency * t) * y[V];
  dy[FRICTION_WORK] = friction * y[V];
}
static double margin(const Flight* f, int i, double t, const double* y) {
  const Ride* r = f->problem;
  double dy[ALL];
  switch (i) {
    case 0: return f->direction * y[V];
    case 1: return r->p.curve == 2.0 ? r->cell + 1.0 - f->direction * y[X] / r->p.vs : 1.0;
    case 2: return r->p.level - y[V];
    case 3: rates(f, t, y, dy); return dy[V];
    default: return r->p.tow - y[V];
  }
}

/* Runs to the end. samples: times in, rows (x, v, z, F, work in, friction work) out. Upward
 * crossings of the level go to crossings; the largest velocity and stretch to most. */
int ride(const double* numbers, const double* times, int samples, double* rows, double* crossings,
         int room, double* most) {
  Ride r = {*(const Problem*)numbers, 0.0};
  const Problem* p = &r.p;
  Flight f = {ALL, p->tow > 0.0 ? 5 : 4,           rates,        margin, &r,
              1.0, {1e-3, 1e-3, 1e-6, 1e-3, 1e-3}, p->tolerance, 2e-2,   1e-5,
              -1};
  double t = 0.0, y[ALL] = {0}, rate;
  int found = 0;
  most[0] = most[1] = -1e30;
  for (int k = 0; k < samples; ++k) {
    for (;;) {
      const int event = fly(&f, &t, y, times[k]);
      if (event < 0) break;
      if (event == 0) {
        y[V] = 0.0;
        f.direction = -f.direction;
        f.disarmed = -1;
        f.step = fmin(f.step, 1e-4);
        if (p->curve == 2.0) r.cell = floor(f.direction * y[X] / p->vs);
      } else if (event == 1) {
        r.cell += 1.0;
        f.disarmed = -1;
      } else if (event == 2 && found < room) {
        crossings[found++] = t;
      } else if (event == 3) {
        most[0] = fmax(most[0], y[V]);
      } else if (event == 4) {
        most[1] = fmax(most[1], p->tow * t - y[X]);
      }
    }
    double* row = rows + 6 * k;
    row[0] = y[X], row[1] = y[V], row[2] = y[Z], row[3] = force(&f, y, &rate);
    row[4] = y[WORK_IN], row[5] = y[FRICTION_WORK];
  }
  return found;
}
