// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::views {

/// Words as the window paints them: code that messages have in backquotes is in quotes.
///
///     `tl.load` is a function      ‘tl.load’ is a function
///
/// The style does this to labels, buttons and tool tips (`Theme.cpp`); what paints text itself calls it.
/// Rich text is laid out without the style, and calls it, too.
QString quotedCode(QString words);

/// Words for a tool tip as rich text, which is broken into short lines: a long one would lie over what is left
/// of a view.
QString wrappedTip(const QString &words);

} // namespace tilescope::views
