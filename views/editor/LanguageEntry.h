// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tilescope::views {

/// One name of the kernel language as the editor explains it.
struct LanguageEntry {
  /// Full dotted name, e.g. `tl.load`.
  QString name;
  /// Argument list with parentheses and result, e.g. `(pointer, mask=None, other=None, …)`.
  QString signature;
  QStringList parameters;
  QString documentation;
  enum class Kind {
    Function,
    Type,
    Method,
    Module,
    Constant,
    Keyword,
    Local
  } kind = Kind::Function;
};

/// What the editor knows of the language; filled by the application.
using LanguageEntries = std::vector<LanguageEntry>;

} // namespace tilescope::views
