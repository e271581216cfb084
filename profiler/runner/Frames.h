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

/// Of requests, which may hold a package, and of answers, which may hold every output.
inline constexpr size_t kLargestRequest = size_t(1) << 30;
inline constexpr size_t kLargestAnswer = size_t(8) << 30;

std::string encodeFrame(std::string_view body);

/// Takes bytes as they come and returns whole messages.
class FrameReader {
public:
  /// Messages with a longer body are refused before it comes.
  explicit FrameReader(size_t largestBody) : m_largestBody(largestBody) {}
  void feed(std::string_view bytes) { m_bytes += bytes; }
  /// The next message; nothing when it is not complete yet. An error when the bytes are not frames:
  /// nothing can be read after that.
  Result<std::optional<std::string>> next();
  /// A message has begun to come.
  bool isInside() const { return !m_bytes.empty(); }

private:
  size_t m_largestBody;
  std::string m_bytes;
};

} // namespace tilescope::profiler
