// SPDX-License-Identifier: MIT
// Stick-slip by CVODE: BDF, dense matrix, analytic Jacobian, an absolute tolerance for each state.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "stick_slip.hpp"

namespace bench {
namespace {

int rates(realtype t, N_Vector y, N_Vector dydt, void* user) {
  realtype* out = N_VGetArrayPointer_Serial(dydt);
  static_cast<const Equations*>(user)->rates(t, N_VGetArrayPointer_Serial(y), out);
  return 0;
}

int jacobian(realtype, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector,
             N_Vector) {
  realtype** column = SUNDenseMatrix_Cols(j);
  static_cast<const Equations*>(user)->jacobian(
      N_VGetArrayPointer_Serial(y), [&](int i, int k, double value) { column[k][i] = value; });
  return 0;
}

}  // namespace

bool solve_cvode(const Problem& p, double tolerance, Curves& out) {
  Equations equations{p};
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(3, context), absolute = N_VNew_Serial(3, context);
  N_VConst(0.0, y);
  const auto scale = equations.scales();
  for (int i = 0; i < 3; ++i) NV_Ith_S(absolute, i) = tolerance * scale[i];
  void* memory = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);

  bool good = CVodeInit(memory, rates, 0.0, y) == CV_SUCCESS;
  good = good && CVodeSVtolerances(memory, tolerance, absolute) == CV_SUCCESS;
  good = good && CVodeSetUserData(memory, &equations) == CV_SUCCESS;
  good = good && CVodeSetMaxNumSteps(memory, 50'000'000) == CV_SUCCESS;
  good = good && CVodeSetErrFile(memory, nullptr) == CV_SUCCESS;
  good = good && CVodeSetLinearSolver(memory, solver, matrix) == CV_SUCCESS;
  good = good && CVodeSetJacFn(memory, jacobian) == CV_SUCCESS;
  for (int i = 0; good && i < points; ++i) {
    realtype reached = 0.0;
    if (i > 0) good = CVode(memory, output_time(p, i), y, &reached, CV_NORMAL) >= 0;
    const double* state = N_VGetArrayPointer_Serial(y);
    out.x[i] = state[0];
    out.force[i] = equations.friction(state[1], state[2]).force;
  }

  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  CVodeFree(&memory);
  N_VDestroy(absolute);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return good;
}

}  // namespace bench
