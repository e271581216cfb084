// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <string_view>

/// Messages framed as the Language Server Protocol frames them:
///
///     Content-Length: 17\r\n
///     \r\n
///     {"method":"ping"}
namespace tilescope::profiler {

std::string encodeFrame(std::string_view body);

/// Takes bytes as they come and gives back whole messages.
class FrameReader {
public:
  void feed(std::string_view bytes) { m_bytes += bytes; }
  /// The next message; nothing when it is not complete yet. An error when the bytes are no frames:
  /// nothing can be read after that.
  Result<std::optional<std::string>> next();

private:
  std::string m_bytes;
};

} // namespace tilescope::profiler
