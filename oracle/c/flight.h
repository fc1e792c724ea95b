/* SPDX-License-Identifier: MIT
 *
 * Flights between events: the extrapolated midpoint rule of Gragg, Bulirsch and Stoer.
 *
 * A step h is made by the modified midpoint rule with 2, 4, ... 14 substeps and extrapolated in h^2
 * to order 14; the last two columns give its error. An event is located by repeating the step from
 * its beginning with other lengths, so that no interpolation enters. */
#include <string.h>
#include <tgmath.h>

/* The numbers it computes with; a program may define another type before it includes this. */
#ifndef REAL
#define REAL double
#endif

enum { COLUMNS = 7, STATES = 8 };

typedef struct Flight {
  int states, events;
  void (*rates)(const struct Flight*, REAL t, const REAL* y, REAL* dy);
  /* Event i happens where margin i falls through zero. Margin 0 is direction * y[1], the speed. */
  REAL (*margin)(const struct Flight*, int i, REAL t, const REAL* y);
  void* problem;
  REAL direction;
  REAL scale[STATES]; /* size of the states, for the tolerance */
  REAL tolerance, largest_step, step;
  int disarmed; /* the event that happened last and has not been positive since, or -1 */
} Flight;

/* One extrapolated step; the result is its error in units of the tolerance. */
static REAL extrapolate(const Flight* f, REAL t, const REAL* y, REAL h, REAL* out) {
  const int n = f->states;
  REAL table[COLUMNS][STATES], first[STATES], last[STATES] = {0};
  f->rates(f, t, y, first);
  for (int row = 0; row < COLUMNS; ++row) {
    const int pieces = 2 * (row + 1);
    const REAL s = h / pieces;
    REAL before[STATES], now[STATES], dy[STATES];
    memcpy(before, y, sizeof(REAL) * n);
    for (int i = 0; i < n; ++i) now[i] = y[i] + s * first[i];
    for (int k = 1; k < pieces; ++k) {
      f->rates(f, t + k * s, now, dy);
      for (int i = 0; i < n; ++i) {
        const REAL next = before[i] + 2.0 * s * dy[i];
        before[i] = now[i];
        now[i] = next;
      }
    }
    f->rates(f, t + h, now, dy);
    /* Aitken and Neville: table[c] holds the entry of column c in this row. */
    REAL left[STATES];
    for (int i = 0; i < n; ++i) left[i] = 0.5 * (now[i] + before[i] + s * dy[i]);
    for (int c = 0; c < row; ++c) {
      const REAL ratio = (REAL)pieces / (2.0 * (row - c));
      for (int i = 0; i < n; ++i) {
        const REAL right = left[i] + (left[i] - table[c][i]) / (ratio * ratio - 1.0);
        table[c][i] = left[i];
        left[i] = right;
      }
    }
    if (row == COLUMNS - 1) memcpy(last, table[row - 1], sizeof(REAL) * n);
    memcpy(table[row], left, sizeof(REAL) * n);
  }
  REAL worst = 0.0;
  for (int i = 0; i < n; ++i) {
    const REAL size = f->scale[i] + fmax(fabs(y[i]), fabs(table[COLUMNS - 1][i]));
    worst = fmax(worst, fabs(table[COLUMNS - 1][i] - last[i]) / (f->tolerance * size));
    out[i] = table[COLUMNS - 1][i];
  }
  return isfinite(worst) ? worst : 1e30;
}

/* The length at which margin i is zero, between from (positive) and to (not). */
static REAL located(const Flight* f, int i, REAL t, const REAL* y, REAL from, REAL to,
                      REAL* out) {
  REAL a = from, b = to, ga = 1.0, gb = -1.0;
  extrapolate(f, t, y, a, out);
  ga = f->margin(f, i, t + a, out);
  extrapolate(f, t, y, b, out);
  gb = f->margin(f, i, t + b, out);
  int side = 0;
  for (int k = 0; k < 100 && b - a > 1e-16 * (fabs(t) + b) && gb != 0.0; ++k) {
    REAL c = (k % 8 == 7) ? 0.5 * (a + b) : (ga * b - gb * a) / (ga - gb);
    if (!(c > a && c < b)) c = 0.5 * (a + b);
    extrapolate(f, t, y, c, out);
    const REAL g = f->margin(f, i, t + c, out);
    if (g > 0.0) {
      a = c, ga = g;
      if (side == 1) gb *= 0.5;
      side = 1;
    } else {
      b = c, gb = g;
      if (side == -1) ga *= 0.5;
      side = -1;
    }
    if (fabs(g) < 1e-18) return c;
  }
  extrapolate(f, t, y, b, out);
  return b;
}

/* The length of the lowest speed within a step whose acceleration changes from down to up. */
static REAL dip(const Flight* f, REAL t, const REAL* y, REAL h, REAL* out) {
  REAL a = 0.0, b = h, dy[STATES];
  for (int k = 0; k < 60 && b - a > 1e-12 * h; ++k) {
    const REAL c = 0.5 * (a + b);
    extrapolate(f, t, y, c, out);
    f->rates(f, t + c, out, dy);
    if (f->direction * dy[1] < 0.0) a = c;
    else b = c;
  }
  extrapolate(f, t, y, a, out);
  return a;
}

/* Flies to `end` or to the first event, and returns -1 or its number. */
static int fly(Flight* f, REAL* t, REAL* y, REAL end) {
  REAL out[STATES], trial[STATES], here[STATES], there[STATES];
  while (*t < end) {
    REAL h = fmin(fmin(f->step, f->largest_step), end - *t);
    const int ends = h == end - *t;
    const REAL error = extrapolate(f, *t, y, h, out);
    const REAL factor = 0.85 * pow(fmax(error, 1e-10), -1.0 / (2 * COLUMNS - 1));
    if (error > 1.0) {
      f->step = h * fmax(0.1, factor);
      continue;
    }
    /* A speed that starts at zero and is negative at the end: the step went past its rise. */
    const REAL speed = f->margin(f, 0, *t, y), later = f->margin(f, 0, *t + h, out);
    if (f->events > 0 && speed <= 0.0 && later < 0.0 && h > 1e-9) {
      f->step = 0.25 * h;
      continue;
    }
    int which = -1;
    REAL first = h;
    for (int i = 0; i < f->events; ++i) {
      const REAL before = i == f->disarmed ? 0.0 : f->margin(f, i, *t, y);
      REAL to = h;
      int crossed = before > 0.0 && f->margin(f, i, *t + h, out) <= 0.0;
      if (i == 0 && !crossed && before > 0.0) {
        f->rates(f, *t, y, here);
        f->rates(f, *t + h, out, there);
        if (f->direction * here[1] < 0.0 && f->direction * there[1] > 0.0) {
          to = dip(f, *t, y, h, trial);
          crossed = f->margin(f, 0, *t + to, trial) <= 0.0;
        }
      }
      if (i == 0 && before <= 0.0 && f->margin(f, 0, *t + h, out) < 0.0) return 0;
      if (!crossed) continue;
      const REAL at = located(f, i, *t, y, 0.0, to, trial);
      if (at <= first) first = at, which = i;
    }
    if (which >= 0) {
      extrapolate(f, *t, y, first, out);
      /* A margin that was lost on the way and is back at the end of the step comes first. */
      for (int i = 0; i < f->events; ++i) {
        if (i == which || i == f->disarmed || !(f->margin(f, i, *t, y) > 0.0)) continue;
        if (f->margin(f, i, *t + first, out) < -1e-13) {
          first = located(f, i, *t, y, 0.0, first, trial);
          extrapolate(f, *t, y, first, out);
          which = i, i = -1;
        }
      }
      *t += first;
      memcpy(y, out, sizeof(REAL) * f->states);
      f->disarmed = which;
      return which;
    }
    *t = ends ? end : *t + h;
    memcpy(y, out, sizeof(REAL) * f->states);
    if (f->disarmed >= 0 && f->margin(f, f->disarmed, *t, y) > 0.0) f->disarmed = -1;
    if (!ends || factor < 1.0) f->step = h * fmin(4.0, factor);
  }
  return -1;
}
