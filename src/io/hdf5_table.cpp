// SPDX-License-Identifier: MIT
// HDF5 files, those of MATLAB 7.3 among them.
#include <algorithm>
#include <array>
#include <set>

#include "binary_tables.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/library_reading.hpp"
#include "bristle/solve/stop_look.hpp"
#include "hdf5_start.hpp"

namespace bristle::io {
namespace {

// A handle of the library, closed at its end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  bool there() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// A short text in an attribute, empty if there is none.
std::string attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle a(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(a), H5Tclose), space(H5Aget_space(a), H5Sclose);
  if (!type.there() || H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
    return "";
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(a, type, &text) < 0 || !text) return "";
    const std::string found(text, std::min<std::size_t>(std::char_traits<char>::length(text), 100));
    H5free_memory(text);
    return found;
  }
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > 100) return "";
  std::string text(size, '\0');
  if (H5Aread(a, type, text.data()) < 0) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

bool is_number(hid_t type) {
  const H5T_class_t c = H5Tget_class(type);
  return c == H5T_INTEGER || c == H5T_FLOAT;
}

// Numbers that lie in this file, not in others it speaks of.
bool stored_here(hid_t set) {
  const Handle list(H5Dget_create_plist(set), H5Pclose);
  return list.there() && H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
}

class Hdf5Rows : public ColumnRows {
 public:
  explicit Hdf5Rows(const std::string& path)
      : ColumnRows(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_.there()) throw InputError(path + ": cannot be read as an HDF5 file, it is damaged");
    look_into(file_, "", 0);
    choose(std::move(all_));
  }

 private:
  struct Set {
    std::string path;  // in the file
    std::size_t rows = 0, columns = 0;
    bool upright = true;
    std::vector<std::string> members;  // of a table
  };

  void look_into(hid_t group, const std::string& prefix, int depth) {
    if (depth > deepest)
      throw InputError(path_ + ": has groups within each other more than " +
                       std::to_string(deepest) + " deep");
    // A group may be linked to several times, also from within itself.
    H5O_info_t object{};
    H5G_info_t about{};
    if (H5Oget_info(group, &object) < 0 || !visited_.insert(object.addr).second ||
        H5Gget_info(group, &about) < 0)
      return;
    for (hsize_t i = 0; i < about.nlinks; ++i) {
      stop_if_asked();
      if (all_.size() > most_columns || ++seen_ > most_columns)
        throw InputError(path_ + ": holds more than " + std::to_string(most_columns) + " columns");
      std::array<char, 256> name{};
      const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                                name.data(), name.size(), H5P_DEFAULT);
      if (length <= 0 || std::size_t(length) >= name.size() || name[0] == '#') continue;
      H5L_info_t link{};
      if (H5Lget_info(group, name.data(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        continue;
      const Handle object(H5Oopen(group, name.data(), H5P_DEFAULT), H5Oclose);
      const std::string full = prefix + name.data();
      if (!object.there()) continue;
      if (H5Iget_type(object) == H5I_GROUP) look_into(object, full + "/", depth + 1);
      if (H5Iget_type(object) == H5I_DATASET) look_at(object, full);
    }
  }

  void look_at(hid_t set, const std::string& full) {
    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    const int rank = space.there() ? H5Sget_simple_extent_ndims(space) : -1;
    if (!type.there() || rank < 1 || rank > 2 || !stored_here(set)) return;
    // Texts and lists of MATLAB look like numbers.
    const std::string kind = attribute(set, "MATLAB_class");
    if (kind == "char" || kind == "cell") return;
    hsize_t size[2]{0, 1};
    H5Sget_simple_extent_dims(space, size, nullptr);
    Set found{full,
              std::size_t(std::max(size[0], size[1])),
              std::size_t(std::min(size[0], size[1])),
              size[0] >= size[1],
              {}};
    if (found.rows == 0 || found.columns == 0) return;
    if (found.columns > most_columns || found.rows > most_values / found.columns)
      throw InputError(path_ + ": " + full + " has " + std::to_string(size[0]) + " times " +
                       std::to_string(size[1]) + " values, more than are read");
    std::string name = full;
    std::replace(name.begin(), name.end(), '/', '.');
    if (H5Tget_class(type) == H5T_COMPOUND && rank == 1) {
      const int members = H5Tget_nmembers(type);
      for (int k = 0; k < members; ++k) {
        const Handle member(H5Tget_member_type(type, unsigned(k)), H5Tclose);
        char* const text = H5Tget_member_name(type, unsigned(k));
        if (text && is_number(member)) found.members.push_back(text);
        H5free_memory(text);
      }
      for (std::size_t k = 0; k < found.members.size(); ++k)
        all_.push_back({name + "." + found.members[k], "", found.rows, sets_.size(), k});
    } else if (is_number(type)) {
      std::string unit = attribute(set, "units");
      if (unit.empty()) unit = attribute(set, "unit");
      for (std::size_t k = 0; k < found.columns; ++k)
        all_.push_back({found.columns == 1 ? name : name + "_" + std::to_string(k + 1), unit,
                        found.rows, sets_.size(), k});
    }
    sets_.push_back(std::move(found));
  }

  std::vector<double> load(const Found& column) const override {
    const LibraryReading reading(path_);
    const Set& one = sets_[column.source];
    const Handle set(H5Dopen(file_, one.path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(set), H5Sclose);
    std::vector<double> values(one.rows);
    herr_t status = -1;
    if (!one.members.empty()) {
      const Handle number(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose);
      H5Tinsert(number, one.members[column.part].c_str(), 0, H5T_NATIVE_DOUBLE);
      status = H5Dread(set, number, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    } else {
      const hsize_t rows = one.rows;
      const Handle memory(H5Screate_simple(1, &rows, nullptr), H5Sclose);
      hsize_t start[2]{0, 0}, count[2]{1, 1};
      start[one.upright ? 1 : 0] = column.part, count[one.upright ? 0 : 1] = rows;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
      status = H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
    }
    if (status < 0)
      throw InputError(path_ + ": " + column.name + " cannot be read, the file is damaged");
    return values;
  }

  Handle file_;
  std::vector<Found> all_;
  std::vector<Set> sets_;
  std::set<haddr_t> visited_;
  std::size_t seen_ = 0;
};

}  // namespace

std::unique_ptr<TableRows> open_hdf5(const std::string& path) {
  start_hdf5();
  const LibraryReading reading(path);
  return std::make_unique<Hdf5Rows>(path);
}

}  // namespace bristle::io
