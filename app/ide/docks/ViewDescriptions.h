// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::app {

/// What a view shows, in one sentence for a user who meets it for the first time. `id` is the
/// dock's; unknown ones have no description.
QString viewDescription(const QString &id);

} // namespace tilescope::app
