// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Counted.h"

#include <QString>

namespace tilescope::views {

/// "1 program", "4 programs": see `counted`.
inline QString countedText(std::integral auto count, std::string_view noun) {
  return QString::fromStdString(counted(count, noun));
}

/// The same for a number that is already text: "1 warp", "… warps".
inline QString countedText(const QString &number, const QString &noun) {
  return number + u' ' + noun + (number == u"1" ? QString() : QStringLiteral("s"));
}

} // namespace tilescope::views
