// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/Workspace.h"

namespace tilescope::app {

const WorkspaceKind &workspaceKind(Workspace workspace) {
  return kWorkspaces[static_cast<size_t>(workspace)];
}

Workspace workspaceNamed(const QString &name) {
  for (const WorkspaceKind &kind : kWorkspaces)
    if (name == QLatin1String(kind.name))
      return kind.id;
  return Workspace::See;
}

} // namespace tilescope::app
