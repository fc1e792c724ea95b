/* SPDX-License-Identifier: MIT
 *
 * A chain of blocks or rotors, each on the ground with friction of its own:
 *
 *   m_i x_i'' = k_i (x_{i-1} - x_i) - k_{i+1} (x_i - x_{i+1}) + p_i (V t - x_i) - c_i x_i'
 *               + u_i - F_i
 *   |F_i| <= s_i while x_i' = 0, else F_i = sign(x_i') (f_i + (s_i - f_i) exp(-|x_i' / r_i|^e))
 *
 * u is a torque on the first of them alone: a PI controller of its speed that samples and holds.
 * Classical Runge-Kutta steps of one size. A step in which a block turns round or breaks away is
 * repeated with the part of it at whose end the first of them does so, found by bisection; then that
 * block, which alone touches the ground there, sticks, goes on or breaks away. */
#include <math.h>
#include <string.h>

enum { MOST = 128 };

typedef struct {
  int n;
  const double *mass, *spring, *drag, *damping, *high, *low, *fall;
  double speed, push;
  int exponent; /* 1 or 2 */
  int mode[MOST];
} Chain;

static double pull(const Chain* c, int i, double t, const double* x, const double* v) {
  double f = c->drag[i] * (c->speed * t - x[i]) - c->damping[i] * v[i];
  if (i > 0) f += c->spring[i] * (x[i - 1] - x[i]);
  if (i + 1 < c->n) f -= c->spring[i + 1] * (x[i] - x[i + 1]);
  return i == 0 ? f + c->push : f;
}
static void rates(const Chain* c, double t, const double* x, const double* v, double* a) {
  for (int i = 0; i < c->n; ++i) {
    a[i] = 0.0;
    const int rubs = c->high[i] > 0.0;
    if (rubs && c->mode[i] == 0) continue;
    const double u = rubs ? c->mode[i] * v[i] / c->fall[i] : 0.0;
    const double part = exp(c->exponent == 1 ? -u : -u * u);
    const double friction = rubs ? c->low[i] + (c->high[i] - c->low[i]) * part : 0.0;
    a[i] = (pull(c, i, t, x, v) - c->mode[i] * friction) / c->mass[i];
  }
}
static void step(const Chain* c, double t, double h, const double* x, const double* v, double* x1,
                 double* v1) {
  double a[4][MOST], y[MOST], w[4][MOST];
  const double part[4] = {0.0, 0.5, 0.5, 1.0};
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < c->n; ++i) {
      y[i] = s ? x[i] + part[s] * h * w[s - 1][i] : x[i];
      w[s][i] = s ? v[i] + part[s] * h * a[s - 1][i] : v[i];
    }
    rates(c, t + part[s] * h, y, w[s], a[s]);
  }
  for (int i = 0; i < c->n; ++i) {
    x1[i] = x[i] + h / 6.0 * (w[0][i] + 2.0 * w[1][i] + 2.0 * w[2][i] + w[3][i]);
    v1[i] = v[i] + h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
  }
}
/* Negative where block i has left its mode. */
static double margin(const Chain* c, int i, double t, const double* x, const double* v) {
  if (!(c->high[i] > 0.0)) return 1.0;
  if (c->mode[i] != 0) return c->mode[i] * v[i];
  return c->high[i] - fabs(pull(c, i, t, x, v));
}
static int first_left(const Chain* c, double t, const double* x, const double* v) {
  for (int i = 0; i < c->n; ++i)
    if (margin(c, i, t, x, v) < 0.0) return i;
  return -1;
}
static void settle(Chain* c, int i, double t, const double* x, double* v) {
  v[i] = 0.0;
  const double f = pull(c, i, t, x, v);
  c->mode[i] = fabs(f) <= c->high[i] ? 0 : f > 0.0 ? 1 : -1;
}

/* lists: mass, spring, drag, damping, high, low, fall, then x and v at the start, n numbers each.
 * numbers: speed of the plate, step, time from sample to sample of the controller (0: none), its
 * reference, gain, gain of the integral, and the exponent e. Rows of x and v at the times; events
 * as time, block and mode after. Returns the number of events. */
int blocks(int n, const double* lists, const double* numbers, const double* times, int samples,
           double* rows, double* events, int room) {
  Chain c = {n, lists, lists + n, lists + 2 * n, lists + 3 * n, lists + 4 * n, lists + 5 * n,
             lists + 6 * n, numbers[0], 0.0, (int)numbers[6], {0}};
  double x[MOST], v[MOST], x1[MOST], v1[MOST], t = 0.0, integral = 0.0;
  memcpy(x, lists + 7 * n, sizeof(double) * (size_t)n);
  memcpy(v, lists + 8 * n, sizeof(double) * (size_t)n);
  const double whole = numbers[1], tick = numbers[2];
  int found = 0, started = 0;
  long ticks = 0;
  for (int k = 0; k < samples; ++k) {
    while (t < times[k]) {
      double end = times[k];
      if (tick > 0.0) {
        if (t >= tick * (double)ticks * (1.0 - 1e-15)) {
          const double e = numbers[3] - v[0];
          integral += tick * e;
          c.push = numbers[4] * e + numbers[5] * integral;
          ++ticks;
        }
        end = fmin(end, tick * (double)ticks);
      }
      for (int i = 0; i < n && !started; ++i) {
        if (c.high[i] > 0.0 && v[i] == 0.0) settle(&c, i, t, x, v);
        else c.mode[i] = v[i] > 0.0 ? 1 : -1;
      }
      started = 1;
      double h = whole;
      if (t + h * (1.0 + 1e-9) >= end) h = end - t;
      step(&c, t, h, x, v, x1, v1);
      if (first_left(&c, t + h, x1, v1) < 0) {
        t = t + h >= end * (1.0 - 1e-15) ? end : t + h;
        memcpy(x, x1, sizeof x), memcpy(v, v1, sizeof v);
        continue;
      }
      double low = 0.0, high = h;
      for (int trial = 0; trial < 60; ++trial) {
        const double middle = 0.5 * (low + high);
        step(&c, t, middle, x, v, x1, v1);
        if (first_left(&c, t + middle, x1, v1) < 0) low = middle;
        else high = middle;
      }
      step(&c, t, high, x, v, x1, v1);
      memcpy(x, x1, sizeof x), memcpy(v, v1, sizeof v);
      t += high;
      const int i = first_left(&c, t, x, v);
      if (i < 0) continue;
      if (c.mode[i] != 0) settle(&c, i, t, x, v);
      else c.mode[i] = pull(&c, i, t, x, v) > 0.0 ? 1 : -1;
      if (found < room)
        events[3 * found] = t, events[3 * found + 1] = i, events[3 * found + 2] = c.mode[i], ++found;
    }
    memcpy(rows + 2 * n * k, x, sizeof(double) * (size_t)n);
    memcpy(rows + 2 * n * k + n, v, sizeof(double) * (size_t)n);
  }
  return found;
}
