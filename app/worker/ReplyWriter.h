// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"

#include <mutex>

namespace tilescope::app {

/// Writes replies to the client, whole ones, from any thread.
class ReplyWriter {
public:
  explicit ReplyWriter(int descriptor) : m_descriptor(descriptor) {}
  /// Returns false when the client is gone.
  bool send(const compiler::WorkerReply &reply);

private:
  int m_descriptor;
  std::mutex m_mutex;
};

} // namespace tilescope::app
