// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>
#include <string_view>

namespace tilescope::app {

/// How the text of an editor lies in its file. The editor's own text has neither a byte order mark
/// nor, when every line of the file ends in `\r\n`, carriage returns.
struct TextFormat {
  bool hasByteOrderMark = false;
  bool hasCarriageReturns = false;
  bool operator==(const TextFormat &) const = default;
};

struct DecodedText {
  std::string text;
  TextFormat format;
  /// False: an editor could not keep every byte, so the text is only for reading.
  bool isUtf8 = true;
};

/// Takes a file's bytes apart; `encodeText` puts them together again, byte for byte. Where some
/// lines end in `\r\n` and others do not, carriage returns are left in the text.
DecodedText decodeText(std::string bytes);
std::string encodeText(std::string_view text, const TextFormat &format);

} // namespace tilescope::app
