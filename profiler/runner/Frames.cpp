// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/Frames.h"

#include <charconv>

namespace tilescope::profiler {

std::string encodeFrame(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

static Error badFrame(const std::string &what) {
  return {ErrorCode::InvalidInput, "not a framed message: " + what, ""};
}

Result<std::optional<std::string>> FrameReader::next() {
  constexpr std::string_view kName = "Content-Length:";
  constexpr size_t kLongestHeader = 1024, kLargestBody = size_t(8) << 30;
  size_t headerEnd = m_bytes.find("\r\n\r\n");
  if (headerEnd == std::string::npos) {
    if (m_bytes.size() > kLongestHeader)
      return badFrame("no end of the header");
    return std::optional<std::string>();
  }
  std::string_view header = std::string_view(m_bytes).substr(0, headerEnd);
  size_t found = header.find(kName);
  if (found == std::string_view::npos || headerEnd > kLongestHeader)
    return badFrame("no `Content-Length`");
  std::string_view digits = header.substr(found + kName.size());
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  size_t length = 0;
  auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (fault != std::errc() || length > kLargestBody)
    return badFrame("bad `Content-Length`");
  size_t bodyBegin = headerEnd + 4;
  if (m_bytes.size() - bodyBegin < length)
    return std::optional<std::string>();
  std::string body = m_bytes.substr(bodyBegin, length);
  m_bytes.erase(0, bodyBegin + length);
  return std::optional<std::string>(std::move(body));
}

} // namespace tilescope::profiler
