// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"
#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <string_view>

/// Messages as bytes. A frame is the payload's length as four bytes, lowest first, then the
/// payload. Both ends run on one machine and come from one build, so the payload is in the
/// machine's byte order.
namespace tilescope::compiler {

/// No frame is longer: a larger announced length means that the stream is out of step.
inline constexpr size_t kMaxFrameBytes = size_t{1} << 30;

/// A whole frame, ready to be written.
std::string encodeFrame(const WorkerRequest &request);
std::string encodeFrame(const WorkerReply &reply);

/// The reverse of `encodeFrame` for a payload (a frame without its length).
Result<WorkerRequest> decodeRequest(std::string_view payload);
Result<WorkerReply> decodeReply(std::string_view payload);

/// Cuts a stream of bytes that arrives in arbitrary pieces into payloads.
class FrameReader {
public:
  void append(std::string_view bytes);
  /// The next whole payload, or nothing when more bytes are needed.
  std::optional<std::string> next();
  /// The announced length was impossible: nothing more can be read from this stream.
  bool broken() const { return m_broken; }

private:
  std::string m_buffer;
  /// Bytes at the front of `m_buffer` that were handed out already.
  size_t m_consumed = 0;
  bool m_broken = false;
};

} // namespace tilescope::compiler
