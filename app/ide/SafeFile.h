// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QByteArrayView>
#include <QString>

namespace tilescope::app {

/// Puts `bytes` in the place of what the file held. On a full disk, or when the program dies
/// meanwhile, the old content stays whole. Gives what went wrong, or nothing.
QString replaceFile(const QString &path, QByteArrayView bytes);

} // namespace tilescope::app
