// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

namespace tilescope::app {

class EditorPage;

/// Reads a file into a page. Empty when it has; else why not, and what reads a file of another kind.
QString loadFile(EditorPage &page, const QString &path);

} // namespace tilescope::app
