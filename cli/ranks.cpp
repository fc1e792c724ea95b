// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "bristle/io/errors.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

// A function of the module by name.
template <class Function>
Function* function_of(void* module, const char* name) {
  void* const found = ::dlsym(module, name);
  if (!found) throw io::FileError(std::string("the MPI module has no ") + name);
  return reinterpret_cast<Function*>(found);
}

class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(void* module)
      : send_(function_of<int(int, const char*, unsigned long)>(module, "bristle_mpi_send")),
        look_(function_of<long(int*)>(module, "bristle_mpi_look")),
        receive_(function_of<int(int, char*, unsigned long)>(module, "bristle_mpi_receive")),
        stop_(function_of<void()>(module, "bristle_mpi_stop")) {
    if (function_of<int(int*, int*)>(module, "bristle_mpi_start")(&rank_, &size_) != 0)
      throw io::FileError("MPI cannot be started");
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, std::string_view message) override {
    if (send_(to, message.data(), message.size()) != 0)
      throw io::FileError("a message to process " + std::to_string(to) + " cannot be sent");
  }
  bool receive(int& from, std::string& message) override {
    const long bytes = look_(&from);
    if (bytes < 0) return false;
    message.resize(std::size_t(bytes));
    if (receive_(from, message.data(), message.size()) != 0)
      throw io::FileError("a message of process " + std::to_string(from) + " cannot be received");
    return true;
  }
  void finish() override { stop_(); }

 private:
  int rank_ = 0, size_ = 1;
  int (*send_)(int, const char*, unsigned long);
  long (*look_)(int*);
  int (*receive_)(int, char*, unsigned long);
  void (*stop_)();
};

}  // namespace

std::unique_ptr<Ranks> Ranks::find() {
  // What mpirun of Open MPI says to the processes it starts.
  const char* const count = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (!count || std::atoi(count) < 2) return nullptr;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& place : {here / "bristle_mpi.so", here / "../lib/bristle/bristle_mpi.so"}) {
    if (!fs::is_regular_file(place, error)) continue;
    // Open MPI loads modules of its own that need to see its library.
    if (void* const module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL))
      return std::make_unique<MpiRanks>(module);
    throw io::FileError(place.string() + ": cannot be loaded");
  }
  throw io::InputError("this program was built without MPI and cannot share a sweep among the " +
                       std::string(count) + " processes of mpirun; start parts with --part");
}

}  // namespace bristle::cli
