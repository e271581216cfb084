// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace tilescope::app {

/// A text that lay in its file in another encoding than UTF-8.
struct ForeignText {
  /// In UTF-8. A comment that declares the encoding for Python declares UTF-8.
  std::string text;
  /// What it was read as, as users know it: `Windows-1252`.
  QString encoding;
};

/// Reads bytes that are not UTF-8 in the encoding that the text declares (`# -*- coding: latin-1
/// -*-`, in one of the first two lines), else as Windows-1252, which has the printable characters of
/// Latin-1 and more; where it has no character for a byte, or is not known here, as Latin-1, which
/// has one for every byte.
ForeignText readForeign(std::string_view bytes);

} // namespace tilescope::app
