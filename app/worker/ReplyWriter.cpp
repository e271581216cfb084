// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ReplyWriter.h"

#include "compiler/service/MessageCodec.h"

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace tilescope::app {

bool ReplyWriter::send(const compiler::WorkerReply &reply) {
  const std::string frame = compiler::encodeFrame(reply);
  const std::lock_guard lock(m_mutex);
  std::string_view rest = frame;
  while (!rest.empty()) {
    const ssize_t count = write(m_descriptor, rest.data(), rest.size());
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0)
      rest.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

} // namespace tilescope::app
