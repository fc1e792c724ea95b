// SPDX-License-Identifier: MIT
// The few functions of MPI that sweeps need, in a module of its own: the command loads it only
// where mpirun started it, and runs without MPI everywhere else.
#include <mpi.h>

#include <climits>
#include <list>
#include <string>

namespace {

// Messages on their way: nobody waits until the other side has looked.
struct Sent {
  std::string text;
  MPI_Request request = MPI_REQUEST_NULL;
};
std::list<Sent> under_way;

void forget_received() {
  under_way.remove_if([](Sent& sent) {
    int received = 0;
    return MPI_Test(&sent.request, &received, MPI_STATUS_IGNORE) == MPI_SUCCESS && received;
  });
}

}  // namespace

extern "C" {

// 0 if all is well.
int bristle_mpi_start(int* rank, int* size) {
  int given = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return 1;
  if (given < MPI_THREAD_SERIALIZED) return 1;
  return MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS ||
         MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS;
}

int bristle_mpi_send(int to, const char* text, unsigned long bytes) {
  if (bytes > INT_MAX) return 1;
  forget_received();
  Sent& sent = under_way.emplace_back(Sent{std::string(text, bytes)});
  return MPI_Isend(sent.text.data(), int(bytes), MPI_CHAR, to, 0, MPI_COMM_WORLD, &sent.request) !=
         MPI_SUCCESS;
}

// The length of the next message and its sender, -1 if there is none.
long bristle_mpi_look(int* from) {
  int there = 0, bytes = 0;
  MPI_Status status;
  forget_received();
  if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there)
    return -1;
  MPI_Get_count(&status, MPI_CHAR, &bytes);
  *from = status.MPI_SOURCE;
  return bytes;
}

int bristle_mpi_receive(int from, char* text, unsigned long bytes) {
  return MPI_Recv(text, int(bytes), MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) !=
         MPI_SUCCESS;
}

void bristle_mpi_stop() {
  for (Sent& sent : under_way) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
}
