// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDir>
#include <QString>

#include <vector>

namespace tilescope::app {

class EditorPage;

/// A path in the folder that nothing has, on the disk or among the open files.
QString unusedPath(const QDir &folder, const QString &name, const QString &ending,
                   const std::vector<EditorPage *> &pages);

} // namespace tilescope::app
