// SPDX-License-Identifier: MIT
// Friction of a simulator that owns the mechanics, for one or many copies of it.
#include "bristle/solve/host.hpp"

#include <algorithm>
#include <array>

#include "law_object.hpp"
#include "operands.hpp"

namespace bristle::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

class Host {
 public:
  Host(const std::vector<py::object>& laws, std::size_t environments) : contacts_(laws.size()) {
    if (laws.empty() || environments == 0)
      throw InvalidInput("laws", "a HostFriction needs at least one law and one environment");
    HostFriction one(contacts_);
    for (std::size_t i = 0; i < contacts_; ++i) {
      if (!py::isinstance<LawObject>(laws[i]))
        throw py::type_error("laws[" + std::to_string(i) + "] must be one of bristle.laws, not " +
                             std::string(py::repr(laws[i])));
      one.contact(i).law = laws[i].cast<const LawObject&>().law;
      require_single(*one.contact(i).law, "HostFriction");
    }
    hosts_.assign(environments, one);
  }

  // Whether every environment converged. `out` takes velocities and forces, where it is given.
  py::array step(const py::object& free_velocity, const py::object& delassus, double h,
                 const py::object& out) {
    const auto to = outputs_in(out);
    const Numbers v = apart_from(numbers(free_velocity, "v_free", 1), out),
                  w = apart_from(numbers(delassus, "delassus", 2), out);
    within(positive, h, "h", "s");
    // One matrix may serve all environments.
    const std::size_t stride =
        w.size() == py::ssize_t(contacts_ * contacts_) ? 0 : contacts_ * contacts_;
    py::array_t<bool> converged({py::ssize_t(hosts_.size())});
    bool* const done = converged.mutable_data();
    const double *const from = v.data(), *const matrix = w.data();
    const Busy busy(*this);
    const py::gil_scoped_release unlocked;
    for (std::size_t e = 0; e < hosts_.size(); ++e) {
      if (e % 4096 == 4095) hear_signals();
      done[e] = hosts_[e]
                    .step({from + e * contacts_, contacts_},
                          {matrix + e * stride, contacts_ * contacts_}, h)
                    .converged;
      for (std::size_t i = 0; i < contacts_; ++i) {
        to[0].put(e * contacts_ + i, hosts_[e].velocities()[i]);
        to[1].put(e * contacts_ + i, hosts_[e].forces()[i]);
      }
    }
    return converged;
  }
  void commit() {
    require_free();
    for (auto& host : hosts_) host.commit();
  }

  // One number per contact of each environment, read or set.
  template <class Read>
  py::array read(const Read& of) const {
    require_free();
    Numbers all(shape());
    double* to = all.mutable_data();
    for (const auto& host : hosts_)
      for (std::size_t i = 0; i < contacts_; ++i) *to++ = of(host, i);
    return all;
  }
  void set(double HostContact::*member, const py::object& given, const char* name) {
    require_free();
    const Numbers all = numbers(given, name, 1, true);
    const bool single = all.ndim() == 0, is_load = member == &HostContact::load;
    const auto each = [&](const auto& take) {
      const double* from = all.data();
      for (auto& host : hosts_)
        for (std::size_t i = 0; i < contacts_; ++i) take(host.contact(i), single ? *from : *from++);
    };
    // All are looked at before the first is taken.
    each([&](const HostContact& contact, double x) {
      if (is_load && x < 0.0 && !contact.law->signed_load())
        throw InvalidInput(name, "loads holds " + words(x) + " N, the load of " +
                                     std::string(contact.law->name()) + " must be at least 0 N");
    });
    each([&](HostContact& contact, double x) { contact.*member = x; });
  }

 private:
  // An array of float64 or float32 that answers are written to; both null where none is given.
  struct Output {
    double* wide = nullptr;
    float* narrow = nullptr;
    void put(std::size_t i, double x) const {
      if (wide) wide[i] = x;
      if (narrow) narrow[i] = float(x);
    }
  };
  std::array<Output, 2> outputs_in(const py::object& out) const {
    std::array<Output, 2> all;
    if (out.is_none()) return all;
    if (!py::isinstance<py::tuple>(out) || py::len(out) != 2)
      throw py::type_error("out must be a tuple of two arrays, for velocities and forces");
    for (std::size_t k = 0; k < 2; ++k) {
      const py::object one = out[py::int_(k)];
      const bool wide = py::isinstance<py::array_t<double, py::array::c_style>>(one);
      if (!wide && !py::isinstance<py::array_t<float, py::array::c_style>>(one))
        throw py::type_error("out[" + std::to_string(k) +
                             "] must be a contiguous array of float64 or float32");
      auto array = py::reinterpret_borrow<py::array>(one);
      const std::vector<py::ssize_t> is(array.shape(), array.shape() + array.ndim());
      if (is != shape() || !array.writeable())
        throw InvalidInput("out", "out[" + std::to_string(k) + "] has the shape " +
                                      std::string(py::str(py::cast(is))) + ", it must have " +
                                      std::string(py::str(py::cast(shape()))) +
                                      " and be writeable");
      if (wide) all[k].wide = static_cast<double*>(array.mutable_data());
      else all[k].narrow = static_cast<float*>(array.mutable_data());
    }
    if (share_memory(py::array(out[py::int_(0)]), py::array(out[py::int_(1)])))
      throw InvalidInput("out",
                         "out[0] and out[1] share memory: each result needs an array of its "
                         "own");
    return all;
  }

  // The numbers, in memory that no output is written to before they are read. An environment is
  // read as a whole before it is written, so an output may take the place of v_free.
  static Numbers apart_from(const Numbers& all, const py::object& out) {
    if (out.is_none()) return all;
    for (const py::handle each : out) {
      const auto one = py::reinterpret_borrow<py::array>(each);
      const bool in_place = one.data() == all.data() && one.nbytes() == all.nbytes();
      if (!in_place && share_memory(all, one)) return Numbers(py::array(all.attr("copy")()));
    }
    return all;
  }

  // Ctrl-C ends a step of many environments; what they answered until then stays.
  static void hear_signals() {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

  // Two threads must not use one host at once.
  struct Busy {
    explicit Busy(Host& host) : host_(host) {
      host.require_free();
      host.busy_ = true;
    }
    ~Busy() { host_.busy_ = false; }
    Host& host_;
  };
  void require_free() const {
    if (busy_) throw std::runtime_error("this HostFriction is being stepped by another thread");
  }

  std::vector<py::ssize_t> shape(int axes = 1) const {
    std::vector<py::ssize_t> all;
    if (hosts_.size() > 1) all.push_back(py::ssize_t(hosts_.size()));
    all.insert(all.end(), std::size_t(axes), py::ssize_t(contacts_));
    return all;
  }
  // With `or_single` one number may stand for all.
  Numbers numbers(const py::object& given, const char* name, int axes,
                  bool or_single = false) const {
    const py::array any = number_array(given, name);
    const std::vector<py::ssize_t> is(any.shape(), any.shape() + any.ndim()), wanted = shape(axes);
    const bool shared = axes == 2 && is == std::vector<py::ssize_t>(2, py::ssize_t(contacts_));
    if (is != wanted && !shared && !(or_single && is.empty()))
      throw InvalidInput(name, std::string(name) + " has the shape " +
                                   std::string(py::str(py::cast(is))) + ", it must have " +
                                   std::string(py::str(py::cast(wanted))));
    const Numbers all(any);
    const double* const end = all.data() + all.size();
    if (const auto* odd = std::find_if(all.data(), end, [](double x) { return !(x - x == 0.0); });
        odd != end)
      throw InvalidInput(name, std::string(name) + " holds " + words(*odd) +
                                   ", all of its numbers must be finite");
    return all;
  }

  std::size_t contacts_;
  std::vector<HostFriction> hosts_;
  bool busy_ = false;
};

}  // namespace

void bind_host(py::module_& module) {
  using py::arg;
  py::class_<Host> host(
      module, "HostFriction",
      "All contacts of a simulator that owns its bodies, solved together in one implicit step.\n\n"
      "    host = bristle.HostFriction([bristle.laws.LuGre()] * 7, environments=4096)\n"
      "    host.step(v_free, delassus, h)      # host.velocities, host.forces\n"
      "    host.commit()\n\n"
      "laws: one per contact; environments: copies of the contacts, stepped in one call. Contacts\n"
      "stick at any step. step() may be repeated with other velocities before commit() takes it.");
  host.def(py::init<const std::vector<py::object>&, std::size_t>(), arg("laws"),
           arg("environments") = 1)
      .def(
          "step", &Host::step, arg("v_free"), arg("delassus"), arg("h"), py::kw_only(),
          arg("out") = py::none(),
          "Solves one implicit step of all contacts and returns which environments converged.\n"
          "v_free: relative velocities at the end of the step without friction [m/s]; delassus:\n"
          "J M^-1 J', one for all environments or one each; h: step [s]; out: a tuple of two\n"
          "arrays, float64 or float32, that velocities and forces are written to. Changes nothing\n"
          "but the answer: velocities, forces, states.")
      .def("commit", &Host::commit, "Takes the step that was answered last.");
  const auto answer = [&](const char* name, const char* text, auto read) {
    host.def_property_readonly(
        name, [read](const Host& h) { return h.read(read); }, text);
  };
  using H = HostFriction;
  answer("velocities", "At the end of the step, with friction [m/s].",
         [](const H& h, std::size_t i) { return h.velocities()[i]; });
  answer("forces", "Friction; the host applies -J' F [N].",
         [](const H& h, std::size_t i) { return h.forces()[i]; });
  answer("sticks", "1 where a contact of a set-valued law sticks.",
         [](const H& h, std::size_t i) { return double(h.sticks(i)); });
  answer("tangents", "Derivative of the force over the step by the velocity, infinite in stick.",
         [](const H& h, std::size_t i) { return h.tangent(i); });
  const auto both = [&](const char* name, const char* text, double HostContact::*member) {
    host.def_property(
        name,
        [member](const Host& h) {
          return h.read([member](const H& one, std::size_t i) { return one.contact(i).*member; });
        },
        [member, name](Host& h, const py::object& given) { h.set(member, given, name); }, text);
  };
  both("states", "States of the laws; moved on by commit().", &HostContact::state);
  both("positions", "Relative positions [m]; moved on by commit().", &HostContact::position);
  both("loads", "Normal forces [N].", &HostContact::load);
}

}  // namespace bristle::python
