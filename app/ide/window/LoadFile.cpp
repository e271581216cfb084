// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/LoadFile.h"

#include "app/ide/page/EditorPage.h"
#include "app/launch/InputFile.h"

namespace tilescope::app {

QString loadFile(EditorPage &page, const QString &path) {
  const std::optional<Error> other = fileOfOtherKind(path.toStdString());
  return other ? QString::fromStdString(other->message + "; " + other->hint) + u'.'
               : page.load(path);
}

} // namespace tilescope::app
