// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/TextFormat.h"

#include <QUtf8StringView>

#include <algorithm>

namespace tilescope::app {

static constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Whether every line feed follows a carriage return, and there is no other one.
static bool endsEveryLineWithBoth(std::string_view text) {
  size_t numFeeds = 0;
  for (size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
       at = text.find_first_of("\r\n", at + 2)) {
    if (text.substr(at, 2) != "\r\n")
      return false;
    ++numFeeds;
  }
  return numFeeds > 0;
}

DecodedText decodeText(std::string bytes) {
  DecodedText decoded;
  decoded.isUtf8 =
      QUtf8StringView(bytes.data(), static_cast<qsizetype>(bytes.size())).isValidUtf8();
  decoded.format.hasByteOrderMark = bytes.starts_with(kByteOrderMark);
  if (decoded.format.hasByteOrderMark)
    bytes.erase(0, kByteOrderMark.size());
  decoded.format.hasCarriageReturns = endsEveryLineWithBoth(bytes);
  if (decoded.format.hasCarriageReturns)
    std::erase(bytes, '\r');
  decoded.text = std::move(bytes);
  return decoded;
}

std::string encodeText(std::string_view text, const TextFormat &format) {
  std::string bytes;
  bytes.reserve(text.size() + text.size() / 16 + kByteOrderMark.size());
  if (format.hasByteOrderMark)
    bytes += kByteOrderMark;
  for (char c : text) {
    if (c == '\n' && format.hasCarriageReturns)
      bytes += '\r';
    bytes += c;
  }
  return bytes;
}

} // namespace tilescope::app
