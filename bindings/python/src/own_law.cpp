// SPDX-License-Identifier: MIT
#include "own_law.hpp"

#include <pybind11/operators.h>

#include <functional>

#include "given.hpp"
#include "law_object.hpp"
#include "machine_object.hpp"

namespace bristle::python {
namespace {

template <class S>
void bind_motion(py::module_& module, const char* name) {
  using M = OwnMotion<S>;
  py::class_<M>(module, name)
      .def_readonly("position", &M::position)
      .def_readonly("velocity", &M::velocity)
      .def_readonly("load", &M::load)
      .def_readonly("time", &M::time)
      .def_readonly("speed", &M::speed)
      .def_readonly("direction", &M::direction);
}

// Of the values, with another such number or with one of Python: a branch is chosen by them.
template <class D, class Compare>
void bind_comparison(py::class_<D>& dual, const char* name, Compare compare) {
  dual.def(
      name, [=](const D& x, const D& y) { return compare(value_of(x), value_of(y)); },
      py::is_operator());
  dual.def(
      name, [=](const D& x, double y) { return compare(value_of(x), y); }, py::is_operator());
}

// A number with its derivatives: what equations in Python are called with. NumPy's functions find
// the methods of their names.
template <class D>
void bind_dual(py::module_& module, const char* name) {
  py::class_<D> dual(module, name);
  dual.def(py::init<double>())
      .def_readonly("value", &D::value)
      .def_readonly("slope", &D::slope)
      .def(py::self + py::self)
      .def(py::self - py::self)
      .def(py::self * py::self)
      .def(py::self / py::self)
      .def(py::self + double())
      .def(py::self - double())
      .def(py::self * double())
      .def(py::self / double())
      .def(double() + py::self)
      .def(double() - py::self)
      .def(double() * py::self)
      .def(double() / py::self)
      .def(-py::self)
      .def("__abs__", [](const D& x) { return abs(x); })
      .def("__pos__", [](const D& x) { return x; })
      .def(
          "__pow__", [](const D& x, double p) { return pow(x, p); }, py::is_operator())
      .def(
          "__pow__", [](const D& x, const D& p) { return exp(log(x) * p); }, py::is_operator())
      .def(
          "__rpow__", [](const D& p, double x) { return exp(std::log(x) * p); }, py::is_operator())
      .def("__bool__", [](const D& x) { return value_of(x) != 0.0; })
      .def("__repr__", [](const D& x) { return "Dual(" + words(value_of(x)) + ")"; })
      .def("exp", [](const D& x) { return exp(x); })
      .def("log", [](const D& x) { return log(x); })
      .def("sqrt", [](const D& x) { return sqrt(x); })
      .def("sin", [](const D& x) { return sin(x); })
      .def("cos", [](const D& x) { return cos(x); })
      .def("tanh", [](const D& x) { return tanh(x); })
      .def("arctan", [](const D& x) { return atan(x); });
  bind_comparison(dual, "__lt__", std::less<>());
  bind_comparison(dual, "__gt__", std::greater<>());
  bind_comparison(dual, "__le__", std::less_equal<>());
  bind_comparison(dual, "__ge__", std::greater_equal<>());
  bind_comparison(dual, "__eq__", std::equal_to<>());
  bind_comparison(dual, "__ne__", std::not_equal_to<>());
  py::implicitly_convertible<double, D>();
}

// The energies of a linkage of N joints, kinetic(q, v) and potential(q), in Python.
template <int N>
struct OwnLinkage {
  using Number = double;
  static constexpr std::string_view name = "own_linkage";
  static constexpr std::string_view summary = "linkage written in Python";
  static constexpr int joints = N;
  static constexpr std::array<Field<OwnLinkage>, 0> fields() { return {}; }

  std::shared_ptr<const OwnObject> definition{};

  template <class S>
  S kinetic(const std::array<S, std::size_t(N)>& q, const std::array<S, std::size_t(N)>& v) const {
    return definition->call<S>("kinetic", q, v);
  }
  template <class S>
  S potential(const std::array<S, std::size_t(N)>& q) const {
    return definition->call<S>("potential", q);
  }
};

template <int N>
CouplingObject own_linkage_of(const std::shared_ptr<const OwnObject>& kept) {
  try {
    CouplingObject made{couple(OwnLinkage<N>{kept})};
    if (PyErr_Occurred()) throw py::error_already_set();
    return made;
  } catch (const InvalidInput&) {
    if (PyErr_Occurred()) throw py::error_already_set();
    throw;
  }
}

CouplingObject own_linkage(const py::object& definition) {
  const auto kept = std::make_shared<const OwnObject>(definition);
  kept->require("kinetic", "(q, v)");
  kept->require("potential", "(q)");
  kept->require("joints", ", the number of its joints");
  const int joints = cast_as<int>(kept->object.attr("joints"), "joints");
  if (joints == 2) return own_linkage_of<2>(kept);
  if (joints == 3) return own_linkage_of<3>(kept);
  throw InvalidInput("joints", "own_linkage: joints = " + words(double(joints)) +
                                   " is not allowed, it must be 2 or 3");
}

// A coupling with force(s, w), and stored(s) and loss(s, w) of it, in Python.
using StretchDual = Dual<double, 2>;
struct OwnCoupling {
  using Number = double;
  static constexpr std::string_view name = "own_coupling";
  static constexpr std::string_view summary = "coupling written in Python";
  static constexpr std::array<Field<OwnCoupling>, 0> fields() { return {}; }

  std::shared_ptr<const OwnObject> definition{};

  template <class S>
  S force(const S& s, const S& w, int) const {
    return definition->call<S>("force", s, w);
  }
  template <class S>
  S stored(const S& s, int) const {
    return definition->call<S>("stored", s);
  }
  template <class S>
  S loss(const S& s, const S& w, int) const {
    return definition->call<S>("loss", s, w);
  }
};

CouplingObject own_coupling(const py::object& definition) {
  const auto kept = std::make_shared<const OwnObject>(definition);
  kept->require("force", "(s, w)");
  kept->require("stored", "(s)");
  kept->require("loss", "(s, w)");
  return {couple(OwnCoupling{kept})};
}

LawObject own_law(const py::object& definition) {
  auto law = erase(OwnLaw{std::make_shared<const LawDefinition>(definition)});
  if (PyErr_Occurred()) throw py::error_already_set();
  return LawObject{std::move(law)};
}

}  // namespace

LawDefinition::LawDefinition(py::object given) : OwnObject(std::move(given)) {
  for (const char* method : {"rate", "force"}) require(method, "(z, motion)");
  has_stored = has("stored");
  has_steady = has("steady");
  if (has_stored != has("elastic_force"))
    throw py::type_error(std::string(py::repr(object)) +
                         " needs both stored(z, motion) and elastic_force(z, motion), its "
                         "derivative with respect to z, or none of them");
  if (!has("state_scale"))
    throw py::type_error(std::string(py::repr(object)) +
                         " needs a number state_scale, the size of z at break-away");
  state_scale = cast_as<double>(object.attr("state_scale"), "state_scale");
  if (!positive.contain(state_scale))
    throw InvalidInput("state_scale", "own_law: state_scale = " + words(state_scale) +
                                          " is not allowed, it must be " +
                                          words(positive, "", state_scale));
}

void bind_own_law(py::module_& module) {
  bind_dual<LocalDual>(module, "Dual");
  bind_dual<StretchDual>(module, "StretchDual");
  bind_dual<Dual<StretchDual, 2>>(module, "SecondDual2");
  bind_dual<Dual<double, 3>>(module, "FirstDual3");
  bind_dual<Dual<Dual<double, 3>, 3>>(module, "SecondDual3");
  bind_motion<double>(module, "Motion");
  bind_motion<LocalDual>(module, "DualMotion");
  module.def("own_law", own_law);
  module.def("own_coupling", own_coupling);
  module.def("own_linkage", own_linkage);
}

}  // namespace bristle::python
