// SPDX-License-Identifier: MIT
// The chain by CVODE: BDF with an analytic Jacobian, in a band or as a sparse matrix for KLU. The
// states of a block stand together (x, v, z), so that the band has two rows above and four below
// the diagonal. Each state has an absolute tolerance of its own size.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "chain.hpp"

namespace bench {
namespace {

struct Problem {
  Chain chain;
  std::vector<double> static_force;
};

// Friction of a block: force and rate of its bristle.
struct Friction {
  double rate, force;
};
Friction friction(const Problem& p, std::size_t i, double v, double z) {
  const Chain& c = p.chain;
  const double u = v / c.stribeck_velocity;
  const double g = c.coulomb + (p.static_force[i] - c.coulomb) * std::exp(-u * u);
  const double rate = v - std::abs(v) * c.stiffness * z / g;
  return {rate, c.stiffness * z + c.damping * rate + c.viscous * v};
}

int rates(realtype t, N_Vector state, N_Vector out, void* user) {
  const auto& p = *static_cast<const Problem*>(user);
  const Chain& c = p.chain;
  const double* y = N_VGetArrayPointer_Serial(state);
  double* rate = N_VGetArrayPointer_Serial(out);
  const auto n = std::size_t(c.blocks);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = y[3 * i], v = y[3 * i + 1];
    const Friction f = friction(p, i, v, y[3 * i + 2]);
    double push = c.drag_spring * (c.drag * t - x) - f.force;
    if (i > 0) push += c.between * (y[3 * i - 3] - x);
    if (i + 1 < n) push += c.between * (y[3 * i + 3] - x);
    rate[3 * i] = v, rate[3 * i + 1] = push / c.mass, rate[3 * i + 2] = f.rate;
  }
  return 0;
}

// Calls put(row, column, value) column by column, rows in order.
template <class Put>
void fill(const Problem& p, const double* y, const Put& put) {
  const Chain& c = p.chain;
  const int n = c.blocks;
  for (int i = 0; i < n; ++i) {
    const double v = y[3 * i + 1], z = y[3 * i + 2], u = v / c.stribeck_velocity;
    const double fall = (p.static_force[std::size_t(i)] - c.coulomb) * std::exp(-u * u);
    const double g = c.coulomb + fall, g_v = -2.0 * u / c.stribeck_velocity * fall;
    const double bend = c.stiffness * z / g, speed = std::abs(v);
    const double z_v = 1.0 - std::copysign(bend, v * bend) + speed * bend / g * g_v;
    const double z_z = -speed * c.stiffness / g;
    const double own = c.drag_spring + c.between * ((i > 0) + (i + 1 < n));
    if (i > 0) put(3 * i - 2, 3 * i, c.between / c.mass);
    put(3 * i + 1, 3 * i, -own / c.mass);
    if (i + 1 < n) put(3 * i + 4, 3 * i, c.between / c.mass);
    put(3 * i, 3 * i + 1, 1.0);
    put(3 * i + 1, 3 * i + 1, -(c.damping * z_v + c.viscous) / c.mass);
    put(3 * i + 2, 3 * i + 1, z_v);
    put(3 * i + 1, 3 * i + 2, -(c.stiffness + c.damping * z_z) / c.mass);
    put(3 * i + 2, 3 * i + 2, z_z);
  }
}

int band(realtype, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector, N_Vector) {
  fill(*static_cast<const Problem*>(user), N_VGetArrayPointer_Serial(y),
       [&](int row, int column, double value) { SM_ELEMENT_B(j, row, column) = value; });
  return 0;
}

int sparse(realtype, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector, N_Vector) {
  sunindextype* start = SUNSparseMatrix_IndexPointers(j);
  sunindextype* rows = SUNSparseMatrix_IndexValues(j);
  double* values = SUNSparseMatrix_Data(j);
  sunindextype at = 0, last = -1;
  fill(*static_cast<const Problem*>(user), N_VGetArrayPointer_Serial(y),
       [&](int row, int column, double value) {
         while (last < column) start[++last] = at;
         rows[at] = row, values[at++] = value;
       });
  start[++last] = at;
  return 0;
}

bool solve(const Chain& chain, double tolerance, ChainCurves& out, bool with_klu) {
  Problem problem{chain, {}};
  const auto n = std::size_t(chain.blocks), samples = std::size_t(chain.samples);
  for (int i = 0; i < chain.blocks; ++i) problem.static_force.push_back(chain.static_force(i));
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  const auto size = sunindextype(3 * n);
  N_Vector y = N_VNew_Serial(size, context), absolute = N_VNew_Serial(size, context);
  N_VConst(0.0, y);
  const double speed = 1.0 / std::sqrt(chain.mass * chain.drag_spring);
  for (std::size_t i = 0; i < n; ++i) {
    double* a = N_VGetArrayPointer_Serial(absolute) + 3 * i;
    a[0] = tolerance * chain.coulomb / chain.drag_spring;
    a[1] = tolerance * chain.coulomb * speed;
    a[2] = tolerance * chain.coulomb / chain.stiffness;
  }
  void* memory = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = with_klu ? SUNSparseMatrix(size, size, 8 * size / 3, CSC_MAT, context)
                              : SUNBandMatrix(size, 2, 4, context);
  SUNLinearSolver solver =
      with_klu ? SUNLinSol_KLU(y, matrix, context) : SUNLinSol_Band(y, matrix, context);
  bool good = CVodeInit(memory, rates, 0.0, y) == CV_SUCCESS;
  good = good && CVodeSVtolerances(memory, tolerance, absolute) == CV_SUCCESS;
  good = good && CVodeSetUserData(memory, &problem) == CV_SUCCESS;
  good = good && CVodeSetMaxNumSteps(memory, 50'000'000) == CV_SUCCESS;
  good = good && CVodeSetErrFile(memory, nullptr) == CV_SUCCESS;
  good = good && CVodeSetLinearSolver(memory, solver, matrix) == CV_SUCCESS;
  good = good && CVodeSetJacFn(memory, with_klu ? sparse : band) == CV_SUCCESS;
  out.position.resize(n * samples), out.force.resize(n * samples);
  for (std::size_t k = 0; good && k < samples; ++k) {
    realtype reached = 0.0;
    if (k > 0)
      good =
          CVode(memory, chain.end * double(k) / double(samples - 1), y, &reached, CV_NORMAL) >= 0;
    const double* state = N_VGetArrayPointer_Serial(y);
    for (std::size_t i = 0; i < n; ++i) {
      out.position[k * n + i] = state[3 * i];
      out.force[k * n + i] = friction(problem, i, state[3 * i + 1], state[3 * i + 2]).force;
    }
  }
  CVodeGetNumSteps(memory, &out.steps);
  long failed = 0;
  CVodeGetNumErrTestFails(memory, &failed);
  out.attempts = out.steps + failed;
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  CVodeFree(&memory);
  N_VDestroy(absolute);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return good;
}

}  // namespace

bool chain_cvode_band(const Chain& chain, double tolerance, ChainCurves& out) {
  return solve(chain, tolerance, out, false);
}
bool chain_cvode_klu(const Chain& chain, double tolerance, ChainCurves& out) {
  return solve(chain, tolerance, out, true);
}

}  // namespace bench
