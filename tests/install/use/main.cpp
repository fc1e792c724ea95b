// SPDX-License-Identifier: MIT
// Prints the version of the library if its headers are of the same one and a run comes out right.
#include <bristle/model/dahl.hpp>
#include <bristle/solve/simulate.hpp>
#include <bristle/version.hpp>
#include <cmath>
#include <cstdio>
#include <string>

#if BRISTLE_VERSION_NUMBER < 1000
#error "BRISTLE_VERSION_NUMBER is less than that of the first version, 0.1.0"
#endif

int main() {
  const std::string of_headers = std::to_string(BRISTLE_VERSION_MAJOR) + "." +
                                 std::to_string(BRISTLE_VERSION_MINOR) + "." +
                                 std::to_string(BRISTLE_VERSION_PATCH);
  if (of_headers != bristle::version) {
    std::printf("headers of %s, library of %s\n", of_headers.c_str(), bristle::version);
    return 1;
  }
  // A body at rest under a force below break-away: the bristle balances it.
  const auto run = bristle::simulate(bristle::Dahl<>{}, bristle::DraggedMass{}, {.end = 10.0});
  if (!run.summary.ok() || !std::isfinite(run.trajectory.position.back())) {
    std::printf("the run did not end well: %s\n", run.summary.message.c_str());
    return 1;
  }
  std::printf("bristle %s\n", bristle::version);
}
