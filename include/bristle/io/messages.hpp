// SPDX-License-Identifier: MIT
// Messages between the processes of one sweep.
#pragma once

#include <string>
#include <string_view>

namespace bristle::io {

class Messages {
 public:
  virtual ~Messages() = default;
  virtual int rank() const = 0;  // from 0; that of the process that writes is 0
  virtual int size() const = 0;
  virtual void send(int to, std::string_view message) = 0;
  // The next message that has arrived, and its sender; false if there is none.
  virtual bool receive(int& from, std::string& message) = 0;
};

}  // namespace bristle::io
