// SPDX-License-Identifier: MIT
// law.advance(z, v, dt) and its kin, on numbers and on arrays of joints. The lock of the
// interpreter is free while arrays are computed. float32 is computed in float64 and rounded.
#include "batch.hpp"

#include <algorithm>
#include <cstdlib>

#include "operands.hpp"
#include "scalar_call.hpp"

namespace bristle::python {
namespace {

// The kernels in use, chosen while the module is imported.
struct Chosen {
  BatchMaker maker = make_batch;
  std::string kind = "baseline";
};
Chosen chosen;

BatchMaker maker_of(const char* module) {
  const py::object maker = py::module_::import(module).attr("maker");
  return *static_cast<const BatchMaker*>(py::capsule(maker).get_pointer());
}

// Those for the widest lanes that the processor has; BRISTLE_KERNELS asks for narrower ones, to
// compare them.
void choose() {
#if defined(__x86_64__) && defined(BRISTLE_WIDE_MODULES)
  const char* const asked = std::getenv("BRISTLE_KERNELS");
  const std::string most = asked ? asked : "avx512";
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (v4 && most == "avx512") chosen = {maker_of("bristle._wide_v4"), "avx512"};
  else if (v3 && most != "baseline") chosen = {maker_of("bristle._wide_v3"), "avx2"};
#endif
}

const BatchLaw& kernels_of(const LawObject& law, BatchTask task) {
  const AnyLaw& any = *law.law;
  if (task == BatchTask::advance && any.set_valued())
    throw InvalidInput(
        "law", std::string(any.name()) + " has no state to advance; its force is force(z, v)");
  if (!law.batch) law.batch = chosen.maker(std::string(any.name()), any.values());
  if (!law.batch)
    throw InvalidInput("law", std::string(any.name()) +
                                  " has several states or remembers more than its state, so it "
                                  "has no step of one number; simulate() runs it");
  return *law.batch;
}

py::object run_one(const BatchLaw& law, BatchTask task, const Operands& operands) {
  std::array<double, most_outputs> y{};
  BatchCall call;
  for (std::size_t k = 0; k < 5; ++k) call.in[k] = &operands.each[k].number;
  for (std::size_t k = 0; k < y.size(); ++k) call.out[k] = &y[k];
  law.run_one(task, call);
  const auto count = std::size_t(outputs(task));
  if (count == 1) return py::float_(y[0]);
  py::tuple all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = py::float_(y[k]);
  return all;
}

// float32: a block of joints at a time is widened, computed and rounded.
void run_narrow(const BatchLaw& law, BatchTask task, const Operands& operands,
                const std::vector<py::array>& results, const std::array<float*, 6>& to) {
  constexpr std::size_t block = 512;
  alignas(64) std::array<std::array<double, block>, 5> in;
  alignas(64) std::array<std::array<double, block>, most_outputs> out;
  std::array<const float*, 5> from{};
  for (std::size_t k = 0; k < 5; ++k)
    if (operands.each[k].array) from[k] = static_cast<const float*>(operands.each[k].array->data());
  for (std::size_t i = 0; i < operands.size(); i += block) {
    BatchCall call;
    call.size = std::min(block, operands.size() - i);
    for (std::size_t k = 0; k < 5; ++k) {
      call.single[k] = !from[k];
      call.in[k] = from[k] ? in[k].data() : &operands.each[k].number;
      if (from[k]) std::copy(from[k] + i, from[k] + i + call.size, in[k].begin());
    }
    for (std::size_t k = 0; k < results.size(); ++k) call.out[k] = out[k].data();
    law.run(task, call);
    for (std::size_t k = 0; k < results.size(); ++k)
      std::transform(out[k].begin(), out[k].begin() + std::ptrdiff_t(call.size), to[k] + i,
                     [](double x) { return float(x); });
  }
}

py::object run(const LawObject& object, BatchTask task, const std::array<py::handle, 5>& given,
               const py::object& out) {
  const BatchLaw& law = kernels_of(object, task);
  Operands operands;
  read_operands(given, object.law->signed_load(), operands);
  const int count = outputs(task);

  if (!operands.like) {
    if (!out.is_none()) throw py::type_error("out has no meaning for single numbers");
    return run_one(law, task, operands);
  }

  std::vector<py::array> results;
  if (count > 1 && !out.is_none() &&
      (!py::isinstance<py::tuple>(out) || py::len(out) != std::size_t(count)))
    throw py::type_error("out must be a tuple of " + std::to_string(count) + " arrays");
  for (int k = 0; k < count; ++k)
    results.push_back(output_array(
        count == 1 || out.is_none() ? py::object(out) : py::object(out[py::int_(k)]), operands));
  if (!out.is_none()) keep_apart(operands, results);

  BatchCall call;
  call.size = operands.size();
  std::array<float*, most_outputs> narrow{};
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (operands.narrow) narrow[k] = static_cast<float*>(results[k].mutable_data());
    else call.out[k] = static_cast<double*>(results[k].mutable_data());
  }
  // An array of float32 beside one of float64 is widened first.
  std::array<py::array, 5> wide;
  for (std::size_t k = 0; k < 5 && !operands.narrow; ++k) {
    const Operand& one = operands.each[k];
    call.single[k] = !one.array;
    if (one.array)
      wide[k] = py::array_t<double, py::array::c_style | py::array::forcecast>(*one.array);
    call.in[k] = one.array ? static_cast<const double*>(wide[k].data()) : &one.number;
  }
  {
    const py::gil_scoped_release unlocked;
    if (operands.narrow) run_narrow(law, task, operands, results, narrow);
    else law.run(task, call);
  }
  if (count == 1) return results[0];
  py::tuple all(results.size());
  for (std::size_t k = 0; k < results.size(); ++k) all[k] = results[k];
  return all;
}

}  // namespace

void bind_batch(py::class_<LawObject>& law) {
  using py::arg;
  const py::object zero = py::float_(0.0), one = py::float_(1.0);
  const auto timed = [&](const char* name, BatchTask task) {
    law.def(
        name,
        [task](const LawObject& o, const py::object& z, const py::object& v, const py::object& dt,
               const py::object& position, const py::object& load, const py::object& out) {
          return run(o, task, {z, v, dt, position, load}, out);
        },
        arg("z"), arg("v"), arg("dt"), py::kw_only(), arg("position") = zero, arg("load") = one,
        arg("out") = py::none());
  };
  const auto instant = [&](const char* name, BatchTask task) {
    law.def(
        name,
        [task, one](const LawObject& o, const py::object& z, const py::object& v,
                    const py::object& position, const py::object& load, const py::object& out) {
          return run(o, task, {z, v, one, position, load}, out);
        },
        arg("z"), arg("v"), py::kw_only(), arg("position") = zero, arg("load") = one,
        arg("out") = py::none());
  };
  timed("_advance", BatchTask::advance);
  timed("_step", BatchTask::step);
  timed("_slopes", BatchTask::slopes);
  instant("_force", BatchTask::force);
  instant("_force_slopes", BatchTask::force_slopes);
  instant("_rate", BatchTask::rate);
  bind_scalar_calls(law);
  choose();
}

std::string batch_lanes() { return chosen.kind; }

}  // namespace bristle::python
