// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::views {

/// What a menu shows as `text`: there, a single ampersand underlines the letter behind it.
inline QString menuText(QString text) {
  return text.replace(QStringLiteral("&"), QStringLiteral("&&"));
}

} // namespace tilescope::views
