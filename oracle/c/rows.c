/* SPDX-License-Identifier: MIT
 *
 * A body over a row of bristles at x_i = i * spacing, of which every one is looked at.
 *
 *   pivots      F = sign(v) sum g(u_i),  0 <= u_i < reach,  u_i = sign(v) (x - x_i) + d/2,
 *               g(u) = (kappa / h) atan(u / h) h^2 / (h^2 + u^2)
 *   compressed  F = sign(v) k cos(a) sum (h0 - y + w/2 - (w / d1) (d1 - u_i)),  0 <= u_i <= d1
 *               with the height y: m y'' = -m g + k N (h0 + w/2 - y) + tan(a) |F|, or given
 *
 * At rest the force is what holds the body, between those of the two directions, P and -M; the
 * slant then carries tan(a) (2 P M + hold (P - M)) / (P + M). Within a cell, between two changes of
 * the set of bristles that push, the force is smooth. */
#include "flight.h"

typedef struct {
  double compressed;             /* 0 pivots, 1 compressed with free height, 2 height given */
  double spacing, reach, length; /* reach or d1, d */
  double stiffness, height;      /* kappa and h, or k and h0 */
  double slant, bottom, thickness, gravity; /* a, N, w, g */
  double lift, lift_frequency;              /* the height given: lift * sin(lift_frequency * t) */
  double mass, spring, tow, amplitude, frequency, start;
  double tolerance, largest_step;
} Problem;

typedef struct {
  Problem p;
  long first, last; /* numbers of the bristles that push, counted along the motion */
} Slide;

enum { X, V, Y, RISE, WORK_IN, FRICTION_WORK, ALL };

static double push_of(const Problem* p, double u, double y) {
  if (p->compressed == 0.0) {
    const double h = p->height;
    return p->stiffness / h * atan(u / h) * h * h / (h * h + u * u);
  }
  const double from_end = p->reach - u;
  return p->stiffness * cos(p->slant) *
         (p->height - (y - 0.5 * p->thickness + p->thickness / p->reach * from_end));
}
static double push(const Slide* s, double direction, double x, double y, long first, long last) {
  double total = 0.0;
  for (long i = first; i <= last; ++i)
    total += push_of(&s->p, direction * x + 0.5 * s->p.length - i * s->p.spacing, y);
  return total;
}
/* The bristles that push when the body goes in a direction from x; within rounding is at. */
static void engaged(const Problem* p, double direction, double x, long* first, long* last) {
  const double edge = direction * x + 0.5 * p->length;
  *last = (long)floor(edge / p->spacing + 1e-9);
  /* u < reach for pivots, u <= d1 for the slant, which goes on in the direction of motion. */
  *first = (long)floor((edge - p->reach) / p->spacing + 1e-9) + 1;
}
static double size(const Slide* s, double direction, double x, double y) {
  long first, last;
  engaged(&s->p, direction, x, &first, &last);
  return push(s, direction, x, y, first, last);
}
static double input(const Problem* p, double t) {
  return p->tow > 0.0 ? p->spring * p->tow * t : p->amplitude * sin(p->frequency * t);
}
static double hold(const Problem* p, double t, double x) { return input(p, t) - p->spring * x; }
static double height(const Problem* p, double t, const double* y) {
  return p->compressed == 2.0 ? p->lift * sin(p->lift_frequency * t) : y[Y];
}
static void rise(const Problem* p, double on_slant, const double* y, double* dy) {
  dy[Y] = y[RISE];
  dy[RISE] =
      p->compressed != 1.0
          ? 0.0
          : -p->gravity +
                (p->stiffness * p->bottom * (p->height + 0.5 * p->thickness - y[Y]) + on_slant) /
                    p->mass;
}
static void slide(const Flight* f, double t, const double* y, double* dy) {
  const Slide* s = f->problem;
  const Problem* p = &s->p;
  const double F = push(s, f->direction, y[X], height(p, t, y), s->first, s->last);
  dy[X] = y[V];
  dy[V] = (hold(p, t, y[X]) - f->direction * F) / p->mass;
  rise(p, tan(p->slant) * F, y, dy);
  dy[WORK_IN] = p->tow > 0.0 ? hold(p, t, y[X]) * p->tow : input(p, t) * y[V];
  dy[FRICTION_WORK] = f->direction * F * y[V];
}
static double slide_margin(const Flight* f, int i, double t, const double* y) {
  const Slide* s = f->problem;
  const double edge = f->direction * y[X] + 0.5 * s->p.length;
  double dy[ALL];
  switch (i) {
    case 0: return f->direction * y[V];
    case 1: return (s->last + 1) * s->p.spacing - edge;
    case 2: return s->first * s->p.spacing + s->p.reach - edge;
    default: slide(f, t, y, dy); return dy[V];
  }
}
/* At rest: margins 1 and 2 are what is left up to break-away forward and backward. */
static void rest(const Flight* f, double t, const double* y, double* dy) {
  const Slide* s = f->problem;
  const Problem* p = &s->p;
  const double h = height(p, t, y);
  const double P = size(s, 1.0, y[X], h), M = size(s, -1.0, y[X], h), now = hold(p, t, y[X]);
  dy[X] = dy[V] = dy[FRICTION_WORK] = 0.0;
  rise(p, tan(p->slant) * (2.0 * P * M + now * (P - M)) / (P + M), y, dy);
  dy[WORK_IN] = p->tow > 0.0 ? now * p->tow : 0.0;
}
static double rest_margin(const Flight* f, int i, double t, const double* y) {
  const Slide* s = f->problem;
  const double h = height(&s->p, t, y), now = hold(&s->p, t, y[X]);
  if (i == 0) return 1.0;
  return i == 1 ? size(s, 1.0, y[X], h) - now : size(s, -1.0, y[X], h) + now;
}

/* Runs over the sample times. rows: x, v, y, F, work in, friction work, releases so far. events:
 * (kind, time, position) with kind 1 slip, 0 stick, 2 a body that turns without a stick. most: the
 * largest velocity. The result is the number of events, with those for which there is no room. */
int slide_over(const double* numbers, const double* times, int samples, double* rows,
               double* events, int room, double* most) {
  Slide s = {*(const Problem*)numbers, 0, 0};
  const Problem* p = &s.p;
  Flight f = {ALL,
              4,
              slide,
              slide_margin,
              &s,
              1.0,
              {1e-2, 1e-2, 1.0, 1.0, 1.0, 1.0},
              p->tolerance,
              p->largest_step,
              1e-3,
              -1};
  double t = 0.0, y[ALL] = {0};
  int found = 0;
  double released = 0.0;
  y[X] = p->start;
  most[0] = 0.0;
  f.direction = 0.0;
  for (int k = 0; k < samples; ++k) {
    while (t < times[k]) {
      if (f.direction == 0.0) {
        /* Where does the body go from rest? */
        const double now = hold(p, t, y[X]), h = height(p, t, y);
        const double P = size(&s, 1.0, y[X], h), M = size(&s, -1.0, y[X], h);
        const double soon = hold(p, t + 1e-9, y[X]); /* decides where it is held by the limit */
        int event = now >= P && soon > P ? 1 : now <= -M && soon < -M ? 2 : -1;
        if (event < 0) {
          f.rates = rest, f.margin = rest_margin, f.events = 3, f.disarmed = -1;
          f.largest_step =
              p->compressed == 0.0 ? 0.05 / fmax(p->frequency, p->tow) : p->largest_step;
          f.step = f.largest_step;
          event = fly(&f, &t, y, times[k]);
          if (event < 0) continue;
        }
        f.direction = event == 1 ? 1.0 : -1.0;
        f.rates = slide, f.margin = slide_margin, f.events = 4, f.disarmed = -1;
        f.largest_step = p->largest_step, f.step = 1e-3;
        engaged(p, f.direction, y[X], &s.first, &s.last);
        if (found < room) {
          double* e = events + 3 * found;
          e[0] = 1.0, e[1] = t, e[2] = y[X];
        }
        ++found;
      }
      const int event = fly(&f, &t, y, times[k]);
      if (event == 0) {
        const double was = f.direction, h = height(p, t, y), now = hold(p, t, y[X]);
        y[V] = 0.0;
        f.direction = 0.0;
        const double P = size(&s, 1.0, y[X], h), M = size(&s, -1.0, y[X], h);
        const int turns = (was > 0.0 && now < -M) || (was < 0.0 && now > P);
        if (turns) {
          f.direction = -was;
          engaged(p, f.direction, y[X], &s.first, &s.last);
          f.disarmed = -1;
          f.step = fmin(f.step, 1e-3);
        }
        if (found < room) {
          double* e = events + 3 * found;
          e[0] = turns ? 2.0 : 0.0, e[1] = t, e[2] = y[X];
        }
        ++found;
      } else if (event == 1 || event == 2) {
        /* One may enter and another leave at the same place: move past both. The acceleration jumps
         * there, so that the velocity may have a corner. */
        most[0] = fmax(most[0], y[V]);
        while (slide_margin(&f, 1, t, y) <= 1e-12 * p->spacing) ++s.last;
        for (; slide_margin(&f, 2, t, y) <= 1e-12 * p->spacing; released += 1.0) ++s.first;
        f.disarmed = -1;
      } else if (event == 3) {
        most[0] = fmax(most[0], y[V]);
      }
    }
    const double h = height(p, t, y);
    double* row = rows + 7 * k;
    row[0] = y[X], row[1] = y[V], row[2] = h;
    row[3] = f.direction == 0.0 ? hold(p, t, y[X])
                                : f.direction * push(&s, f.direction, y[X], h, s.first, s.last);
    row[4] = y[WORK_IN], row[5] = y[FRICTION_WORK], row[6] = released;
  }
  return found;
}
