// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::app {

/// A kernel's symbol as the name of a file: symbols may hold anything. Never empty.
QString fileNameOf(const QString &symbol);

} // namespace tilescope::app
