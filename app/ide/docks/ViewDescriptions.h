// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::app {

/// What a view shows, in one sentence for a user who meets it for the first time: the entry of the
/// glossary for its title, `Layout view` or `TTIR`. Empty where there is none.
QString viewDescription(const QString &title);

} // namespace tilescope::app
