// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/Frames.h"

#include <algorithm>
#include <charconv>

namespace tilescope::profiler {

std::string encodeFrame(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

static Error badFrame(const std::string &what) {
  return {ErrorCode::InvalidInput, "not a framed message: " + what, ""};
}

static constexpr size_t kLongestHeader = 1024;

/// The value of the only `Content-Length` line; there may be other fields.
static Result<size_t> bodyLength(std::string_view header, size_t largestBody) {
  constexpr std::string_view kName = "Content-Length:";
  std::optional<size_t> length;
  while (!header.empty()) {
    std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(header.size(), line.size() + 2));
    if (line.find(':') == std::string_view::npos)
      return badFrame("a line of its header is not a field");
    if (!line.starts_with(kName))
      continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    size_t value = 0;
    const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (length || fault != std::errc() || end != line.data() + line.size())
      return badFrame("bad `Content-Length`");
    if (value > largestBody)
      return badFrame("its body is longer than " + std::to_string(largestBody >> 20) + " MiB");
    length = value;
  }
  if (!length)
    return badFrame("no `Content-Length`");
  return *length;
}

Result<std::optional<std::string>> FrameReader::next() {
  const std::string_view bytes = m_bytes;
  const size_t headerEnd = bytes.substr(0, kLongestHeader + 4).find("\r\n\r\n");
  if (headerEnd == std::string::npos) {
    if (bytes.size() > kLongestHeader)
      return badFrame("no end of the header");
    return std::optional<std::string>();
  }
  const Result<size_t> length = bodyLength(bytes.substr(0, headerEnd), m_largestBody);
  if (!length)
    return length.error();
  const size_t bodyBegin = headerEnd + 4;
  if (bytes.size() - bodyBegin < *length)
    return std::optional<std::string>();
  std::string body = m_bytes.substr(bodyBegin, *length);
  m_bytes.erase(0, bodyBegin + *length);
  return std::optional<std::string>(std::move(body));
}

} // namespace tilescope::profiler
