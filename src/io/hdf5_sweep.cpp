// SPDX-License-Identifier: MIT
// The table of a sweep as an HDF5 file. No times and nothing of the machine goes into it, so that
// the same rows make the same bytes.
#include <cmath>
#include <cstring>

#include "bristle/io/errors.hpp"
#include "bristle/io/sweep_results.hpp"
#include "bristle/version.hpp"
#include "hdf5_start.hpp"

namespace bristle::io {
namespace {

constexpr hsize_t rows_per_block = 4096;

// A file of the library that is open for writing; every call that fails is one sentence.
class SweepHdf5 {
 public:
  explicit SweepHdf5(std::string shown) : shown_(std::move(shown)) { start_hdf5(); }
  ~SweepHdf5() {
    for (auto at = open_.rbegin(); at != open_.rend(); ++at) at->second(at->first);
  }
  SweepHdf5(const SweepHdf5&) = delete;
  SweepHdf5& operator=(const SweepHdf5&) = delete;

  hid_t keep(hid_t id, herr_t (*close)(hid_t)) {
    if (id < 0) refuse();
    open_.emplace_back(id, close);
    return id;
  }
  void check(herr_t result) const {
    if (result < 0) refuse();
  }
  [[noreturn]] void refuse() const {
    throw FileError(shown_ + ": cannot be written, the disk may be full");
  }
  // Closes everything; what could not be stored until then is an error too.
  void close() {
    herr_t worst = 0;
    for (auto at = open_.rbegin(); at != open_.rend(); ++at)
      worst = std::min(worst, at->second(at->first));
    open_.clear();
    check(worst);
  }

 private:
  std::string shown_;
  std::vector<std::pair<hid_t, herr_t (*)(hid_t)>> open_;
};

// One column: numbers, or texts of a fixed length.
struct SweepColumn {
  std::string name;
  std::size_t length = 0;  // of texts [bytes], 0: numbers
  std::string unit{};
  hid_t set = -1, type = -1;
  std::vector<double> numbers{};
  std::string texts{};

  void add(double value) { numbers.push_back(value); }
  void add(const std::string& text) {
    texts += text;
    texts.append(length - text.size(), '\0');
  }
};

void add_attribute(SweepHdf5& h, hid_t to, const char* name, const std::string& text) {
  const hid_t type = h.keep(H5Tcopy(H5T_C_S1), H5Tclose);
  h.check(H5Tset_size(type, text.size() + 1));
  h.check(H5Tset_cset(type, H5T_CSET_UTF8));
  const hid_t space = h.keep(H5Screate(H5S_SCALAR), H5Sclose);
  const hid_t a = h.keep(H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  h.check(H5Awrite(a, type, text.c_str()));
}

void make_set(SweepHdf5& h, hid_t file, SweepColumn& column, hsize_t rows) {
  const hid_t space = h.keep(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const hid_t made = h.keep(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  h.check(H5Pset_obj_track_times(made, false));
  column.type = H5T_NATIVE_DOUBLE;
  hid_t stored = H5T_IEEE_F64LE;
  if (column.length > 0) {
    stored = column.type = h.keep(H5Tcopy(H5T_C_S1), H5Tclose);
    h.check(H5Tset_size(stored, column.length));
    h.check(H5Tset_strpad(stored, H5T_STR_NULLPAD));
    h.check(H5Tset_cset(stored, H5T_CSET_UTF8));
    // Most texts are alike.
    const hsize_t block = std::min(rows, rows_per_block);
    if (block > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      h.check(H5Pset_chunk(made, 1, &block));
      h.check(H5Pset_deflate(made, 4));
    }
  }
  column.set =
      h.keep(H5Dcreate2(file, column.name.c_str(), stored, space, H5P_DEFAULT, made, H5P_DEFAULT),
             H5Dclose);
  if (!column.unit.empty()) add_attribute(h, column.set, "unit", column.unit);
}

void write_block(SweepHdf5& h, SweepColumn& column, hsize_t from, hsize_t count) {
  const hid_t space = H5Dget_space(column.set), memory = H5Screate_simple(1, &count, nullptr);
  h.check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
  const void* data = column.length > 0 ? static_cast<const void*>(column.texts.data())
                                       : static_cast<const void*>(column.numbers.data());
  const herr_t written = H5Dwrite(column.set, column.type, memory, space, H5P_DEFAULT, data);
  H5Sclose(memory);
  H5Sclose(space);
  h.check(written);
  column.numbers.clear();
  column.texts.clear();
}

// A file with its provenance.
hid_t make_file(SweepHdf5& h, const std::string& path, const Sweep& sweep) {
  const hid_t file =
      h.keep(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  add_attribute(h, file, "bristle", std::string(version));
  add_attribute(h, file, "sweep", sweep.fingerprint());
  add_attribute(h, file, "seed", std::to_string(sweep.plan().seed));
  return file;
}

// Writes columns block by block as rows are added to them.
class BlockWriter {
 public:
  BlockWriter(SweepHdf5& h, std::vector<SweepColumn>& columns) : h_(h), columns_(columns) {}
  void row_added() {
    if (++count_ == rows_per_block) flush();
  }
  void flush() {
    if (count_ == 0) return;
    for (auto& column : columns_) write_block(h_, column, from_, count_);
    from_ += count_;
    count_ = 0;
  }

 private:
  SweepHdf5& h_;
  std::vector<SweepColumn>& columns_;
  hsize_t from_ = 0, count_ = 0;
};

}  // namespace

bool write_sweep_hdf5(const std::string& path, const std::string& shown, const std::string& table,
                      const Sweep& sweep, const SweepStatistics& statistics) {
  SweepHdf5 h(shown);
  const hid_t file = make_file(h, path, sweep);
  std::vector<SweepColumn> columns{{"number"}};
  for (const auto& field : sweep.plan().fields())
    columns.push_back({field, 0, unit_in(sweep.label(field))});
  for (const auto& q : statistics.quantities)
    columns.push_back({q.name, q.words > 0 ? q.longest : 0, q.unit});
  columns.push_back({"status", statistics.longest_status});
  for (auto& column : columns) make_set(h, file, column, statistics.rows);
  BlockWriter blocks(h, columns);
  each_row(table, sweep, [&](const SweepRow& row) {
    auto column = columns.begin();
    column++->add(double(row.number));
    for (const double value : row.values) column++->add(value);
    for (const auto& quantity : row.quantities) {
      SweepColumn& c = *column++;
      const auto* number = std::get_if<double>(&quantity);
      const auto* word = std::get_if<std::string>(&quantity);
      // A quantity that some runs lack is NaN, or an empty text.
      if (c.length == 0) c.add(number ? *number : NAN);
      else c.add(word ? *word : std::string());
    }
    column->add(row.status);
    blocks.row_added();
  });
  blocks.flush();
  h.close();
  return true;
}

bool write_trajectories_hdf5(const std::string& path, const std::string& shown,
                             const std::string& table, const Sweep& sweep, std::uint64_t rows) {
  SweepHdf5 h(shown);
  const hid_t file = make_file(h, path, sweep);
  std::vector<SweepColumn> columns;
  for (const auto& name : trajectory_columns(sweep))
    columns.push_back({name, 0, columns.size() < 2 ? "" : unit_in(sweep.column_label(name))});
  columns[1].unit = "s";
  for (auto& column : columns) make_set(h, file, column, rows);
  BlockWriter blocks(h, columns);
  each_sample(table, sweep, [&](const TrajectorySample& sample) {
    columns[0].add(double(sample.number)), columns[1].add(sample.time);
    for (std::size_t i = 0; i < sample.values.size(); ++i) columns[i + 2].add(sample.values[i]);
    blocks.row_added();
  });
  blocks.flush();
  h.close();
  return true;
}

}  // namespace bristle::io
